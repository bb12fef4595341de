/** What one may do now, sorted into cards of the hand and everything else. */
const CARD_KINDS = new Set(["play", "pass_card", "bury", "lay"]);

/** The actions that play a card of one's hand, by the card.
 * @param {import("../types.js").View} view
 * @returns {Map<string, import("../types.js").Action>} */
export function handCardsOf(view, held = view.hand.flat()) {
  const hand = new Set(held);
  const cards = view.actions.filter((a) => CARD_KINDS.has(a.kind) && hand.has(a.card));
  return new Map(cards.map((action) => [action.card, action]));
}

/** The other actions: calls, bids, declarations.
 * @param {import("../types.js").View} view */
export function callsOf(view, held) {
  const cards = new Set(handCardsOf(view, held).values());
  return view.actions.filter((action) => !cards.has(action) && !CARD_KINDS.has(action.kind));
}

/** How many cards are chosen together, before any is sent: three to pass, two to bury.
 * @param {import("../types.js").View} view */
export function choosing(view) {
  const kind = [...handCardsOf(view).values()][0]?.kind;
  return kind === "pass_card" || kind === "bury" ? view.choose : 0;
}

/** Whether it is this person's turn. @param {import("../types.js").View} view */
export const isMine = (view) => view.you !== null && view.turn === view.you && !view.over;

/** The seats from the bottom one on, clockwise, each with the side of the table it sits at. */
export function seating(view) {
  const n = view.seats.length;
  const places = PLACES[n] ?? PLACES[4];
  return places.map((place, i) => ({ place, seat: view.seats[(view.bottom + i) % n] }));
}

const PLACES = {
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
  6: ["bottom", "left", "top-left", "top", "top-right", "right"],
};
