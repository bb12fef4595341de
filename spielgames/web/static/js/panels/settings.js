/** How the page looks, how much it helps, and how the table goes along. */
import { say } from "../client.js";
import { Check, Choice, Slider } from "../controls.js";
import { prefer, preferences } from "../preferences.js";
import { set } from "../store.js";
import { html } from "../ui.js";

const LOOKS = {
  theme: ["Theme", { auto: "as the system", light: "light", dark: "dark" }],
  colours: ["Suits", { 4: "four colours", 2: "two colours" }],
  deck: ["Cards", { game: "as the game has them", french: "French", german: "German/Hungarian" }],
  slow: ["Cards move", { 1: "calmly", 0.4: "fast", 0: "at once" }],
};
const HELP = {
  none: "nothing",
  legal: "which cards are legal",
  ranked: "the order of the actions",
  values: "what each action is worth",
};

/** Keeps a preference, as a number where it is one, and draws the page anew. */
function change(name, value) {
  prefer({ [name]: typeof preferences[name] === "number" ? Number(value) : value });
  set({});
}

export const Looks = () => html`<div class="settings-grid">
  ${Object.entries(LOOKS).map(
    ([name, [label, options]]) => html`<${Choice}
      label=${label}
      value=${preferences[name]}
      options=${options}
      onPick=${(value) => change(name, value)}
    />`,
  )}
</div>`;

/** @param {{state: {view: import("../types.js").View}}} props */
export function Settings({ state }) {
  return html`<div class="stack">
    <h3>For you</h3>
    <${Looks} />
    <${Choice}
      label="Show me"
      value=${preferences.help}
      options=${HELP}
      onPick=${(help) => change("help", help)}
    />
    <h3>For everybody at this table</h3>
    <${TableSettings} view=${state.view} />
  </div>`;
}

function TableSettings({ view }) {
  const { settings, you, seats } = view;
  const pick = (name) => (value) => say("set", { [name]: value });
  const watching = seats.every((seat) => seat.kind === "agent");
  return html`
    ${you !== null &&
    html`<${Check}
      label="Forced cards are played by themselves"
      value=${settings.forced}
      onPick=${pick("forced")}
    />`}
    <${Choice}
      label="The most help allowed"
      value=${settings.hints}
      options=${HELP}
      onPick=${pick("hints")}
    />
    <${Slider}
      label=${html`Agents take at least <b>${settings.pace}</b> s for a move`}
      name="seconds for a move"
      value=${settings.pace}
      min="0"
      max="5"
      step="0.5"
      onPick=${pick("pace")}
    />
    ${watching && html`<${Check} label="Pause" value=${settings.paused} onPick=${pick("paused")} />`}
  `;
}
