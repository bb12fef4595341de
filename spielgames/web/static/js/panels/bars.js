/** What analysis says of an action, as a bar: how often it is best, and what it is worth. */
import { preferences } from "../preferences.js";
import { margin, percent, signed } from "../text.js";
import { classes, html } from "../ui.js";

/**
 * The verdicts to show at a position, by action, each with its rank and its place between the
 * worst (0) and the best (1).
 * @param {?import("../types.js").Analysis} analysis
 * @param {import("../types.js").View} view
 */
export function verdictsAt(analysis, view) {
  if (!analysis || !isAbout(analysis, view)) return new Map();
  const worth = (v) => v.mean ?? v.chance ?? 0;
  const values = analysis.verdicts.map(worth);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const sorted = [...values].sort((a, b) => b - a);
  const entries = analysis.verdicts.map((v) => {
    const part = high > low ? (worth(v) - low) / (high - low) : 1;
    const rank = sorted.indexOf(worth(v)) + 1;
    return [v.action, { ...v, part, rank, isBest: rank === 1 }];
  });
  return new Map(entries);
}

const isAbout = (analysis, view) =>
  view.is === "position"
    ? analysis.deal === view.deal && analysis.step === view.step
    : analysis.at === view.at && (analysis.step ?? null) === null;

/** Five steps from worst to best: they differ in lightness, too, and the best has a mark. */
export const shade = (verdict) => `shade-${Math.round(4 * verdict.part)}`;

export function verdictWords(verdict, view) {
  const value = verdict.mean === null ? "" : ` worth ${signed(verdict.mean)} ${view.unit}`;
  return `${verdict.isBest ? "best" : `number ${verdict.rank}`}${value}`.trim();
}

/** The bar under a card or a button: its length is the share of worlds in which nothing is better,
 * its colour the relative value. */
export function CardBar({ verdict }) {
  const { help } = preferences;
  if (!verdict || help === "none" || help === "legal") return html`<span class="bar none" />`;
  if (help === "ranked") {
    return html`<span class=${classes("bar rank-bar", shade(verdict))}>${verdict.isBest ? "★" : ""}${verdict.rank}</span>`;
  }
  const length = verdict.best ?? verdict.chance ?? verdict.part;
  return html`<span class=${classes("bar", shade(verdict))} title=${detail(verdict)}>
    <span class="fill" style=${{ width: `${Math.round(100 * length)}%` }} />
    <span class="text">${verdict.isBest ? "★" : ""}${short(verdict)}</span>
  </span>`;
}

const short = (v) => (v.mean === null ? percent(v.chance) : signed(v.mean, Math.abs(v.mean) >= 10 ? 0 : Math.abs(v.mean) >= 1 ? 1 : 2));

export function detail(v) {
  const half = margin(v);
  const value = v.mean === null ? "" : `${signed(v.mean)}${half === null ? "" : ` ± ${half.toFixed(2)}`}`;
  const best = v.best === null ? "" : `best in ${percent(v.best)} of worlds`;
  const chance = v.chance === null ? "" : `played ${percent(v.chance)}`;
  return [value, best, chance].filter(Boolean).join(", ");
}
