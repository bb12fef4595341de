/** What opens over the table: the last trick, all tricks, links, settings, keys, a transcript. */
import { linksOf, say } from "../client.js";
import { Button } from "../controls.js";
import { SeatChoices, startSeats } from "../pages/seats.js";
import { set, state as now, toast } from "../store.js";
import { KEYS } from "../table/keys.js";
import { TrickLine } from "../table/trick.js";
import { seatName } from "../text.js";
import { html, useEffect, useRef, useState } from "../ui.js";
import { Settings } from "./settings.js";

const close = () => set({ dialog: null });

/** A dialog that keeps the focus, and that Escape closes. */
export function Dialog({ title, children }) {
  const box = useRef(null);
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  const outside = (event) => event.target === box.current && close();
  return html`<dialog ref=${box} aria-label=${title} onClose=${close} onClick=${outside}>
    <div class="head">
      <h2>${title}</h2>
      <${Button} look="compact" does=${close} aria-label="close">✕<//>
    </div>
    <div class="content">${children}</div>
  </dialog>`;
}

const DIALOGS = {
  last: ["The last trick", LastTrick],
  tricks: ["Tricks of this deal", Tricks],
  invite: ["Invite", Invite],
  settings: ["Settings", Settings],
  keys: ["Keys", Keys],
  transcript: ["Save or share", Transcript],
  branch: ["Play on from here", Branch],
};

export function Dialogs(props) {
  const dialog = DIALOGS[props.state.dialog];
  if (!dialog) return null;
  const [title, Content] = dialog;
  return html`<${Dialog} key=${title} title=${title}><${Content} ...${props} /><//>`;
}

function LastTrick({ view, deck }) {
  if (!view.last_trick) return html`<p>No trick has been taken yet.</p>`;
  return html`<${TrickLine} view=${view} trick=${view.last_trick} deck=${deck} />`;
}

function Tricks({ view, deck }) {
  if (!view.tricks.length) return html`<p>No trick has been taken yet.</p>`;
  const takers = [...new Set(view.tricks.map((trick) => trick.winner))].sort();
  const line = (trick) => html`<div class="row trick-row">
    <span class="muted">${trick.number}</span><${TrickLine} ...${{ view, trick, deck }} />
  </div>`;
  return takers.map((seat) => {
    const taken = view.tricks.filter((trick) => trick.winner === seat);
    return html`<section key=${seat}>
      <h3>${seatName(view, seat)}: ${taken.length}</h3>
      ${taken.map(line)}
    </section>`;
  });
}

function Invite({ view }) {
  const links = linksOf(view.table);
  const own = location.hash;
  if (!links) {
    return html`<p>
      Whoever opened the table has the links of the others. Your own is the address of this page.
    </p>`;
  }
  const rows = [
    ...links.links.filter((link) => !link.you).map((link) => personRow(view, link)),
    ...(links.watch && links.watch !== own ? [["spectators", links.watch]] : []),
    ...(links.all && links.all !== own ? [["spectators who see all hands", links.all]] : []),
  ];
  return html`<p>Send each their link: who opens it sits down there.</p>
    <ul class="links">${rows.map(([who, link, here]) => html`<li>
      <span>${who} ${here !== undefined && html`<span class="chip">${here ? "here" : "awaited"}</span>`}</span>
      <${Copy} text=${absolute(link)} />
    </li>`)}</ul>`;
}

/** A person's name, link, and whether they have come: players keep their seats in the first deal. */
function personRow(view, { player, seat = player, name, link }) {
  const there = view.deal === 0 ? view.seats[seat] : view.seats.find((one) => one.name === name);
  return [there?.name || name || `player ${seat + 1}`, link, there?.here];
}

const absolute = (link) => `${location.origin}${location.pathname}${link}`;

/** A text to copy, shown as well, where copying is forbidden. */
function Copy({ text }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch {
      toast("Copying is not allowed here: select the text instead.", "error");
    }
  };
  const select = (event) => event.target.select();
  return html`<span class="copy">
    <input type="text" readonly value=${text} aria-label="link" onFocus=${select} />
    <${Button} look="compact" does=${copy}>Copy<//>
  </span>`;
}

function Keys() {
  return html`<table><tbody>
  <tr><th scope="row"><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd></th><td>walk along the hand, bids and buttons</td></tr>
  <tr><th scope="row"><kbd>Enter</kbd></th><td>play the card, press the button, choose</td></tr>
  <tr><th scope="row"><kbd>Tab</kbd></th><td>go from the hand to buttons and panels</td></tr>
  ${KEYS.map(([key, does]) => html`<tr><th scope="row"><kbd>${key.toUpperCase()}</kbd></th><td>${does}</td></tr>`)}
  <tr><th scope="row"><kbd>Esc</kbd></th><td>close what is open</td></tr>
</tbody></table>`;
}

function Transcript({ state }) {
  const { transcript } = state;
  if (!transcript) return null;
  const file = URL.createObjectURL(new Blob([transcript.text], { type: "text/plain" }));
  return html`<div class="stack">
    <p>As a file, to replay it in any of the programs:</p>
    <p><a class="button primary" href=${file} download=${transcript.name}>Download ${transcript.name}</a></p>
    <p>As a link, which opens the finished deal for looking back:</p>
    <${Copy} text=${absolute(transcript.link)} />
    <details><summary>The text</summary><pre class="transcript">${transcript.text}</pre></details>
  </div>`;
}

/** A new table at the position one looks at. */
function Branch({ state }) {
  const { position, hello } = state;
  const game = hello?.games.find((one) => one.game === position?.game);
  const [seats, choose] = useState(() => (game ? startSeats(game, position.turn ?? 0) : []));
  if (!game || !position) return null;
  const start = () => say("branch", { deal: position.deal, step: position.step, seats });
  return html`<div class="stack">
    <p>A new table begins at decision ${position.step + 1}, with the cards as they lie. Who plays on?</p>
    <${SeatChoices}
      ...${{ game, seats, choose }}
      parameters=${position.parameters}
      names=${position.seats.map((seat) => seat.name)}
    />
    <${Button} look="primary" does=${start}>Play on<//>
  </div>`;
}
