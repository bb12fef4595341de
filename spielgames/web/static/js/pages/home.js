/** The opening page: a game, who plays it, and off; or to a table or deal that exists already. */
import { Card, Deck } from "../cards/card.js";
import { Button } from "../controls.js";
import { Looks } from "../panels/settings.js";
import { forget, preferences } from "../preferences.js";
import { classes, html, useState } from "../ui.js";
import { Import, JoinByLink } from "./arrive.js";
import { OpenForm } from "./open.js";

const FANS = {
  python_coinche: ["J♠", "9♠", "A♠"],
  python_hokm: ["A♦", "K♦", "Q♦"],
  python_hearts: ["Q♠", "A♥", "2♣"],
  python_sheephead: ["Q♣", "Jk", "Q♠"],
  python_snapszer: ["K♥", "Q♥", "A♥"],
};

export function Home({ hello }) {
  const [chosen, choose] = useState(hello.games[0]?.game);
  const game = hello.games.find((one) => one.game === chosen) ?? hello.games[0];
  return html`<main class="home">
    <header class="home-head">
      <h1>spielgames</h1>
      <p class="muted">Five trick-taking games, against agents and people, with what each card was worth.</p>
    </header>
    <div class="games" role="radiogroup" aria-label="game" onKeyDown=${(e) => walk(e, hello.games, chosen, choose)}>
      ${hello.games.map(
        (one) => html`<${Tile}
          key=${one.game}
          game=${one}
          on=${one === game}
          onClick=${() => choose(one.game)}
        />`,
      )}
    </div>
    <div class="home-columns">
      <${OpenForm} key=${game.game} game=${game} />
      <div class="stack">
        <${Recent} />
        <section class="panel"><h2>Come to a table</h2><${JoinByLink} /></section>
        <section class="panel"><h2>Look back at a deal</h2><${Import} /></section>
        <details class="panel"><summary>How it looks</summary><${Looks} /></details>
      </div>
    </div>
  </main>`;
}

function Tile({ game, on, onClick }) {
  return html`<button type="button" role="radio" aria-checked=${String(on)} tabindex=${on ? 0 : -1}
    class=${classes("tile", { on })} onClick=${onClick} data-game=${game.game}>
    <${Deck.Provider} value=${preferences.deck === "game" ? game.deck : preferences.deck}>
      <span class="tile-fan" aria-hidden="true">
        ${(FANS[game.game] ?? []).map((card) => html`<${Card} name=${card} />`)}
      </span>
    <//>
    <strong>${game.title}</strong>
    <span class="muted small">${game.players} players${game.teams ? ", two teams" : ""}</span>
  </button>`;
}

function walk(event, games, chosen, choose) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = games.findIndex((one) => one.game === chosen);
  const next = games[(at + step + games.length) % games.length];
  choose(next.game);
  event.currentTarget.querySelector(`[data-game="${next.game}"]`)?.focus();
}

/** The tables one sat at lately. */
function Recent() {
  const [, redraw] = useState(0);
  if (!preferences.recent.length) return null;
  const drop = (link) => (forget(link), redraw((n) => n + 1));
  return html`<section class="panel"><h2>Back to a table</h2><ul class="recent">
    ${preferences.recent.map(
      ({ link, title, number }) => html`<li key=${link}>
        <a href=${link}>${title}, deal ${number}</a>
        <${Button} look="plain compact" aria-label="forget this table" does=${() => drop(link)}>✕<//>
      </li>`,
    )}
  </ul></section>`;
}
