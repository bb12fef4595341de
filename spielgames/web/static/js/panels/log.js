/** The deal so far, in order: calls, then trick by trick. */
import { lookAt } from "./replay.js";
import { marked, seatName, verbOf } from "../text.js";
import { classes, html, useEffect, useRef } from "../ui.js";

/** The entries of the log, cut where a trick begins. */
function chapters(log) {
  const found = [];
  for (const entry of log) {
    const number = entry.kind === "play" ? entry.trick : 0;
    const last = found.at(-1);
    if (last && last.number === number) last.entries.push(entry);
    else found.push({ number, entries: [entry] });
  }
  return found;
}

/** Cards laid face down one after the other are said once. */
function counted(entries) {
  const told = [];
  for (const entry of entries) {
    const last = told.at(-1);
    const again = last && !entry.card && last.entry.seat === entry.seat && last.entry.word === entry.word;
    if (again) last.times += 1;
    else told.push({ entry, times: 1 });
  }
  return told;
}

/** @param {{view: import("../types.js").View}} props */
export function LogPanel({ view, deck }) {
  const end = useRef(null);
  useEffect(() => {
    const box = end.current?.closest(".panel-body");
    if (box) box.scrollTop = box.scrollHeight;
  }, [view.log.length]);
  if (!view.log.length) return html`<p class="muted small">Nothing has happened yet.</p>`;
  return html`<ol class="log">
    ${chapters(view.log).map((chapter, i) => html`<li key=${i} class="chapter">
      ${chapter.number > 0 && html`<span class="number muted" title="trick">${chapter.number}</span>`}
      <div class="entries">
        ${counted(chapter.entries).map(
          (told) => html`<${Line}
            ...${{ view, ...told, deck }}
            winner=${winnerOf(view, chapter.number)}
          />`,
        )}
      </div>
    </li>`)}
    <li ref=${end} class="hidden" />
  </ol>`;
}

const winnerOf = (view, number) => view.tricks.find((trick) => trick.number === number)?.winner;

function Line({ view, entry, times, deck, winner }) {
  const won = entry.kind === "play" && winner === entry.seat;
  const who = entry.seat === null ? "" : seatName(view, entry.seat);
  const words = marked(entry.word, deck);
  const verb = entry.card && entry.kind !== "play" ? verbOf(view, entry) : "";
  const look = view.over && view.can.review && entry.step !== null;
  const there = () => lookAt({ deal: view.deal, step: entry.step });
  return html`<span class=${classes("entry", { won })}>
    ${who && html`<span class="who">${won && html`<b aria-label="winner">★</b>`}${who}</span>`}
    ${verb && html`<span class="muted">${verb} </span>`}
    ${look
      ? html`<button type="button" class="link" title="look at this position" onClick=${there}>
          ${words}
        </button>`
      : html`<span>${words}</span>`}
    ${times > 1 && html`<span class="muted"> ×${times}</span>`}
  </span>`;
}
