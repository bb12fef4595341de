/** The middle of the table: the trick, with who played what and who is winning. */
import { Card } from "../cards/card.js";
import { cardWords, seatName } from "../text.js";
import { classes, html } from "../ui.js";
import { seating } from "./moves.js";

/** @param {{view: import("../types.js").View, trick: import("../types.js").Trick, deck: string}} props */
export function Trick({ view, trick, deck, onClick }) {
  const places = new Map(seating(view).map(({ place, seat }) => [seat.seat, place]));
  return html`<ol
    class=${classes("trick", `seats-${view.seats.length}`)}
    aria-label=${trickWords(view, trick, deck)}
    onClick=${onClick}
  >
    ${trick.cards.map(({ seat, card }, i) => {
      const winning = trick.winner === seat;
      return html`<li
        key=${`${trick.number} ${seat}`}
        class=${classes("played", `at-${places.get(seat)}`, { winning })}
        style=${{ zIndex: i + 1 }}
      >
        <${Card} name=${card} />
        <span class="who">${winning && html`<b class="crown">★ </b>`}${seatName(view, seat)}</span>
      </li>`;
    })}
  </ol>`;
}

function trickWords(view, trick, deck) {
  if (!trick.cards.length) return "the trick: no card yet";
  const cards = trick.cards.map((c) => `${seatName(view, c.seat)} ${cardWords(c.card, deck)}`);
  const winner = trick.winner === null ? "" : `; ${seatName(view, trick.winner)} is winning`;
  return `trick ${trick.number}: ${cards.join(", ")}${winner}`;
}

/** A trick in a line of small cards. */
export function TrickLine({ view, trick, deck }) {
  return html`<div class="trick-line" aria-label=${trickWords(view, trick, deck)}>
    ${trick.cards.map(
      ({ seat, card }) => html`<figure class=${classes({ winning: seat === trick.winner })}>
        <${Card} name=${card} mini />
        <figcaption>${seat === trick.winner && "★ "}${seatName(view, seat)}</figcaption>
      </figure>`,
    )}
  </div>`;
}
