/** Analysis: asking for it, and showing what each action is worth while it deepens. */
import { say } from "../client.js";
import { Button, Choice, Slider, when } from "../controls.js";
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
      <${Button}
        look=${classes({ primary: !now.analysing })}
        does=${toggleAnalysis}
        disabled=${!view.can.explain.length}
        >${now.analysing ? "Stop" : "Analyse"} <kbd>A</kbd><//>
      ${verdicts.length > 0 && html`<${Value} analysis=${analysis} />`}
    </div>
    ${verdicts.length > 0 && html`<${Progress} analysis=${analysis} busy=${busy} />`}
    ${!verdicts.length && html`<p class="muted small">${emptyWords(now, view)}</p>`}
    ${verdicts.length > 0 && html`<${Verdicts} verdicts=${verdicts} unit=${analysis.unit} deck=${deck} />`}
    ${analysis?.why && verdicts.length > 0 && html`<p class="small">${marked(analysis.why, deck)}</p>`}
    <${Budget} view=${view} />
  </div>`;
}

export const COMPILING = "Compiling for this game, once: it takes a minute or two";

function emptyWords(now, view) {
  if (ended(view)) return "The deal is over here: step back to a decision.";
  if (!view.can.explain.length) {
    return now.view.settings.hints === "none" || now.view.settings.hints === "legal"
      ? "The people at this table agreed to play without analysis."
      : "Analysis is for your own turn, for spectators, and for finished deals.";
  }
  if (now.compiling) return `${COMPILING} …`;
  if (now.analysing) return "Thinking …";
  return "What is each action worth? The search plays on in many worlds that agree with what the seat knows.";
}

const Value = ({ analysis }) => html`<p class="value" title="the position's value to the seat to move">
  <strong>${signed(analysis.value)}</strong> <span class="muted">${analysis.unit}</span>
</p>`;

const Progress = ({ analysis, busy }) => html`<div class="progress" aria-live="off">
  <progress
    max=${analysis.of || 1}
    value=${analysis.done ? analysis.of || 1 : analysis.worlds}
    aria-label="worlds searched"
  />
  <span class="small muted" data-test="progress">${progressWords(analysis, busy)}</span>
</div>`;

function progressWords({ worlds, of, round, rounds, done }, busy) {
  const part = when(rounds > 1, ` · round ${round}/${rounds}`);
  return `${worlds}/${of} worlds${part}${done ? " · done" : when(busy, " …")}`;
}

/** Half of the interval, in as many digits as say something. */
const plusMinus = (v) =>
  margin(v) === null ? "" : ` ±${margin(v).toFixed(Math.abs(v.mean) >= 10 ? 0 : 2)}`;

function Verdicts({ verdicts, unit, deck }) {
  const scale = scaleOf(verdicts);
  return html`<table class="verdicts">
    <thead><tr><th>action</th><th class="number">${unit}</th><th aria-label="interval"></th>
      <th class="number" title="how often the agent would play it">share</th>
      <th class="number" title="in how many worlds nothing is better">best</th></tr></thead>
    <tbody>
      ${verdicts.map((v) => html`<tr key=${v.action} class=${classes(shade(v), { first: v.isBest })}>
        <th scope="row">${v.isBest && html`<span title="best">★ </span>`}${marked(v.name, deck)}</th>
        <td class="number">${signed(v.mean)}<span class="muted small">${plusMinus(v)}</span></td>
        <td class="whisker-cell"><${Whisker} verdict=${v} scale=${scale} /></td>
        <td class="number">
          <span class="share"><span style=${{ width: `${100 * (v.chance ?? 0)}%` }} /></span>
          ${percent(v.chance)}
        </td>
        <td class="number">${percent(v.best)}</td>
      </tr>`)}
    </tbody>
  </table>`;
}

const FEWEST = 10; // worlds; the server doubles them from round to round

/** The sliders: how many worlds, which agent, and which of the two questions. */
function Budget({ view }) {
  const change = (changes) => {
    prefer(changes);
    set({}); // `useAutomatic` asks anew
  };
  const named = agentsOf(view).map((a) => [a.id, `${a.name} (${a.level})`]);
  const agents = Object.fromEntries([["", "the game's best"], ...named]);
  return html`<fieldset class="budget stack">
    <${Question} view=${view} change=${change} />
    <${Slider}
      label=${html`worlds: <b>${preferences.worlds}</b>`}
      name="worlds"
      aria-valuetext=${`${preferences.worlds} worlds`}
      min="0"
      max="6"
      step="1"
      value=${Math.log2(preferences.worlds / FEWEST)}
      onPick=${(doublings) => change({ worlds: FEWEST * 2 ** doublings })}
    />
    ${named.length > 1 &&
    html`<${Choice}
      label="analysed by"
      value=${preferences.agent}
      options=${agents}
      onPick=${(agent) => change({ agent })}
    />`}
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
    <span>
      ${name}<br />
      <span class="small muted">
        ${about + when(id === "deal" && !view.can.explain.includes(id), " (after the deal)")}
      </span>
    </span>
  </label>`)}
</div>`;
