/** The talon, the blind and other cards in the middle that nobody holds. */
import { Card } from "../cards/card.js";
import { when } from "../controls.js";
import { cardWords } from "../text.js";
import { classes, html } from "../ui.js";

const MOST = 5; // cards of a stack that are drawn

/** @param {{view: import("../types.js").View, deck: string}} props */
export function Piles({ view, deck }) {
  const piles = view.piles.filter((pile) => pile.count > 0);
  if (!piles.length) return null;
  const closed = view.contract.includes("closed");
  const talon = piles.find((pile) => pile.name === "talon");
  const upcard = piles.find((pile) => pile.name === "upcard");
  const others = piles.filter((pile) => pile !== upcard && pile !== talon);
  return html`<div class="piles">
    ${(talon || upcard) && html`<${Talon} talon=${talon} upcard=${upcard} closed=${closed} deck=${deck} />`}
    ${others.map((pile) => html`<${Pile} key=${pile.name} pile=${pile} deck=${deck} />`)}
  </div>`;
}

/** The stack with the upcard half under it; a closed talon has the upcard on top, face down. */
function Talon({ talon, upcard, closed, deck }) {
  const count = (talon?.count ?? 0) + (upcard?.count ?? 0);
  const shown = upcard?.cards?.[0];
  const name = closed ? "closed talon" : "talon";
  const words = `${name}: ${count} cards${when(shown, `, upcard ${cardWords(shown, deck)}`)}`;
  return html`<figure class=${classes("pile talon", { closed })} role="img" aria-label=${words}>
    <div class="layers">
      ${upcard && html`<${Card} name=${closed ? null : shown} class="upcard" />`}
      ${stack(talon?.count ?? 0)}
    </div>
    <figcaption>${closed ? "closed" : "talon"} · ${count}</figcaption>
  </figure>`;
}

const stack = (count) =>
  Array.from({ length: Math.min(count, MOST) }, (_, i) =>
    html`<${Card} class="layer" style=${{ "--i": i }} />`);

function Pile({ pile, deck }) {
  const known = pile.cards.filter(Boolean);
  const words = known.map((card) => cardWords(card, deck)).join(", ");
  const drawn = known.length
    ? html`<div class="open">${pile.cards.map((card) => html`<${Card} name=${card} mini />`)}</div>`
    : html`<div class="layers">${stack(pile.count)}</div>`;
  return html`<figure class="pile" role="img" aria-label=${`${pile.name}: ${words || `${pile.count} cards`}`}>
    ${drawn}<figcaption>${pile.name} · ${pile.count}</figcaption>
  </figure>`;
}
