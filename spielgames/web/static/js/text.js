/** Words for cards, numbers and what happened. */
import { SuitMark, parts } from "./cards/card.js";
import { suitWord } from "./cards/suits.js";
import { html } from "./ui.js";

const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack" };
const GERMAN_RANKS = { ...RANKS, Q: "ober", J: "unter" };

/** `ace of hearts`. */
export function cardWords(name, deck = "french") {
  const known = parts(name);
  if (!known) return "a hidden card";
  const { rank, suit } = known;
  if (!suit) return "the joker";
  const ranks = deck === "german" ? GERMAN_RANKS : RANKS;
  return `${ranks[rank] ?? rank} of ${suitWord(suit, deck)}`;
}

const FRENCH_WORDS = /\b(clubs?|diamonds?|spades?|queens?|jacks?)\b/g;
const AS_GERMAN = { club: "acorn", diamond: "bell", spade: "leaf", queen: "ober", jack: "unter" };
const PLURALS = { leafs: "leaves" };

/** The server's words, in the words of the deck that is drawn. */
export function inDeck(text, deck) {
  if (deck !== "german") return text;
  return text.replace(FRENCH_WORDS, (word) => {
    const many = word.endsWith("s") ? "s" : "";
    const other = AS_GERMAN[many ? word.slice(0, -1) : word] + many;
    return PLURALS[other] ?? other;
  });
}

/** `Q♣`, or the ♣ of a bid such as `110♣`. */
const CARD_OR_SUIT = /(?:(?<!\w)(10|[2-9AKQJ]))?([♣♦♥♠])/g;

/** A text for the ear: `Q♣` is the queen of clubs. */
export function spoken(text, deck) {
  const said = text.replace(CARD_OR_SUIT, (_, rank, suit) =>
    rank ? cardWords(rank + suit, deck) : ` ${suitWord(suit, deck)}`,
  );
  return inDeck(said.replace(/\bJk\b/g, "the joker"), deck);
}

/** A text for the eye: suits are drawn, in their colours. */
export function marked(text, deck = "french") {
  const shown = inDeck(text, deck);
  return shown.split(/((?:(?<!\w)(?:10|[2-9AKQJ]))?[♣♦♥♠])/).map((part) => {
    const suit = part.slice(-1);
    if (!part || !"♣♦♥♠".includes(suit)) return part;
    const rank = part.slice(0, -1);
    const letter = deck === "german" ? ({ Q: "O", J: "U" }[rank] ?? rank) : rank;
    return html`<span class="card-word" aria-label=${spoken(part, deck)}>
      ${letter}<${SuitMark} suit=${suit} />
    </span>`;
  });
}

/** A number with its sign, as short as its size allows: `+1.25`, `−13`. */
export function signed(x, digits) {
  if (x === null || x === undefined) return "–";
  const places = digits ?? (Math.abs(x) >= 100 ? 0 : Math.abs(x) >= 10 ? 1 : 2);
  const size = Math.abs(x).toFixed(places);
  return (Number(size) === 0 ? "" : x < 0 ? "−" : "+") + size;
}

export const percent = (p) =>
  p === null || p === undefined ? "–" : p > 0 && p < 0.005 ? "<1 %" : `${Math.round(100 * p)} %`;

/** Half the width of a 95 % interval. */
export const margin = (v) =>
  v.low === null || v.high === null ? null : (v.high - v.low) / 2;

/** @param {import("./types.js").View} view */
export function seatName(view, seat) {
  if (seat === null || seat === undefined) return "";
  return seat === view.you ? "You" : (view.seats[seat]?.name ?? `Seat ${seat}`);
}

const OWN_VERBS = { wins: "win", has: "have", takes: "take", plays: "play" };

/** The server's words about seats, with names: `seat 1 wins 3` is `Rosa wins 3`. */
export function named(view, text) {
  return text.replace(/\b([Ss])eat (\d)\b( \w+)?/g, (_, s, seat, verb = "") => {
    if (Number(seat) !== view.you) return seatName(view, Number(seat)) + verb;
    const word = verb.trim();
    return `${s === "S" ? "You" : "you"}${verb && ` ${OWN_VERBS[word] ?? word}`}`;
  });
}

const VERBS = {
  play: ["play", "plays"],
  pass_card: ["pass on", "passes on"],
  bury: ["bury", "buries"],
  lay: ["lay", "lays"],
};

/** What a seat did with a card: `passes on`; nothing for other deeds. */
export const verbOf = (view, entry) => VERBS[entry.kind]?.[entry.seat === view.you ? 0 : 1] ?? "";

/** What happened, in a sentence: `Rosa plays the queen of clubs.` */
export function happened(view, entry, deck) {
  const what = entry.card ? cardWords(entry.card, deck) : spoken(entry.word, deck);
  if (entry.seat === null) return `${what}.`;
  const verb = verbOf(view, entry);
  const did = verb ? ` ${verb}` : ":";
  return `${seatName(view, entry.seat)}${did} ${what}.`;
}
