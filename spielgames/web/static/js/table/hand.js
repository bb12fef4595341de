/** One's own hand: cards as buttons, with why they may not be played and what analysis says. */
import { Card } from "../cards/card.js";
import { CardBar, verdictWords } from "../panels/bars.js";
import { preferences } from "../preferences.js";
import { toast } from "../store.js";
import { cardWords, inDeck } from "../text.js";
import { classes, html, useEffect, useLayoutEffect, useRef, useState } from "../ui.js";

/**
 * @param {{view: import("../types.js").View, live: boolean, moves: Map<string, import("../types.js").Action>,
 *   choose: number, chosen: string[], verdicts: Map<number, object>, deck: string,
 *   onPlay: (action: object) => void, onChoose: (cards: string[]) => void}} props
 */
export function Hand(props) {
  const { view, moves } = props;
  const cards = view.hand.flat();
  const [current, setCurrent] = useState(null);
  const list = useRef(null);
  const stop = cards.includes(current) ? current : (cards.find((c) => moves.has(c)) ?? cards[0]);
  useKeptFocus(list, cards);
  if (!cards.length) return null;
  const starts = new Set(view.hand.map((suit) => suit[0]));
  return html`<ul
    class="hand"
    ref=${list}
    aria-label="your hand"
    style=${{ "--n": cards.length }}
    onKeyDown=${(event) => walk(event, list.current)}
  >
    ${cards.map(
      (card) => html`<${HandCard}
        key=${card}
        card=${card}
        first=${starts.has(card)}
        stop=${card === stop}
        onFocus=${() => setCurrent(card)}
        ...${props}
      />`,
    )}
  </ul>`;
}

/** A played card takes the focus with it: its neighbour gets it. */
function useKeptFocus(list, cards) {
  const place = useRef(-1);
  useLayoutEffect(() => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const lost = document.activeElement === document.body || !document.activeElement;
    if (lost && place.current >= 0 && buttons.length) {
      buttons[Math.min(place.current, buttons.length - 1)].focus();
    }
  }, [cards.join(" ")]);
  useEffect(() => {
    const follow = () => {
      const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
      place.current = buttons.indexOf(document.activeElement);
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, []);
}

/** Arrows walk along the hand; Home and End go to its ends. */
function walk(event, list) {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  buttons[(to + buttons.length) % buttons.length].focus();
}

function HandCard(props) {
  const { view, live, card, first, stop, moves, choose, chosen, verdicts, deck, onFocus } = props;
  const action = live ? moves.get(card) : undefined;
  const illegal = view.illegal.find((other) => other.card === card);
  const picked = chosen.includes(card);
  const shown = preferences.help !== "none";
  const why = illegal && inDeck(illegal.why, deck);
  const verdict = verdicts.get(moves.get(card)?.action);
  return html`<li class=${classes("slot", { first, picked })}>
    <button
      type="button"
      class=${classes("hand-card", { playable: action, dim: illegal && shown })}
      aria-label=${label(props, action, why, verdict)}
      aria-disabled=${action ? undefined : "true"}
      aria-pressed=${choose && action ? String(picked) : undefined}
      data-card=${card}
      tabindex=${stop ? 0 : -1}
      onFocus=${onFocus}
      onClick=${() => click(props, action, why)}
    >
      <${Card} name=${card} class=${classes({ best: verdict?.isBest, chosen: view.played?.name === card })} />
    </button>
    ${why && shown && html`<span class="why" aria-hidden="true">${why}</span>`}
    <${CardBar} verdict=${verdict} />
  </li>`;
}

function label({ view, card, choose, chosen, deck }, action, why, verdict) {
  const words = cardWords(card, deck);
  if (why) return `${words}, not playable: ${why}`;
  const worth = verdict ? `, ${verdictWords(verdict, view)}` : "";
  if (!action) return words + worth;
  const can = choose ? (chosen.includes(card) ? "chosen" : "may be chosen") : "playable";
  return `${words}, ${can}${worth}`;
}

function click({ card, choose, chosen, onPlay, onChoose }, action, why) {
  if (!action) return why && toast(`${why[0].toUpperCase()}${why.slice(1)}.`);
  if (!choose) return onPlay(action);
  const others = chosen.filter((other) => other !== card);
  const full = others.length >= choose ? others.slice(1) : others;
  return onChoose(chosen.includes(card) ? others : [...full, card]);
}
