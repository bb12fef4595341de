/** The others at the table: who they are, what they hold, what they said. */
import { Card } from "../cards/card.js";
import { marked, seatName, signed } from "../text.js";
import { classes, html } from "../ui.js";

const MOST_BACKS = 13;
const SILENT = new Set(["play", "pass_card", "bury", "lay", "draw", "deal"]);
const ALOUD = { close: "I close!", exchange: "I exchange.", pick: "I pick." };
const LASTS = 2; // cards until a word has faded

/** The last thing a seat said aloud, for a while: cards speak for themselves.
 * @param {import("../types.js").View} view */
export function bubble(view, seat) {
  const { log } = view;
  const by = (entry) => entry.seat === seat.seat && entry.step !== null;
  const at = log.findLastIndex((entry) => by(entry) && !SILENT.has(entry.kind));
  if (at < 0 || log.slice(at).filter((entry) => entry.kind === "play").length > LASTS) return "";
  const latest = !log.slice(at + 1).some(by);
  return latest && seat.said ? seat.said : (ALOUD[log[at].kind] ?? log[at].word);
}

/** @param {{view: import("../types.js").View, seat: import("../types.js").Seat}} props */
export function Seat({ view, seat, place, deck }) {
  const turn = view.turn === seat.seat && !view.over;
  return html`<section
    class=${classes("seat", `seat-${place}`, { turn, away: !seat.here })}
    aria-label=${seatName(view, seat.seat)}
  >
    <${Plate} view=${view} seat=${seat} turn=${turn} />
    ${place !== "bottom" && html`<${Fan} seat=${seat} />`}
    <${Bubble} text=${bubble(view, seat)} deck=${deck} />
  </section>`;
}

export const Bubble = ({ text, deck }) =>
  text ? html`<p class="bubble" key=${text}>${marked(text, deck)}</p>` : null;

/** A seat's name, role and counts. */
export function Plate({ view, seat, turn }) {
  const partner = isPartner(view, seat);
  return html`<div class="plate">
    <div class="name">
      ${turn && html`<span class="turn-mark" title="to move">▸</span>`}
      <strong>${seatName(view, seat.seat)}</strong>
      ${turn && view.thinking && html`<span class="dots" aria-label="thinking"><i /><i /><i /></span>`}
      ${!seat.here && html`<span class="small muted">not here</span>`}
    </div>
    <div class="facts">
      ${seat.role && html`<span class="chip role">${seat.role}</span>`}
      ${partner && !seat.role && html`<span class="chip">partner</span>`}
      ${seat.level && seat.kind === "agent" && html`<span class="muted level">${seat.level}</span>`}
      <span class="count-in-plate muted">${seat.cards} cards</span>
      <${Counts} view=${view} seat=${seat} />
    </div>
  </div>`;
}

function isPartner(view, seat) {
  if (view.you === null || seat.seat === view.you || seat.team === null) return false;
  const teams = new Set(view.seats.map((other) => other.team));
  return teams.size < view.seats.length && seat.team === view.seats[view.you].team;
}

const worthSaying = ([what, n]) => n !== 0 || what === "points" || what === "tricks";
const unit = (what, n) => (n === 1 ? what.replace(/s$/, "") : what);
const total = (x) => signed(x, Number.isInteger(x) ? 0 : 1).replace("+", "");

const Counts = ({ view, seat }) => html`<span class="counts">
  ${Object.entries(seat.counts)
    .filter(worthSaying)
    .map(([what, n]) => html`<span>${n} <span class="muted">${unit(what, n)}</span></span>`)}
  ${view.match && html`<span class="total" title="in the match">Σ ${total(seat.total)}</span>`}
</span>`;

/** The cards of another hand: backs, or faces where they are known. */
export function Fan({ seat }) {
  const faces = seat.hand.filter(Boolean);
  const backs = Math.min(seat.hand.length - faces.length, MOST_BACKS);
  const label = faces.length ? undefined : `${seat.cards} cards`;
  return html`<div class=${classes("fan", { known: faces.length })} aria-label=${label}>
    ${faces.map((card) => html`<span class="slot open" key=${card}><${Card} name=${card} mini /></span>`)}
    ${Array.from({ length: backs }, (_, i) => html`<span class="slot" key=${i}><${Card} mini /></span>`)}
    ${backs > 0 && html`<span class="count muted">${seat.cards}</span>`}
  </div>`;
}
