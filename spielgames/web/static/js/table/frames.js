/** Tricks as they came about, card by card, where several were played since the last view. */
import { preferences } from "../preferences.js";
import { useEffect, useRef, useState } from "../ui.js";

const OWN = 120;
const CARD = 420;
const FULL_TRICK = 1300;
const MANY = 12; // frames behind: hurry

/** The tricks to show one after the other, before that of the view itself.
 * @param {import("../types.js").View} view */
export function framesOf(view) {
  const frames = [];
  view.log.forEach((entry, i) => {
    if (i < view.fresh || entry.kind !== "play") return;
    const played = view.log.slice(0, i + 1);
    const cards = played.filter((e) => e.kind === "play" && e.trick === entry.trick);
    const full = cards.length === view.seats.length;
    const whole = view.tricks.find((trick) => trick.number === entry.trick);
    frames.push({
      number: entry.trick,
      cards: cards.map(({ seat, card }) => ({ seat, card })),
      winner: full && whole ? whole.winner : null,
      hold: full ? FULL_TRICK : entry.seat === view.you ? OWN : CARD,
    });
  });
  return frames;
}

const sameCards = (a, b) => a.number === b.number && a.cards.length === b.cards.length;

/** The trick to draw now, whether older ones are still to be shown, and how to skip those.
 * @param {import("../types.js").View} view */
export function useFrames(view) {
  const queue = useRef([]);
  const seen = useRef("");
  const [, redraw] = useState(0);
  const key = `${view.is} ${view.table} ${view.at} ${view.step ?? ""}`;
  if (seen.current !== key) {
    const fresh = view.is === "view" ? framesOf(view) : [];
    const first = seen.current === "";
    seen.current = key;
    queue.current = first || !fresh.length ? [] : [...queue.current, ...fresh];
  }
  const frame = queue.current[0];
  useEffect(() => {
    if (!frame) return undefined;
    const hurry = queue.current.length > MANY ? 0.2 : 1;
    const last = queue.current.length === 1 && sameCards(frame, view.trick);
    const timer = setTimeout(
      () => {
        queue.current = queue.current.slice(1);
        redraw((n) => n + 1);
      },
      last ? 0 : frame.hold * hurry * preferences.slow,
    );
    return () => clearTimeout(timer);
  }, [frame]);
  const skip = () => {
    queue.current = [];
    redraw((n) => n + 1);
  };
  return { trick: frame ?? view.trick, behind: Boolean(frame), skip };
}
