/** Choosing who sits where. */
import { when } from "../controls.js";
import { html } from "../ui.js";

/** One person at a seat, agents at the others. @returns {string[]} */
export function startSeats(game, mine = 0) {
  const other = (game.agents.find((agent) => agent.proposed) ?? game.agents[0])?.id;
  return Array.from({ length: game.players }, (_, seat) => (seat === mine ? "me" : other));
}

/** Whether an agent plays with these house rules: some know only those they were trained with. */
function knows(agent, parameters) {
  if (!agent.needs) return true;
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${text(value)}`);
  const needed = Object.entries(agent.needs).map(([name, value]) => `${name}=${value}`);
  return given.sort().join() === needed.sort().join();
}

/** As the server writes it: True, not true. */
const text = (value) =>
  typeof value === "boolean" ? (value ? "True" : "False") : String(value);

/** `me` may sit at one seat only. */
function put(seats, seat, who) {
  return seats.map((other, i) => (i === seat ? who : who === "me" && other === "me" ? "person" : other));
}

export function SeatChoices({ game, seats, choose, parameters, names = [] }) {
  const teams = game.teams ?? [];
  const label = (seat) =>
    (names[seat] ?? `Seat ${seat}`) + when(teams.length, ` · team ${teams[seat] + 1}`);
  const option = (agent) => html`<option
    value=${agent.id}
    title=${agent.about}
    disabled=${!knows(agent, parameters)}
  >
    ${agent.name} – ${agent.level}
  </option>`;
  return html`<ol class="seat-choices">
    ${seats.map(
      (who, seat) => html`<li>
        <label class="field">
          <span>${label(seat)}</span>
          <select
            value=${who}
            aria-label=${`who sits at seat ${seat}`}
            onChange=${(e) => choose(put(seats, seat, e.target.value))}
          >
            <option value="me">I do</option>
            <option value="person">a person, by link</option>
            <optgroup label="agents">${game.agents.map(option)}</optgroup>
          </select>
        </label>
      </li>`,
    )}
  </ol>`;
}
