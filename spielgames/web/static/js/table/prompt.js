/** What is asked now, and the buttons that belong to it. */
import { html } from "../ui.js";
import { inDeck, marked, seatName } from "../text.js";
import { isMine } from "./moves.js";

/** @param {{view: import("../types.js").View}} props */
export function Prompt({ view, choose, chosen, queue, deck, onDone }) {
  if (view.over) return null;
  if (view.is === "position") return html`<${Chosen} view=${view} deck=${deck} />`;
  const mine = isMine(view);
  const words = mine ? sentence(inDeck(view.prompt, deck)) : waiting(view);
  return html`<div class="prompt" data-mine=${String(mine)}>
    <p>${words}</p>
    ${choose > 0 && !queue.length && html`<button
      type="button"
      class="button primary"
      disabled=${chosen.length !== choose}
      onClick=${onDone}
    >
      ${chosen.length === choose ? doneWords(view, deck) : `${chosen.length} of ${choose} chosen`}
    </button>`}
  </div>`;
}

const sentence = (words) => words && `${words[0].toUpperCase()}${words.slice(1)}`;

const waiting = (view) =>
  view.turn === null || view.turn < 0 ? sentence(view.prompt) : `${seatName(view, view.turn)} is to move`;

const doneWords = (view, deck) => sentence(inDeck(view.prompt, deck));

/** In a replay: what was chosen here. */
function Chosen({ view, deck }) {
  if (!view.played) return null;
  return html`<div class="prompt"><p>
    ${seatName(view, view.turn)} chose: <strong>${marked(view.played.name, deck)}</strong>
  </p></div>`;
}
