/** The form that opens a table. */
import { say } from "../client.js";
import { Button, Check, Choice, TextField } from "../controls.js";
import { prefer, preferences } from "../preferences.js";
import { set, state, toast } from "../store.js";
import { html, useState } from "../ui.js";
import { SeatChoices, startSeats } from "./seats.js";

/** The house rules that are not the usual ones. */
function houseRules(game, { parameters }) {
  const usual = new Map(game.parameters.map((p) => [p.name, p.default]));
  return Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) => value !== usual.get(name)),
  );
}

/** What the form says, as the message that opens the table. */
function message(game, form) {
  const { seats, match, name, deal, goal } = form;
  const parameters = houseRules(game, form);
  const asked = { game: game.game, seats, parameters, match, name: name.trim() };
  if (deal !== "") asked.deal = Number(deal);
  if (match && goal !== "") asked.goal = Number(goal);
  return asked;
}

/** The same without oneself. */
function watching(game, form) {
  const [agent] = startSeats(game, -1);
  return { ...form, seats: form.seats.map((who) => (who === "me" ? agent : who)) };
}

const EMPTY = { match: false, goal: "", deal: "", parameters: {} };
const isCount = (text) => /^\d*$/.test(text);

export function OpenForm({ game }) {
  const { name } = preferences;
  const [form, setForm] = useState(() => ({ ...EMPTY, name, seats: startSeats(game) }));
  const change = (changes) => setForm({ ...form, ...changes });
  const open = (event, chosen = form) => {
    event.preventDefault();
    if (!isCount(form.deal) || !isCount(form.goal)) {
      return toast("The number of a deal, and a goal, are whole numbers.", "error");
    }
    prefer({ name: form.name.trim() });
    return say("open", message(game, chosen)) && set({ opening: true });
  };
  return html`<form class="panel open-form" onSubmit=${open}>
    <div class="row">
      <h2>${game.title}</h2>
      <a class="push" href=${`#rules=${game.game}`}>How is it played?</a>
    </div>
    <p class="muted">${game.about}</p>
    <fieldset>
      <legend>At the table</legend>
      <${SeatChoices}
        game=${game}
        seats=${form.seats}
        parameters=${houseRules(game, form)}
        choose=${(seats) => change({ seats })}
      />
    </fieldset>
    <div class="open-grid"><${Fields} game=${game} form=${form} change=${change} /></div>
    <${Parameters} game=${game} form=${form} change=${change} />
    <div class="row">
      <button type="submit" class="button primary big" disabled=${state.opening}>
        ${state.opening ? "Dealing …" : "Deal the cards"}
      </button>
      <${Button} does=${(event) => open(event, watching(game, form))}>Only watch agents<//>
    </div>
  </form>`;
}

function Fields({ game, form, change }) {
  const lengths = game.match && { deal: "a single deal", match: `a match ${game.match.words}` };
  return html`
    ${lengths &&
    html`<${Choice}
      label="How long"
      value=${form.match ? "match" : "deal"}
      options=${lengths}
      onPick=${(length) => change({ match: length === "match" })}
    />`}
    ${form.match &&
    game.match.goal !== null &&
    html`<${TextField}
      label="Goal"
      inputmode="numeric"
      placeholder=${String(game.match.goal)}
      value=${form.goal}
      onWrite=${(goal) => change({ goal: goal.trim() })}
    />`}
    <${TextField}
      label="Deal number"
      inputmode="numeric"
      placeholder="any"
      value=${form.deal}
      onWrite=${(deal) => change({ deal: deal.trim() })}
    />
    <${TextField}
      label="Your name"
      maxlength="24"
      autocomplete="nickname"
      value=${form.name}
      onWrite=${(name) => change({ name })}
    />
  `;
}

function Parameters({ game, form, change }) {
  if (!game.parameters.length) return null;
  const pick = (name) => (value) => change({ parameters: { ...form.parameters, [name]: value } });
  return html`<details>
    <summary>House rules</summary>
    <div class="settings-grid">
      ${game.parameters.map(
        (p) => html`<${Parameter}
          key=${p.name}
          p=${p}
          value=${form.parameters[p.name] ?? p.default}
          onPick=${pick(p.name)}
        />`,
      )}
    </div>
  </details>`;
}

function Parameter({ p, value, onPick }) {
  const label = p.name.replaceAll("_", " ");
  if (typeof p.default === "boolean") return html`<${Check} ...${{ label, value, onPick }} />`;
  if (p.choices) {
    const options = Object.fromEntries(p.choices.map((choice) => [choice, choice]));
    return html`<${Choice} ...${{ label, value, options, onPick }} />`;
  }
  const write = (text) => onPick(/^-?\d+$/.test(text) ? Number(text) : text);
  return html`<${TextField} label=${label} inputmode="numeric" value=${value} onWrite=${write} />`;
}
