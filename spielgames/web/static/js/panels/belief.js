/** What can be known: the probability of every unseen card in every place. */
import { say } from "../client.js";
import { Choice } from "../controls.js";
import { prefer, preferences } from "../preferences.js";
import { set, state } from "../store.js";
import { cardWords, marked, percent, seatName } from "../text.js";
import { classes, html, useEffect } from "../ui.js";

export function askBelief() {
  const { position } = state;
  const place = position ? { deal: position.deal, step: position.step } : {};
  say("belief", { ...place, assume: assumed(position ?? state.view) });
}

/** Whether the seat that looks has a choice: only then can be said what the others' play tells. */
const mayAssume = (view) => {
  return view.turn !== null && view.turn === (view.you ?? view.turn) && view.actions.length > 1;
};
const assumed = (view) => (mayAssume(view) ? preferences.assume : "nothing");

const ASSUMED = {
  nothing: "nothing about the others' play",
  rules: "that they play by rules of thumb",
};

function pick(assume) {
  prefer({ assume });
  set({ belief: null });
  askBelief();
}

/** @param {{state: object, view: import("../types.js").View}} props */
export function BeliefPanel({ state: now, view, deck }) {
  const can = view.can.belief;
  useEffect(() => {
    if (can && now.connection === "open") askBelief();
  }, [view.at, view.step, view.is, can, now.connection]);
  const { belief } = now;
  if (!can) return html`<p class="muted small">There is nothing left to guess here.</p>`;
  if (!belief) return html`<p class="muted small">Counting worlds …</p>`;
  const place = (name) => {
    const seat = /^seat (\d+)$/.exec(name);
    return seat ? seatName(view, Number(seat[1])) : name;
  };
  const viewer = belief.seat === view.you ? "you see" : `${seatName(view, belief.seat)} sees`;
  return html`<div class="stack">
    <p class="small muted">
      Where the unseen cards may be, as ${viewer} it (${belief.worlds} worlds).
    </p>
    <${Choice} label="It assumes" value=${assumed(view)} options=${ASSUMED} onPick=${pick}
      disabled=${!mayAssume(view)} />
    ${!mayAssume(view) && html`<p class="small muted">Their play is weighed when you have a choice to make.</p>`}
    <div class="scroll"><table class="belief">
      <thead><tr><th>card</th>${belief.places.map((name) => html`<th class="number">${place(name)}</th>`)}</tr></thead>
      <tbody>
        ${belief.cards.map(({ card, chances }) => html`<tr key=${card}>
          <th scope="row" aria-label=${cardWords(card, deck)}>${marked(card, deck)}</th>
          ${chances.map((p, i) => html`<td
            class=${classes("number", { truth: belief.truth?.[card] === belief.places[i], sure: p === 1, no: p === 0 })}
            style=${{ "--p": p }}
            title=${belief.truth?.[card] === belief.places[i] ? "it is here" : undefined}
          >${p === 0 ? "·" : percent(p)}</td>`)}
        </tr>`)}
      </tbody>
    </table></div>
  </div>`;
}
