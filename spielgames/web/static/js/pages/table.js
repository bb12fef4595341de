/** The table: seats around the trick, one's hand below, panels beside. */
import { Deck } from "../cards/card.js";
import { act, actAll } from "../client.js";
import { Dialogs } from "../panels/dialogs.js";
import { Side } from "../panels/side.js";
import { Replay } from "../panels/replay.js";
import { useAutomatic } from "../panels/explain.js";
import { verdictsAt } from "../panels/bars.js";
import { preferences } from "../preferences.js";
import { set } from "../store.js";
import { Calls } from "../table/calls.js";
import { useFrames } from "../table/frames.js";
import { Hand } from "../table/hand.js";
import { useKeys } from "../table/keys.js";
import { Live } from "../table/live.js";
import { callsOf, choosing, handCardsOf, isMine, seating } from "../table/moves.js";
import { Piles } from "../table/piles.js";
import { Prompt } from "../table/prompt.js";
import { Ending } from "../table/ending.js";
import { Bubble, Fan, Plate, Seat, bubble } from "../table/seat.js";
import { Top } from "../table/top.js";
import { Trick } from "../table/trick.js";
import { classes, html } from "../ui.js";

export const deckOf = (view) => (preferences.deck === "game" ? view.deck : preferences.deck);

export function Table({ state }) {
  const view = state.position ?? state.view;
  const deck = deckOf(view);
  const frames = useFrames(view);
  useKeys(view);
  useAutomatic(state);
  return html`<${Deck.Provider} value=${deck}>
    <div class=${classes("table-page", { replaying: state.position })} data-at=${view.at}>
      <${Top} view=${view} deck=${deck} />
      <main class="play">
        <${Around} view=${view} frames=${frames} deck=${deck} state=${state} />
        <${Mine} view=${view} frames=${frames} deck=${deck} state=${state} />
        ${state.position && html`<${Replay} state=${state} deck=${deck} />`}
      </main>
      <${Side} state=${state} view=${view} deck=${deck} />
      <${Dialogs} state=${state} view=${view} deck=${deck} />
      <${Live} view=${view} deck=${deck} />
    </div>
  <//>`;
}

function Around({ view, frames, deck, state }) {
  const others = seating(view).filter(({ place }) => place !== "bottom");
  const ended = view.over && !frames.behind && !state.position;
  return html`<div class=${`around for-${view.seats.length}`}>
    ${others.map(({ place, seat }) => html`<${Seat} key=${seat.seat} ...${{ view, seat, place, deck }} />`)}
    <div class="middle">
      <${Piles} view=${view} deck=${deck} />
      ${ended
        ? html`<${Ending} view=${view} deck=${deck} />`
        : html`<${Trick} view=${view} trick=${frames.trick} deck=${deck} onClick=${frames.skip} />`}
    </div>
  </div>`;
}

/** The seat at the bottom: its hand, and, where it is one's own, what one may do. */
function Mine({ view, frames, deck, state }) {
  const seat = view.seats[view.bottom];
  const turn = view.turn === seat.seat && !view.over;
  const hand = knownHand(view, seat);
  const held = hand.flat();
  const moves = handCardsOf(view, held);
  const choose = choosing(view);
  const verdicts = verdictsAt(state.analysis, view);
  const doing = (action) => {
    frames.skip();
    act(action);
  };
  const live = view.is === "view" && state.acted !== view.at;
  return html`<section class=${classes("mine", { turn, yours: isMine(view) })} aria-label="your place">
    <div class="mine-head">
      <${Plate} view=${view} seat=${seat} turn=${turn} />
      <${Prompt} view=${view} choose=${choose} chosen=${state.chosen} queue=${state.queue}
        deck=${deck} onDone=${() => actAll(state.chosen)} />
      <${Bubble} text=${bubble(view, seat)} deck=${deck} />
    </div>
    <${Calls} actions=${callsOf(view, held)} verdicts=${verdicts} deck=${deck} onAct=${doing} live=${live} />
    ${!hand.length && seat.cards > 0 && html`<${Fan} seat=${seat} />`}
    <${Hand} live=${live} view=${{ ...view, hand }} moves=${moves} choose=${choose} chosen=${state.chosen}
      verdicts=${verdicts} deck=${deck} onPlay=${doing} onChoose=${(chosen) => set({ chosen })} />
  </section>`;
}

/** The hand at the bottom, suit by suit: one's own, or as far as it is known. */
function knownHand(view, seat) {
  if (view.hand.length) return view.hand;
  const suits = new Map();
  for (const card of seat.hand.filter(Boolean)) {
    const suit = card.slice(-1);
    suits.set(suit, [...(suits.get(suit) ?? []), card]);
  }
  return [...suits.values()];
}
