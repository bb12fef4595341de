/** The line above the table: game, contract and trump, always in view; and the ways elsewhere. */
import { SuitMark } from "../cards/card.js";
import { suitWord } from "../cards/suits.js";
import { leave, say } from "../client.js";
import { Button } from "../controls.js";
import { set } from "../store.js";
import { marked, named } from "../text.js";
import { html } from "../ui.js";

/** @param {{view: import("../types.js").View}} props */
export function Top({ view, deck }) {
  return html`<header class="top">
    <${Small} does=${leave} title="leave the table (Q)" aria-label="leave the table">←<//>
    <div class="title">
      <strong>${view.title}</strong><span class="muted small">${dealWords(view)}</span>
    </div>
    <${State} view=${view} deck=${deck} />
    <${Ways} view=${view} />
  </header>`;
}

function dealWords({ number, match, over }) {
  if (!match) return `deal ${number}`;
  return `deal ${number} · match to ${match.goal ?? "the end"}, deal ${match.deals + (over ? 0 : 1)}`;
}

const Small = (props) => html`<${Button} look="compact plain" ...${props} />`;

function Ways({ view }) {
  const { can } = view;
  const ask = (what) => () => say(what, { at: view.at });
  const show = (dialog) => () => set({ dialog });
  return html`<nav class="row push" aria-label="table">
    ${can.undo && html`<${Small} does=${ask("undo")} title="take back (U)">Undo<//>`}
    ${can.claim && html`<${Small} does=${ask("claim")} title="the rest is decided (C)">Claim<//>`}
    <${Small} does=${show("last")} title="last trick (L)" disabled=${!view.last_trick}>
      Last trick
    <//>
    <${Small} does=${show("invite")} title="links for others">Invite<//>
    <a class="button compact plain" href=${`#rules=${view.game}`}>Rules</a>
    <${Small} does=${show("settings")} title="settings (S)" aria-label="settings">⚙<//>
    <${Button} look="compact plain keys" does=${show("keys")} title="keys (?)" aria-label="keys">?<//>
  </nav>`;
}

/** Trump, contract, and what else the game counts. */
function State({ view, deck }) {
  const { trump, contract, facts } = view;
  if (!trump && !contract && !facts.length) return null;
  return html`<div class="state" aria-label="contract">
    ${trump &&
    html`<span class="chip strong">
      trump <${SuitMark} suit=${trump} /> <span class="trump-word">${suitWord(trump, deck)}</span>
    </span>`}
    ${contract && html`<span class="chip strong">${marked(contract, deck)}</span>`}
    ${facts.map(
      ([what, value]) => html`<span class="chip">
        <span class="muted">${what}</span> <span>${marked(named(view, String(value)), deck)}</span>
      </span>`,
    )}
  </div>`;
}
