/** A finished deal as a line of decisions: going along it, its mistakes, playing on from there. */
import { say } from "../client.js";
import { Button, when } from "../controls.js";
import { preferences } from "../preferences.js";
import { set, state } from "../store.js";
import { seatName } from "../text.js";
import { classes, html } from "../ui.js";
import { ReviewList } from "./review.js";

/** Looks at a position of a finished deal. */
export function lookAt({ deal, step, eyes = state.looking?.eyes ?? "all" }) {
  set({ looking: { deal, step, eyes } });
  if (!say("look", { deal, step, eyes })) return;
  if (state.panel === "log") set({ panel: "review" });
}

/** Goes along the deal that one looks at. */
export function stepBy(n) {
  const { position, looking } = state;
  if (!position) return;
  const step = Math.max(0, Math.min(position.steps, looking.step + n));
  if (step !== looking.step) lookAt({ deal: looking.deal, step });
}

export const backToTable = () => {
  set({ position: null, analysis: null, belief: null });
  if (state.analysing) say("stop");
  set({ analysing: false });
};

/** @param {{state: object}} props */
export function Replay({ state: now, deck }) {
  const { position, review } = now;
  const last = position.steps;
  const comments = commentsOn(now);
  const go = (step) => lookAt({ deal: position.deal, step });
  return html`<section class="replay" aria-label="the deal, step by step">
    <div class="row">
      <${Step} label="to the start" does=${() => go(0)} off=${position.step === 0}>«<//>
      <${Step} label="one step back (,)" does=${() => stepBy(-1)} off=${position.step === 0}>‹<//>
      <span class="small" data-test="step">
        decision ${Math.min(position.step + 1, last)} of ${last}${when(position.step === last, " · the end")}
      </span>
      <${Step} label="one step on (.)" does=${() => stepBy(1)} off=${position.step === last}>›<//>
      <${Step} label="to the end" does=${() => go(last)} off=${position.step === last}>»<//>
      <label class="row small push">seen by
        <select value=${String(now.looking.eyes)} onChange=${(e) => look(position, e.target.value)}>
          <option value="all">everybody</option>
          ${position.seats.map(({ seat }) => html`<option value=${String(seat)}>${seatName(now.view, seat)}</option>`)}
        </select>
      </label>
      ${position.step < last &&
      html`<${Button} look="compact" does=${() => set({ dialog: "branch" })}>Play on from here<//>`}
      <${Button} look="compact" does=${backToTable}>Back to the table<//>
    </div>
    <${Line} position=${position} review=${review} comments=${comments} go=${go} last=${last} />
    ${position.step < last &&
    html`<${Comment}
      key=${position.step}
      position=${position}
      text=${comments.find((c) => c.step === position.step)?.text ?? ""}
      may=${now.view.can.comment}
    />`}
  </section>`;
}

/** The comments on a deal: on that of the table they come with every view. */
const commentsOn = ({ view, position }) =>
  (view.deal === position.deal ? view.comments : position.comments) ?? [];

/** What people have written on a decision; it is kept when one goes elsewhere. */
function Comment({ position: { deal, step }, text, may }) {
  if (!may) return text && html`<p class="comment">“${text}”</p>`;
  const write = (event) => {
    const written = event.target.value.trim();
    if (written !== text) say("comment", { deal, step, text: written });
  };
  return html`<label class="comment row small">
    comment
    <input type="text" class="grow" maxlength="300" value=${text} onChange=${write}
      placeholder="what you think of this decision" />
  </label>`;
}

const look = (position, eyes) =>
  lookAt({ deal: position.deal, step: position.step, eyes: eyes === "all" ? "all" : Number(eyes) });

const Step = ({ label, does, off, children }) => html`<${Button}
  look="compact"
  aria-label=${label}
  title=${label}
  disabled=${off}
  does=${does}
>
  ${children}
<//>`;

/** The slider, with a flag at each significant mistake, and a mark at each comment. */
function Line({ position, review, comments, go, last }) {
  const mistakes = review?.deal === position.deal ? review.mistakes : [];
  return html`<div class="line">
    <input type="range" min="0" max=${last} step="1" value=${position.step} aria-label="decision"
      onInput=${(e) => go(Number(e.target.value))} />
    <div class="flags">
      ${mistakes.map((m) => html`<button type="button" class=${classes("flag", { here: m.step === position.step })}
        style=${{ left: `${(100 * m.step) / last}%` }} onClick=${() => go(m.step)}
        aria-label=${`mistake at decision ${m.step + 1}`} title="a significant mistake">⚑</button>`)}
      ${comments.map((c) => html`<button type="button" class=${classes("flag note", { here: c.step === position.step })}
        style=${{ left: `${(100 * c.step) / last}%` }} onClick=${() => go(c.step)}
        aria-label=${`comment on decision ${c.step + 1}`} title=${c.text}>✎</button>`)}
    </div>
  </div>`;
}

/** Starts the search for mistakes in the deal that is looked at. */
export function startReview(deal, seat) {
  set({ review: null, reviewing: true, revealed: [] });
  say("review", { deal, seat, worlds: preferences.reviewWorlds });
}

export const ReviewPanel = (props) =>
  html`<${ReviewList} ...${props} onStart=${startReview} onLook=${lookAt} />`;
