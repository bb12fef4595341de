/** Analysis: asking for it, and showing what each action is worth while it deepens. */
import { say } from "../client.js";
import { prefer, preferences } from "../preferences.js";
import { set, state } from "../store.js";
import { margin, marked, percent, signed } from "../text.js";
import { classes, html, useEffect } from "../ui.js";
import { isMine } from "../table/moves.js";
import { shade, verdictsAt } from "./bars.js";
import { Whisker, scaleOf } from "./whisker.js";

/** Asks for the analysis of what is on the screen. */
function explain(view) {
  const { worlds, agent } = preferences;
  const place = view.is === "position" ? { deal: view.deal, step: view.step } : {};
  const chosen = agentsOf(view).some((other) => other.id === agent) ? { agent } : {};
  set({ analysis: null });
  say("explain", { question: questionOf(view), worlds, ...chosen, ...place });
}

function stopAnalysis() {
  set({ analysing: false });
  say("stop");
}

export function toggleAnalysis() {
  if (state.analysing && state.panel === "analysis") return stopAnalysis();
  return set({ analysing: true, panel: "analysis" }); // `useAutomatic` asks
}

const questionOf = (view) =>
  view.can.explain.includes(preferences.question) ? preferences.question : (view.can.explain[0] ?? "worlds");

const agentsOf = (view) =>
  state.hello?.games.find((game) => game.game === view.game)?.agents ?? [];

let answered = "";

/** Analysis goes along with the game: at each new position, if it is on or hints need it. */
export function useAutomatic(now) {
  const view = now.position ?? now.view;
  const { help, worlds, agent, question } = preferences;
  const hinted = (help === "ranked" || help === "values") && !now.position;
  const mine = isMine(view) && view.actions.length > 1;
  const free = now.panel !== "belief"; // the server answers one question at a time
  const wanted = free && view.can.explain.length > 0 && (now.analysing ? !ended(view) : hinted && mine);
  const place = [view.is, view.at, view.deal, view.step, now.connection].join(" ");
  const how = [worlds, agent, question].join(" ");
  useEffect(() => {
    if (!wanted || now.connection !== "open") return;
    const question = `${place} ${how}`;
    if (state.analysis?.done && question === answered) return; // it is here already
    answered = question;
    explain(view);
  }, [place, how, wanted]);
}

const ended = (view) => view.turn === null || view.turn < 0;

/** @param {{state: object, view: import("../types.js").View}} props */
export function AnalysisPanel({ state: now, view, deck }) {
  const { analysis } = now;
  const verdicts = [...verdictsAt(analysis, view).values()].sort((a, b) => a.rank - b.rank);
  const busy = now.analysing && !analysis?.done;
  return html`<div class="stack">
    <div class="row">
      <button type="button" class=${classes("button", { primary: !now.analysing })} onClick=${toggleAnalysis}
        disabled=${!view.can.explain.length}>${now.analysing ? "Stop" : "Analyse"} <kbd>A</kbd></button>
      ${verdicts.length > 0 && html`<${Value} analysis=${analysis} />`}
    </div>
    ${verdicts.length > 0 && html`<${Progress} analysis=${analysis} busy=${busy} />`}
    ${!verdicts.length && html`<p class="muted small">${emptyWords(now, view)}</p>`}
    ${verdicts.length > 0 && html`<${Verdicts} verdicts=${verdicts} unit=${analysis.unit} deck=${deck} />`}
    ${analysis?.why && verdicts.length > 0 && html`<p class="small">${marked(analysis.why, deck)}</p>`}
    <${Budget} view=${view} />
  </div>`;
}

function emptyWords(now, view) {
  if (ended(view)) return "The deal is over here: step back to a decision.";
  if (!view.can.explain.length) {
    return now.view.settings.hints === "none" || now.view.settings.hints === "legal"
      ? "The people at this table agreed to play without analysis."
      : "Analysis is for your own turn, for spectators, and for finished deals.";
  }
  if (now.analysing) return "Thinking …";
  return "What is each action worth? The search plays on in many worlds that agree with what the seat knows.";
}

const Value = ({ analysis }) => html`<p class="value" title="the position's value to the seat to move">
  <strong>${signed(analysis.value)}</strong> <span class="muted">${analysis.unit}</span>
</p>`;

const Progress = ({ analysis, busy }) => html`<div class="progress" aria-live="off">
  <progress max=${analysis.of || 1} value=${analysis.done ? analysis.of || 1 : analysis.worlds} aria-label="worlds searched" />
  <span class="small muted" data-test="progress">${analysis.worlds}/${analysis.of} worlds${analysis.rounds > 1 ? ` · round ${analysis.round}/${analysis.rounds}` : ""}${analysis.done ? " · done" : busy ? " …" : ""}</span>
</div>`;

function Verdicts({ verdicts, unit, deck }) {
  const scale = scaleOf(verdicts);
  return html`<table class="verdicts">
    <thead><tr><th>action</th><th class="number">${unit}</th><th aria-label="interval"></th>
      <th class="number" title="how often the agent would play it">share</th>
      <th class="number" title="in how many worlds nothing is better">best</th></tr></thead>
    <tbody>
      ${verdicts.map((v) => html`<tr key=${v.action} class=${classes(shade(v), { first: v.isBest })}>
        <th scope="row">${v.isBest && html`<span title="best">★ </span>`}${marked(v.name, deck)}</th>
        <td class="number">${signed(v.mean)}<span class="muted small">${margin(v) === null ? "" : ` ±${margin(v).toFixed(Math.abs(v.mean) >= 10 ? 0 : 2)}`}</span></td>
        <td class="whisker-cell"><${Whisker} verdict=${v} scale=${scale} /></td>
        <td class="number"><span class="share"><span style=${{ width: `${100 * (v.chance ?? 0)}%` }} /></span>${percent(v.chance)}</td>
        <td class="number">${percent(v.best)}</td>
      </tr>`)}
    </tbody>
  </table>`;
}

/** The sliders: how many worlds, which agent, and which of the two questions. */
function Budget({ view }) {
  const change = (changes) => {
    prefer(changes);
    set({}); // `useAutomatic` asks anew
  };
  const agents = agentsOf(view);
  return html`<fieldset class="budget stack">
    <${Question} view=${view} change=${change} />
    <label class="field"><span>worlds: <b>${preferences.worlds}</b></span>
      <input type="range" min="1" max="7" step="0.5" value=${Math.log2(preferences.worlds / 10) + 1}
        aria-label="worlds" aria-valuetext=${`${preferences.worlds} worlds`}
        onChange=${(e) => change({ worlds: Math.round(10 * 2 ** (Number(e.target.value) - 1)) })} />
    </label>
    ${agents.length > 1 && html`<label class="field"><span>analysed by</span>
      <select value=${preferences.agent} onChange=${(e) => change({ agent: e.target.value })}>
        <option value="">the game's best</option>
        ${agents.map((a) => html`<option value=${a.id}>${a.name} (${a.level})</option>`)}
      </select></label>`}
  </fieldset>`;
}

const QUESTIONS = {
  worlds: ["What the seat must believe", "all deals that agree with what it has seen"],
  deal: ["The real deal", "with the cards as they lie"],
};

const Question = ({ view, change }) => html`<div role="radiogroup" aria-label="question" class="questions">
  ${Object.entries(QUESTIONS).map(([id, [name, about]]) => html`<label class="check">
    <input type="radio" name="question" checked=${questionOf(view) === id} disabled=${!view.can.explain.includes(id)}
      onChange=${() => change({ question: id })} />
    <span>${name}<br /><span class="small muted">${about}${id === "deal" && !view.can.explain.includes(id) ? " (after the deal)" : ""}</span></span>
  </label>`)}
</div>`;
