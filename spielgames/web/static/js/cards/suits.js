/** The shapes of suits, each in a box of 100 × 100, and of ranks, in boxes 28 high: own drawings. */
import { html } from "../ui.js";

export const SUITS = ["♣", "♦", "♥", "♠"];
const WORDS = { "♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades" };
const GERMAN_WORDS = { "♣": "acorns", "♦": "bells", "♥": "hearts", "♠": "leaves" };

/** @param {string} suit @param {string} deck `french` or `german` */
export const suitWord = (suit, deck) => (deck === "german" ? GERMAN_WORDS : WORDS)[suit] ?? suit;

const HEART =
  "M50 92C20 67 5 50 5 32 5 18 16 9 28 9 38 9 46 15 50 25 54 15 62 9 72 9 84 9 95 18 95 32 95 50 80 67 50 92Z";
const SPADE =
  "M50 5C62 28 94 42 94 65 94 78 84 86 74 86 66 86 58 82 54 75 55 85 59 92 66 96H34C41 92 45 85 46 75 42 82 34 86 26 86 16 86 6 78 6 65 6 42 38 28 50 5Z";
const DIAMOND = "M50 3C58 22 71 39 87 50 71 61 58 78 50 97 42 78 29 61 13 50 29 39 42 22 50 3Z";
const LEAF =
  "M50 3C63 24 93 32 93 57 93 72 80 81 67 79 59 78 53 74 50 69 47 74 41 78 33 79 20 81 7 72 7 57 7 32 37 24 50 3Z";

const FRENCH = {
  "♣": html`<circle cx="50" cy="27" r="21" /><circle cx="26" cy="60" r="21" />
    <circle cx="74" cy="60" r="21" /><path d="M50 40C53 74 56 90 66 96H34C44 90 47 74 50 40Z" />
    <path d="M38 40H62L60 66H40Z" />`,
  "♦": html`<path d=${DIAMOND} />`,
  "♥": html`<path d=${HEART} />`,
  "♠": html`<path d=${SPADE} />`,
};

const GERMAN = {
  "♣": html`<path class="sprite-nut" d="M24 44C22 70 38 86 50 97 62 86 78 70 76 44Z" />
    <path d="M14 48C12 26 30 15 50 15 70 15 88 26 86 48 86 52 80 54 74 50 66 55 58 55 50 50 42 55 34 55 26 50 20 54 14 52 14 48Z" />
    <path class="sprite-stroke" d="M50 16C50 10 53 6 59 4" /><path class="sprite-shine" d="M38 64C40 74 44 80 48 84" />`,
  "♦": html`<circle class="sprite-brass" cx="50" cy="54" r="40" /><path class="sprite-stroke" d="M42 15A8 8 0 1 1 58 15" />
    <path d="M11 48H89A40 40 0 0 1 89 60H11A40 40 0 0 1 11 48Z" />
    <circle cx="50" cy="74" r="7" /><path class="sprite-stroke" d="M50 80V94" /><path class="sprite-shine" d="M26 38C30 30 37 25 44 24" />`,
  "♥": html`<path d=${HEART} /><path class="sprite-shine" d="M18 34C18 26 23 21 29 21" />`,
  "♠": html`<path d=${LEAF} /><path class="sprite-stroke" d="M50 66C50 80 51 90 57 97" />
    <path class="sprite-shine" d="M50 18V66M50 48L70 37M50 48L30 37M50 62L74 55M50 62L26 55" />`,
};

const RANKS = {
  A: [20, "M2 26 10 2 18 26M5.2 18H14.8"],
  K: [20, "M4 2V26M17 2 4.5 16M9.5 11.5 18 26"],
  Q: [20, "M10 2C15 2 18 7 18 14S15 26 10 26 2 21 2 14 5 2 10 2ZM12 19.5 18.5 27"],
  O: [20, "M10 2C15 2 18 7 18 14S15 26 10 26 2 21 2 14 5 2 10 2Z"],
  U: [20, "M3 2V17C3 23 6 26 10 26S17 23 17 17V2"],
  J: [18, "M8 2H14V19C14 24 11.5 26 8 26 4.5 26 2 23.5 2 19.5"],
  10: [27, "M3 6 7 2V26M19.5 2C23 2 25 6 25 14S23 26 19.5 26 14 22 14 14 16 2 19.5 2Z"],
  9: [20, "M5.5 26C12 23 17 17 17 10M17 9.500A7.25 7.5 0 1 1 2.5 9.5 7.25 7.5 0 1 1 17 9.500Z"],
  8: [20, "M10 2A6 5.5 0 0 1 10 13 6 5.5 0 0 1 10 2ZM10 13A7.3 6.5 0 0 1 10 26 7.3 6.5 0 0 1 10 13Z"],
  7: [20, "M2.5 2H17.500L8 26"],
  6: [20, "M14.5 2C8 5 3 11 3 18M17.5 18.500A7.25 7.5 0 1 1 3 18.5 7.25 7.5 0 1 1 17.5 18.500Z"],
  5: [20, "M16 2H5L4 12.500C5.5 11 7.5 10 10 10 14.5 10 17.5 13 17.5 18S14 26 9.5 26C6 26 3.5 24.5 2.5 22"],
  4: [20, "M13.5 26V2L2 19H18"],
  3: [20, "M3 2H16.500L9 11C14 11 17.5 14 17.5 18.500S14 26 9.5 26C6 26 3.5 24.5 2.5 21.5"],
  2: [20, "M3 8C3 4 6 2 10 2S17 4 17 8.500C17 14 4 19 3 26H17.5"],
};
const STAR = "M11 1 14 9.5 22 10 15.7 15.5 18 24 11 19 4 24 6.3 15.5 0 10 8 9.500Z";

const shapeId = (deck, suit) => `${deck}-${SUITS.indexOf(suit)}`;

const symbols = (deck, shapes) =>
  SUITS.map(
    (suit) => html`<symbol id=${shapeId(deck, suit)} viewBox="0 0 100 100">${shapes[suit]}</symbol>`,
  );

/** All shapes, drawn once, out of sight; `Suit` and cards refer to them. */
export const Sprite = () =>
  html`<svg class="sprite" aria-hidden="true">${symbols("french", FRENCH)}${symbols("german", GERMAN)}</svg>`;

/** A suit's mark at a place of a drawing, `size` wide, with its middle at (x, y). */
export const Pip = ({ suit, deck, x, y, size, turned = false }) =>
  html`<use
    href=${`#${shapeId(deck, suit)}`}
    x=${x - size / 2}
    y=${y - size / 2}
    width=${size}
    height=${size}
    transform=${turned ? `rotate(180 ${x} ${y})` : undefined}
  />`;

/** A rank's letters, `height` high, with its top in the middle at (x, y). */
export function Rank({ rank, x, y, height }) {
  const scale = height / 28;
  if (rank === "Jk") {
    const place = `translate(${x - 11 * scale} ${y}) scale(${scale})`;
    return html`<path class="star" d=${STAR} transform=${place} />`;
  }
  const [width, path] = RANKS[rank] ?? RANKS[2];
  return html`<path
    class="rank"
    d=${path}
    transform=${`translate(${x - (width * scale) / 2} ${y}) scale(${scale})`}
  />`;
}
