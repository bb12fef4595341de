/** The line above the table: game, contract and trump, always in view; and the ways elsewhere. */
import { SuitMark } from "../cards/card.js";
import { suitWord } from "../cards/suits.js";
import { leave, say } from "../client.js";
import { set } from "../store.js";
import { marked, named } from "../text.js";
import { html } from "../ui.js";

/** @param {{view: import("../types.js").View}} props */
export function Top({ view, deck }) {
  const { can } = view;
  const at = { at: view.at };
  return html`<header class="top">
    <button type="button" class="button plain compact" onClick=${leave} aria-label="leave the table" title="leave the table (Q)">←</button>
    <div class="title"><strong>${view.title}</strong><span class="muted small">deal ${view.number}${view.match ? ` · match to ${view.match.goal ?? "the end"}, deal ${view.match.deals + (view.over ? 0 : 1)}` : ""}</span></div>
    <${State} view=${view} deck=${deck} />
    <nav class="row push" aria-label="table">
      ${can.undo && html`<${Small} does=${() => say("undo", at)} title="take back (U)">Undo<//>`}
      ${can.claim && html`<${Small} does=${() => say("claim", at)} title="the rest is decided (C)">Claim<//>`}
      <${Small} does=${() => set({ dialog: "last" })} title="last trick (L)" off=${!view.last_trick}>Last trick<//>
      <${Small} does=${() => set({ dialog: "invite" })} title="links for others">Invite<//>
      <a class="button compact plain" href=${`#rules=${view.game}`}>Rules</a>
      <${Small} does=${() => set({ dialog: "settings" })} title="settings (S)" label="settings">⚙<//>
      <${Small} does=${() => set({ dialog: "keys" })} title="keys (?)" label="keys">?<//>
    </nav>
  </header>`;
}

const Small = ({ does, title, label, off = false, children }) => html`<button
  type="button" class="button compact plain" title=${title} aria-label=${label} disabled=${off} onClick=${does}
>${children}</button>`;

/** Trump, contract, and what else the game counts. */
function State({ view, deck }) {
  const { trump, contract, facts } = view;
  if (!trump && !contract && !facts.length) return null;
  return html`<div class="state" aria-label="contract">
    ${trump && html`<span class="chip strong">trump <${SuitMark} suit=${trump} /> <span class="trump-word">${suitWord(trump, deck)}</span></span>`}
    ${contract && html`<span class="chip strong">${marked(contract, deck)}</span>`}
    ${facts.map(([what, value]) => html`<span class="chip"><span class="muted">${what}</span> ${marked(named(view, String(value)), deck)}</span>`)}
  </div>`;
}
