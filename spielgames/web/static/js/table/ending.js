/** How a deal ended, and what one may do next. */
import { say } from "../client.js";
import { Button } from "../controls.js";
import { lookAt } from "../panels/replay.js";
import { set } from "../store.js";
import { marked, named, seatName, signed } from "../text.js";
import { html, useState } from "../ui.js";
import { Card } from "../cards/card.js";

/** @param {{view: import("../types.js").View}} props */
export function Ending({ view, deck }) {
  const [hands, showHands] = useState(false);
  const { result, match, can } = view;
  if (!result) return null;
  return html`<section class="ending panel" aria-label="the end of the deal">
    <h2>${match?.over ? match.words || "The match is over" : "The deal is over"}</h2>
    <p>${marked(named(view, result.words), deck)}</p>
    <${Scores} view=${view} />
    <div class="row ending-row">
      ${can.next &&
      html`<${Button} look="primary" does=${() => say("next", { at: view.at })}>
        Next deal <kbd>N</kbd>
      <//>`}
      ${can.review &&
      html`<${Button} does=${() => lookAt({ deal: view.deal, step: 0 })}>Look back <kbd>R</kbd><//>`}
      <${Button} aria-expanded=${String(hands)} does=${() => showHands(!hands)}>All hands<//>
      <${Button} look="plain compact" does=${() => say("export", { deal: view.deal })}>
        Save or share
      <//>
      <${Button} look="plain compact" does=${() => set({ dialog: "tricks" })}>Tricks<//>
    </div>
    ${hands && html`<${Dealt} view=${view} />`}
  </section>`;
}

function Scores({ view }) {
  const { result, match } = view;
  const counted = Object.keys(view.seats[0].counts).filter((what) => view.seats.some((s) => s.counts[what]));
  const whole = (x) => (x === null || x === undefined ? "–" : signed(x, Number.isInteger(x) ? 0 : 2));
  return html`<table class="scores">
    <thead><tr><th></th>${counted.map((what) => html`<th class="number">${what}</th>`)}
      <th class="number">gain (${result.unit})</th>
      ${match && html`<th class="number">scored</th><th class="number">match</th>`}</tr></thead>
    <tbody>
      ${view.seats.map(
        ({ seat, counts }) => html`<tr>
          <th scope="row">${seatName(view, seat)}</th>
          ${counted.map((what) => html`<td class="number">${counts[what]}</td>`)}
          <td class="number">${whole(result.utilities[seat])}</td>
          ${match &&
          html`<td class="number">${whole(result.scores?.[seat])}</td>
            <td class="number">${whole(match.totals[seat]).replace("+", "")}</td>`}
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The hands as they were dealt. */
const Dealt = ({ view }) => html`<div class="dealt">
  ${view.result.dealt.map(
    (cards, seat) => html`<figure>
      <figcaption>${seatName(view, seat)}</figcaption>
      <div class="mini-row">${cards.map((card) => html`<${Card} name=${card} mini />`)}</div>
    </figure>`,
  )}
</div>`;
