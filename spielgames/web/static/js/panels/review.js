/** The significant mistakes of a deal; what was better is told only when asked. */
import { say } from "../client.js";
import { Button, Slider } from "../controls.js";
import { prefer, preferences } from "../preferences.js";
import { set, state } from "../store.js";
import { marked, named, seatName, signed } from "../text.js";
import { classes, html, useState } from "../ui.js";

export function ReviewList({ state: now, view, deck, onStart, onLook }) {
  const { review } = now;
  const deal = view.deal;
  if (!now.view.can.review) return html`<p class="muted small">Mistakes are looked for once the deal is over.</p>`;
  return html`<div class="stack">
    <${Start} view=${now.view} deal=${deal} onStart=${onStart} running=${review && !review.done} />
    ${now.reviewing && !review && html`<p class="muted small">Starting …</p>`}
    ${review && html`<${Found} now=${now} review=${review} view=${view} deck=${deck} onLook=${onLook} />`}
  </div>`;
}

function Start({ view, deal, onStart, running }) {
  const [whose, choose] = useState(view.you === null ? "all" : String(view.you));
  const stop = () => {
    set({ reviewing: false });
    say("stop");
  };
  const start = () => onStart(deal, whose === "all" ? null : Number(whose));
  const budget = (reviewWorlds) => {
    prefer({ reviewWorlds });
    set({});
  };
  return html`<div class="stack">
    <div class="row">
      <label class="row small">whose?
        <select value=${whose} onChange=${(e) => choose(e.target.value)}>
          <option value="all">everybody's</option>
          ${view.seats.map(({ seat }) => html`<option value=${String(seat)}>${seatName(view, seat)}</option>`)}
        </select></label>
      ${running
        ? html`<${Button} does=${stop}>Stop<//>`
        : html`<${Button} look="primary" does=${start}>Find mistakes<//>`}
    </div>
    <${Slider}
      label=${html`worlds for each decision: <b>${preferences.reviewWorlds}</b>`}
      name="worlds for each decision"
      min="20"
      max="500"
      step="20"
      value=${preferences.reviewWorlds}
      onPick=${budget}
    />
  </div>`;
}

function Found({ now, review, view, deck, onLook }) {
  const { mistakes, checked, of, done } = review;
  const nothing = done && !mistakes.length;
  return html`<div class="stack">
    <div class="progress"><progress max=${of || 1} value=${checked} aria-label="decisions checked" />
      <span class="small muted">${checked}/${of} decisions${done ? " · done" : " …"}</span></div>
    ${nothing && html`<p>No significant mistake: nothing was worse by more than two standard errors.</p>`}
    <ol class="mistakes">
      ${mistakes.map(
        (m) => html`<${MistakeCard}
          key=${m.step}
          ...${{ m, deck, onLook }}
          view=${now.view}
          deal=${review.deal}
          here=${view.step === m.step}
          open=${now.revealed.includes(m.step)}
        />`,
      )}
    </ol>
  </div>`;
}

/** @param {{m: import("../types.js").Mistake}} props */
function MistakeCard({ m, view, deck, onLook, deal, here, open }) {
  const reveal = () => set({ revealed: [...state.revealed, m.step] });
  return html`<li class=${classes("mistake", { here })}>
    <div class="row">
      <button type="button" class="link" onClick=${() => onLook({ deal, step: m.step })}>
        ⚑ ${seatName(view, m.seat)}: ${marked(m.played.name, deck)}</button>
      <span class="lost push" title="mean loss ± standard error">
        ${signed(-m.lost)} ± ${m.error.toFixed(2)} <span class="muted small">${m.unit}</span>
      </span>
    </div>
    ${open
      ? html`<p class="better">Better: <strong>${marked(m.better.name, deck)}</strong>. ${marked(named(view, m.why ?? ""), deck)}
          ${isKnown(m.deal_lost) && html`<br /><span class="muted small">${inDeal(m)}</span>`}</p>`
      : html`<${Button} look="compact" does=${reveal}>What was better?<//>`}
  </li>`;
}

const isKnown = (x) => x !== null && x !== undefined;

const inDeal = (m) =>
  m.deal_lost > 0
    ? `In this deal it cost ${m.deal_lost.toFixed(2)} ${m.unit}.`
    : "In this deal it cost nothing: the cards lay kindly.";
