/** What happened, said to those who listen instead of looking. */
import { happened, inDeck, named, seatName, spoken } from "../text.js";
import { html, useEffect, useState } from "../ui.js";
import { isMine } from "./moves.js";

/** The news of a view, in sentences. @param {import("../types.js").View} view */
export function news(view, deck) {
  if (view.is === "position") return chosenThere(view, deck);
  const fresh = view.log.slice(view.fresh).map((entry) => happened(view, entry, deck));
  const tricks = new Set(view.log.slice(view.fresh).map((entry) => entry.trick));
  const takes = (seat) => `${seatName(view, seat)} ${seat === view.you ? "take" : "takes"}`;
  const won = view.tricks
    .filter((trick) => tricks.has(trick.number))
    .map((trick) => `${takes(trick.winner)} trick ${trick.number}.`);
  const ending = view.over && view.result ? [spoken(named(view, view.result.words), deck)] : [];
  const prompt = isMine(view) ? [`Your turn: ${inDeck(view.prompt, deck)}.`] : [];
  return [...fresh, ...won, ...ending, ...prompt].join(" ");
}

/** Of a position one looks back at: where it is in the deal, and what was done. */
function chosenThere(view, deck) {
  if (!view.played) return "The end of the deal.";
  const what = spoken(view.played.label, deck);
  return `Decision ${view.step + 1} of ${view.steps}. ${seatName(view, view.turn)}: ${what}.`;
}

/** A line that screen readers read whenever it changes. */
export function Live({ view, deck }) {
  const [words, say] = useState("");
  useEffect(() => say(news(view, deck)), [view.at, view.step, view.is]);
  useEffect(() => {
    document.title = `${isMine(view) ? "▸ " : ""}${view.title}, deal ${view.number}`;
  });
  return html`<p class="hidden" aria-live="polite" data-test="live">${words}</p>`;
}
