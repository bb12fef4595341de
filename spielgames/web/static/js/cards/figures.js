/** Kings, queens and jacks (ober and unter), and the joker: own drawings, the same upside down. */
import { html } from "../ui.js";
import { Pip } from "./suits.js";

const head = html`
  <path class="hair" d="M39 40C37 28 42 25 50 25 58 25 63 28 61 40L59 45H41Z" />
  <ellipse class="skin" cx="50" cy="38" rx="8.5" ry="10" />
  <path class="line" d="M46 36.5V37.5M54 36.5V37.5M50 37.5 49.3 41H50.7M47.5 44.3C49 45.2 51 45.2 52.5 44.3" />
`;

const robe = html`
  <path class="robe" d="M24 70C24 57 34 51 43 49L50 54 57 49C66 51 76 57 76 70Z" />
  <path class="trim" d="M43 49 50 70 57 49 54.5 47.5H45.5ZM24 70C24 66 25 63 26.5 60.5L32 70ZM76 70C76 66 75 63 73.5 60.5L68 70Z" />
`;

const HATS = {
  K: html`<path class="gold" d="M38 29 36 16 43 22 50 12 57 22 64 16 62 29Z" />
    <path class="line" d="M38.5 26H61.5" /><circle class="jewel" cx="50" cy="21" r="2" />
    <path class="hair" d="M42 41C42 52 46 55 50 55S58 52 58 41C56 45.5 53 46 50 46S44 45.5 42 41Z" />`,
  Q: html`<path class="hair" d="M40 34C35 42 36 52 40 55L43 49V36ZM60 34C65 42 64 52 60 55L57 49V36Z" />
    <path class="gold" d="M39 29C37 21 41 19 44.5 23 45 17 55 17 55.5 23 59 19 63 21 61 29 54 26.5 46 26.5 39 29Z" />
    <circle class="jewel" cx="50" cy="16" r="2.5" />`,
  J: html`<path class="robe" d="M37 30C36 19 43 16 50 16S64 19 63 30C55 26 45 26 37 30Z" />
    <path class="gold" d="M60 24C69 21 71 14 67 9 62 11 59 17 60 24Z" />
    <path class="line" d="M61 22C64 19 66 15 66.5 11" />`,
};
HATS.O = html`<path class="robe" d="M35 29C36 23 42 22 43 15H57C58 22 64 23 65 29 55 26 45 26 35 29Z" />
  <path class="gold" d="M42 20H58L59 24H41Z" />`;
HATS.U = HATS.J;

const jester = html`
  <path class="robe" d="M38 34C28 32 22 22 26 14 32 20 38 22 42 24 44 18 47 12 50 9 53 12 56 18 58 24 62 22 68 20 74 14 78 22 72 32 62 34Z" />
  <circle class="gold" cx="26" cy="13" r="3.5" /><circle class="gold" cx="50" cy="8" r="3.5" />
  <circle class="gold" cx="74" cy="13" r="3.5" />
`;

/** An ober's mark is up by the hat, an unter's down at the belt, as on German cards. */
const MARKS = { O: [31, 22, 13], U: [31, 61, 13], default: [32, 24, 14] };

/** The picture of a court card or of the joker, with both halves. */
export function figure(rank, suit, deck) {
  const shown = deck === "german" ? ({ Q: "O", J: "U" }[rank] ?? rank) : rank;
  const [x, y, size] = MARKS[shown] ?? MARKS.default;
  const half = html`<g>
    ${robe}${head}${HATS[shown] ?? jester}
    ${suit && html`<${Pip} suit=${suit} deck=${deck} x=${x} y=${y} size=${size} />`}
  </g>`;
  return html`<rect class="frame" x="23" y="6" width="54" height="128" rx="5" />
    ${half}<g transform="rotate(180 50 70)">${half}</g><path class="line belt" d="M24 70H76" />`;
}
