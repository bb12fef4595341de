/** Buttons and fields as they look everywhere. */
import { classes, html } from "./ui.js";

/** A button. `look` may be primary, plain, compact, on, big, or several of them. */
export const Button = ({ look = "", does, children, ...rest }) => html`<button
  type="button"
  class=${classes("button", look)}
  onClick=${does}
  ...${rest}
>
  ${children}
</button>`;

/** One of several options, by their ids, which have words. */
export const Choice = ({ label, value, options, onPick, ...rest }) => html`<label class="field">
  <span>${label}</span>
  <select value=${String(value)} onChange=${(e) => onPick(e.target.value)} ...${rest}>
    ${Object.entries(options).map(([id, words]) => html`<option value=${id}>${words}</option>`)}
  </select>
</label>`;

export const Check = ({ label, value, onPick, ...rest }) => html`<label class="check" ...${rest}>
  <input type="checkbox" checked=${value} onChange=${(e) => onPick(e.target.checked)} />
  <span>${label}</span>
</label>`;

/** A number between bounds. `label` is for the eye, `name` for the ear. */
export const Slider = ({ label, name, value, onPick, ...bounds }) => html`<label class="field">
  <span>${label}</span>
  <input
    type="range"
    aria-label=${name}
    value=${value}
    onChange=${(e) => onPick(Number(e.target.value))}
    ...${bounds}
  />
</label>`;

export const TextField = ({ label, value, onWrite, ...rest }) => html`<label class="field">
  <span>${label}</span>
  <input type="text" value=${value} onInput=${(e) => onWrite(e.target.value)} ...${rest} />
</label>`;

/** Words that are only there if a condition holds. */
export const when = (condition, words) => (condition ? words : "");
