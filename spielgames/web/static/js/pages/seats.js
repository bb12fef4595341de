/** Choosing who sits where. */
import { html } from "../ui.js";

/** One person at a seat, agents at the others. @returns {string[]} */
export function startSeats(game, mine = 0) {
  const other = proposed(game);
  return Array.from({ length: game.players }, (_, seat) => (seat === mine ? "me" : other));
}

const GOOD_COMPANY = ["solid", "easy"]; // they answer at once

/** An agent that is a good opponent for a first deal. */
function proposed({ agents }) {
  const levels = GOOD_COMPANY.map((level) => agents.find((agent) => agent.level === level));
  const chosen = agents.find((agent) => agent.proposed) ?? levels.find(Boolean) ?? agents[0];
  return chosen?.id;
}

/** `me` may sit at one seat only. */
function put(seats, seat, who) {
  return seats.map((other, i) => (i === seat ? who : who === "me" && other === "me" ? "person" : other));
}

export function SeatChoices({ game, seats, choose, names = [] }) {
  const teams = game.teams ?? [];
  return html`<ol class="seat-choices">
    ${seats.map((who, seat) => html`<li>
      <label class="field"><span>${names[seat] ?? `Seat ${seat}`}${teams.length ? ` · team ${teams[seat] + 1}` : ""}</span>
        <select value=${who} aria-label=${`who sits at seat ${seat}`} onChange=${(e) => choose(put(seats, seat, e.target.value))}>
          <option value="me">I do</option>
          <option value="person">a person, by link</option>
          <optgroup label="agents">
            ${game.agents.map((a) => html`<option value=${a.id} title=${a.about}>${a.name} – ${a.level}${a.ready === false ? " (takes a while to start)" : ""}</option>`)}
          </optgroup>
        </select></label>
    </li>`)}
  </ol>`;
}
