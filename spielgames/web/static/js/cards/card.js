/** Cards, drawn: faces, backs, and the small ones of other hands. */
import { classes, createContext, html, useContext } from "../ui.js";
import { figure } from "./figures.js";
import { Pip, Rank, SUITS } from "./suits.js";

/** Which deck is drawn: `french` or `german`. */
export const Deck = createContext("french");

const LEFT = 36;
const RIGHT = 64;
const ROWS = { top: 28, upper: 56, middle: 70, lower: 84, bottom: 112 };
/** Where the pips of number cards lie, as on cards everywhere: [x, y] in a card of 100 × 140. */
const columns = (...rows) => rows.flatMap((y) => [[LEFT, y], [RIGHT, y]]);
const { top, upper, middle, lower, bottom } = ROWS;
const LAYOUTS = {
  2: [[50, top], [50, bottom]],
  3: [[50, top], [50, middle], [50, bottom]],
  4: columns(top, bottom),
  5: [...columns(top, bottom), [50, middle]],
  6: columns(top, middle, bottom),
  7: [...columns(top, middle, bottom), [50, 49]],
  8: [...columns(top, middle, bottom), [50, 49], [50, 91]],
  9: [...columns(top, upper, lower, bottom), [50, middle]],
  10: [...columns(top, upper, lower, bottom), [50, 42], [50, 98]],
};

const NAME = /^(10|[2-9AKQJ])([♣♦♥♠])$/;

/** The parts of a card's name: `10♥` is `{rank: "10", suit: "♥"}`; the joker has no suit. Other
 * words, such as those for a card that lies face down, are no card: null. */
export function parts(name) {
  const [, rank, suit] = NAME.exec(name ?? "") ?? [];
  if (suit) return { rank, suit };
  return name === "Jk" ? { rank: "Jk", suit: null } : null;
}

/** The German decks' ober and unter stand for queen and jack. */
export const rankOn = (rank, deck) =>
  deck === "german" ? ({ Q: "O", J: "U" }[rank] ?? rank) : rank;

const index = (rank, suit, deck) => html`
  <${Rank} rank=${rankOn(rank, deck)} x=${13.5} y=${8} height=${21} />
  ${suit && html`<${Pip} suit=${suit} deck=${deck} x=${13.5} y=${42} size=${17} />`}
`;

function picture(rank, suit, deck) {
  if (LAYOUTS[rank]) {
    return LAYOUTS[rank].map(
      ([x, y]) =>
        html`<${Pip} suit=${suit} deck=${deck} x=${x} y=${y} size=${18} turned=${y > 70} />`,
    );
  }
  if (rank === "A") return html`<${Pip} suit=${suit} deck=${deck} x=${50} y=${70} size=${44} />`;
  return figure(rank, suit, deck);
}

const turned = (drawing) => html`${drawing}<g transform="rotate(180 50 70)">${drawing}</g>`;

const face = (rank, suit, deck) => html`<svg class="face" viewBox="0 0 100 140" aria-hidden="true">
  <g class="picture">${picture(rank, suit, deck)}</g>
  ${turned(index(rank, suit, deck))}
</svg>`;

const small = (rank, suit, deck) => html`<svg class="face" viewBox="0 0 40 56" aria-hidden="true">
  <${Rank} rank=${rankOn(rank, deck)} x=${20} y=${suit ? 6 : 16} height=${20} />
  ${suit && html`<${Pip} suit=${suit} deck=${deck} x=${20} y=${41} size=${19} />`}
</svg>`;

const back = html`<svg class="face" viewBox="0 0 100 140" aria-hidden="true">
  <rect class="weave" x="7" y="7" width="86" height="126" rx="5" />
  <path class="weave-line" d="M50 24 82 70 50 116 18 70ZM50 42 70 70 50 98 30 70ZM7 70H18M82 70H93M50 7V24M50 116V133" />
  <circle class="weave-line" cx="50" cy="70" r="9" />
</svg>`;

/** The class that colours a suit, as the deck and the reader's choice of four colours have it. */
export const tint = (suit) => (suit ? `tint-${SUITS.indexOf(suit)}` : "tint-joker");

/** A card; without a known name, its back. `mini` leaves out all but the index. */
export function Card({ name, mini = false, ...rest }) {
  const deck = useContext(Deck);
  const { class: more, ...others } = rest;
  const known = parts(name);
  if (!known) return html`<span class=${classes("card back", { mini }, more)} ...${others}>${back}</span>`;
  const { rank, suit } = known;
  const drawing = (mini ? small : face)(rank, suit, deck);
  return html`<span class=${classes("card", deck, tint(suit), { mini }, more)} ...${others}>
    ${drawing}
  </span>`;
}

/** A suit's mark in a line of text. */
export function SuitMark({ suit }) {
  const deck = useContext(Deck);
  return html`<svg class=${classes("suit-mark", deck, tint(suit))} viewBox="0 0 100 100" aria-hidden="true">
    <${Pip} suit=${suit} deck=${deck} x=${50} y=${50} size=${96} />
  </svg>`;
}
