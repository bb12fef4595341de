/** A mean with its interval, drawn on a scale that several share. */
import { html } from "../ui.js";

export function scaleOf(verdicts) {
  const ends = verdicts.flatMap((v) => [v.low ?? v.mean, v.high ?? v.mean]).filter((x) => x !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 1) * 0.04;
  return (x) => (100 * (x - low + room)) / (high - low + 2 * room || 1);
}

export function Whisker({ verdict, scale }) {
  if (verdict.mean === null) return null;
  const [low, mean, high] = [verdict.low ?? verdict.mean, verdict.mean, verdict.high ?? verdict.mean].map(scale);
  return html`<svg class="whisker" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
    <path d=${`M${low} 8H${high}M${low} 4V12M${high} 4V12`} /><rect x=${mean - 2} y="3" width="4" height="10" />
  </svg>`;
}
