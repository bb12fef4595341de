/** The panels beside the table, one at a time. */
import { set } from "../store.js";
import { classes, html } from "../ui.js";
import { BeliefPanel } from "./belief.js";
import { AnalysisPanel } from "./explain.js";
import { LogPanel } from "./log.js";
import { ReviewPanel } from "./replay.js";

const PANELS = {
  log: ["Log", LogPanel],
  analysis: ["Analysis", AnalysisPanel],
  belief: ["Unseen cards", BeliefPanel],
  review: ["Mistakes", ReviewPanel],
};

export function Side({ state, view, deck }) {
  const names = Object.keys(PANELS).filter((name) => name !== "review" || state.view.over);
  const shown = names.includes(state.panel) ? state.panel : "log";
  const [, Panel] = PANELS[shown];
  return html`<aside class="side" aria-label="panels">
    <div class="tabs" role="tablist" onKeyDown=${(event) => walk(event, names, shown)}>
      ${names.map((name) => html`<button type="button" role="tab" key=${name} id=${`tab-${name}`}
        aria-selected=${String(name === shown)} aria-controls="panel" tabindex=${name === shown ? 0 : -1}
        class=${classes("tab", { on: name === shown })} onClick=${() => set({ panel: name })}>${PANELS[name][0]}</button>`)}
    </div>
    <div class="panel-body" role="tabpanel" id="panel" aria-labelledby=${`tab-${shown}`} tabindex="0">
      <${Panel} state=${state} view=${view} deck=${deck} />
    </div>
  </aside>`;
}

function walk(event, names, shown) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = names[(names.indexOf(shown) + step + names.length) % names.length];
  set({ panel: next });
  document.getElementById(`tab-${next}`)?.focus();
}
