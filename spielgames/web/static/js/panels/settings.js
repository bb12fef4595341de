/** How the page looks, how much it helps, and how the table goes along. */
import { say } from "../client.js";
import { prefer, preferences } from "../preferences.js";
import { set } from "../store.js";
import { html } from "../ui.js";

const LOOKS = [
  ["theme", "Theme", { auto: "as the system", light: "light", dark: "dark" }],
  ["colours", "Suits", { 4: "four colours", 2: "two colours" }],
  ["deck", "Cards", { game: "as the game has them", french: "French", german: "German/Hungarian" }],
  ["slow", "Cards move", { 1: "calmly", 0.4: "fast", 0: "at once" }],
];
const HELP = {
  none: "nothing",
  legal: "which cards are legal",
  ranked: "the order of the actions",
  values: "what each action is worth",
};

const change = (changes) => {
  prefer(changes);
  set({});
};

const Choice = ({ label, value, options, onPick }) => html`<label class="field"><span>${label}</span>
  <select value=${String(value)} onChange=${(e) => onPick(e.target.value)}>
    ${Object.entries(options).map(([id, words]) => html`<option value=${id}>${words}</option>`)}
  </select></label>`;

export const Looks = () => html`<div class="settings-grid">
  ${LOOKS.map(([name, label, options]) => html`<${Choice} label=${label} value=${preferences[name]} options=${options}
    onPick=${(value) => change({ [name]: typeof preferences[name] === "number" ? Number(value) : value })} />`)}
</div>`;

/** @param {{state: {view: import("../types.js").View}}} props */
export function Settings({ state }) {
  const { settings, you, seats } = state.view;
  const watching = seats.every((seat) => seat.kind === "agent");
  const table = (changes) => say("set", changes);
  return html`<div class="stack">
    <h3>For you</h3>
    <${Looks} />
    <${Choice} label="Show me" value=${preferences.help} options=${HELP} onPick=${(help) => change({ help })} />
    <h3>For everybody at this table</h3>
    ${you !== null && html`<label class="check"><input type="checkbox" checked=${settings.forced} onChange=${(e) => table({ forced: e.target.checked })} />
      <span>Forced cards are played by themselves</span></label>`}
    <${Choice} label="The most help allowed" value=${settings.hints} options=${HELP} onPick=${(hints) => table({ hints })} />
    <label class="field"><span>Agents take at least <b>${settings.pace}</b> s for a move</span>
      <input type="range" min="0" max="5" step="0.5" value=${settings.pace} onChange=${(e) => table({ pace: Number(e.target.value) })} /></label>
    ${watching && html`<label class="check"><input type="checkbox" checked=${settings.paused} onChange=${(e) => table({ paused: e.target.checked })} /><span>Pause</span></label>`}
  </div>`;
}
