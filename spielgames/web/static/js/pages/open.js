/** The form that opens a table. */
import { say } from "../client.js";
import { prefer, preferences } from "../preferences.js";
import { toast } from "../store.js";
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
  const parameters = houseRules(game, form);
  const seats = form.watch ? form.seats.map((who) => (who === "me" ? startSeats(game, -1)[0] : who)) : form.seats;
  const message = { game: game.game, seats, parameters, match: form.match, name: form.name.trim() };
  if (form.deal !== "") message.deal = Number(form.deal);
  if (form.match && form.goal !== "") message.goal = Number(form.goal);
  return message;
}

export function OpenForm({ game }) {
  const [form, setForm] = useState(() => ({
    seats: startSeats(game), match: false, goal: "", deal: "", name: preferences.name, parameters: {}, watch: false,
  }));
  const change = (changes) => setForm({ ...form, ...changes });
  const submit = (event) => {
    event.preventDefault();
    if (form.deal !== "" && !/^\d+$/.test(form.deal)) return toast("The number of a deal is a whole number.", "error");
    prefer({ name: form.name.trim() });
    return say("open", message(game, form));
  };
  return html`<form class="panel open-form" onSubmit=${submit}>
    <div class="row"><h2>${game.title}</h2><a class="push" href=${`#rules=${game.game}`}>How is it played?</a></div>
    <p class="muted">${game.about}</p>
    <fieldset><legend>At the table</legend>
      <${SeatChoices} game=${game} seats=${form.seats} parameters=${houseRules(game, form)} choose=${(seats) => change({ seats })} />
    </fieldset>
    <div class="open-grid">
      <${Length} game=${game} form=${form} change=${change} />
      <label class="field"><span>Deal number</span>
        <input type="text" inputmode="numeric" placeholder="any" value=${form.deal} onInput=${(e) => change({ deal: e.target.value.trim() })} />
      </label>
      <label class="field"><span>Your name</span>
        <input type="text" maxlength="24" autocomplete="nickname" value=${form.name} onInput=${(e) => change({ name: e.target.value })} />
      </label>
    </div>
    ${game.parameters.length > 0 && html`<details><summary>House rules</summary><${Parameters} game=${game} form=${form} change=${change} /></details>`}
    <div class="row">
      <button type="submit" class="button primary big">Deal the cards</button>
      <button type="button" class="button" onClick=${() => say("open", message(game, { ...form, watch: true }))}>Only watch agents</button>
    </div>
  </form>`;
}

/** A single deal or a match; matches have a goal. */
function Length({ game, form, change }) {
  if (!game.match) return null;
  return html`<label class="field"><span>How long</span>
      <select value=${form.match ? "match" : "deal"} onChange=${(e) => change({ match: e.target.value === "match" })}>
        <option value="deal">a single deal</option>
        <option value="match">a match ${game.match.words}</option>
      </select></label>
    ${form.match && game.match.goal !== null && html`<label class="field"><span>Goal</span>
      <input type="text" inputmode="numeric" placeholder=${String(game.match.goal)} value=${form.goal} onInput=${(e) => change({ goal: e.target.value.trim() })} />
    </label>`}`;
}

const Parameters = ({ game, form, change }) => html`<div class="settings-grid">
  ${game.parameters.map((p) => html`<${Parameter} key=${p.name} p=${p} value=${form.parameters[p.name] ?? p.default}
    onPick=${(value) => change({ parameters: { ...form.parameters, [p.name]: value } })} />`)}
</div>`;

function Parameter({ p, value, onPick }) {
  const label = p.name.replaceAll("_", " ");
  if (typeof p.default === "boolean") {
    return html`<label class="check" title=${p.about}><input type="checkbox" checked=${value} onChange=${(e) => onPick(e.target.checked)} /><span>${label}</span></label>`;
  }
  return html`<label class="field" title=${p.about}><span>${label}</span>
    ${p.choices
      ? html`<select value=${value} onChange=${(e) => onPick(e.target.value)}>${p.choices.map((c) => html`<option value=${c}>${String(c)}</option>`)}</select>`
      : html`<input type="number" value=${value} onChange=${(e) => onPick(Number(e.target.value))} />`}
  </label>`;
}
