/** Everything one may do but play a card: bids as a grid, trumps as suits, the rest as buttons. */
import { tint, SuitMark } from "../cards/card.js";
import { suitWord, SUITS } from "../cards/suits.js";
import { CardBar } from "../panels/bars.js";
import { marked, spoken } from "../text.js";
import { classes, html } from "../ui.js";

/** @param {{actions: import("../types.js").Action[], verdicts: Map<number, object>, deck: string}} props */
export function Calls({ actions, verdicts, deck, onAct, live }) {
  if (!actions.length) return null;
  const bids = actions.filter((a) => a.kind === "bid" && a.suit);
  const trumps = actions.filter((a) => a.kind === "trump" && a.suit);
  const others = actions.filter((a) => !bids.includes(a) && !trumps.includes(a));
  const shared = { verdicts, deck, onAct, live };
  return html`<div class="calls" role="group" aria-label="what you may do" onKeyDown=${walk}>
    ${bids.length > 0 && html`<${BidGrid} bids=${bids} ...${shared} />`}
    ${trumps.length > 0 && html`<${Trumps} actions=${trumps} ...${shared} />`}
    ${others.length > 0 &&
    html`<div class="buttons">${others.map((a) => html`<${CallButton} key=${a.action} action=${a} ...${shared} />`)}</div>`}
  </div>`;
}

/** Arrows walk through the buttons as they lie on the screen. */
function walk(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const [dx, dy] = step[event.key] ?? [0, 0];
  if (!dx && !dy) return;
  const from = event.target.getBoundingClientRect();
  const ahead = [...event.currentTarget.querySelectorAll("button")].map((button) => {
    const to = button.getBoundingClientRect();
    const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y - from.y];
    const [along, across] = dx ? [x * dx, Math.abs(y)] : [y * dy, Math.abs(x)];
    return { button, along, cost: along + 3 * across };
  });
  const next = ahead.filter((b) => b.along > 4).sort((a, b) => a.cost - b.cost)[0];
  if (!next) return;
  event.preventDefault();
  next.button.focus();
}

/** Coinche's bids: a value for each line, a suit for each column. */
function BidGrid({ bids, verdicts, deck, onAct, live }) {
  const values = [...new Set(bids.map((bid) => bid.value))];
  const at = (value, suit) => bids.find((bid) => bid.value === value && bid.suit === suit);
  return html`<div class="bids" style=${{ "--values": values.length }}>
    <span class="corner" aria-hidden="true" />
    ${values.map((value) => html`<span class="bid-value" aria-hidden="true">${value}</span>`)}
    ${SUITS.map(
      (suit) => html`<span class="bid-suit" aria-hidden="true"><${SuitMark} suit=${suit} /></span>
        ${values.map((value) => {
          const bid = at(value, suit);
          return bid
            ? html`<button type="button" class=${classes("bid", tint(suit), deck)}
                aria-label=${spoken(bid.label, deck)} disabled=${!live} onClick=${() => onAct(bid)}>
                <span>${value}<${SuitMark} suit=${suit} /></span>
                <${CardBar} verdict=${verdicts.get(bid.action)} />
              </button>`
            : html`<span />`;
        })}`,
    )}
  </div>`;
}

const Trumps = ({ actions, verdicts, deck, onAct, live }) => html`<div class="trumps">
  ${actions.map(
    (a) => html`<button type="button" key=${a.action} class="button trump-choice"
      aria-label=${spoken(a.label, deck)} disabled=${!live} onClick=${() => onAct(a)}>
      <${SuitMark} suit=${a.suit} /><span>${suitWord(a.suit, deck)}</span>
      <${CardBar} verdict=${verdicts.get(a.action)} />
    </button>`,
  )}
</div>`;

const MAIN = new Set(["pick", "close", "marriage", "coinche", "surcoinche"]);

function CallButton({ action, verdicts, deck, onAct, live }) {
  const verdict = verdicts.get(action.action);
  return html`<button
    type="button"
    class=${classes("button call", { on: MAIN.has(action.kind) })}
    title=${spoken(action.label, deck)}
    aria-label=${spoken(action.label, deck)}
    disabled=${!live}
    onClick=${() => onAct(action)}
  >
    <span>${marked(action.name, deck)}</span>
    ${verdict && html`<${CardBar} verdict=${verdict} />`}
  </button>`;
}
