/** All that the page knows, in one object, and who wants to hear of its changes. */
import { useLayoutEffect, useState } from "./ui.js";

const START = {
  connection: "connecting", // open, waiting
  hello: null,
  opening: false, // whether a table has been asked for; the first of a game compiles for a while
  opened: null, // the links of a table just opened
  view: null,
  looking: null, // {deal, step, eyes}: the position of a finished deal that was asked for
  position: null, // that position, once it is here
  compiling: false, // whether something that one waits for is being compiled
  analysis: null,
  analysing: false, // whether analysis goes along with the game
  belief: null,
  review: null,
  reviewing: false,
  revealed: [], // the steps of mistakes whose better action is shown
  rules: null,
  transcript: null,
  chosen: [], // cards selected, to pass or to bury
  acted: null, // the `at` of the view that was answered last
  queue: [], // chosen cards that are still to be sent
  panel: "log",
  dialog: null,
  toasts: [],
};

export const state = { ...START };
const listeners = new Set();

/** @param {Partial<typeof START>} changes */
export function set(changes) {
  Object.assign(state, changes);
  for (const listener of listeners) listener();
}

/** Forgets the table, as when one leaves it. */
export function clearTable() {
  const { connection, hello, toasts } = state;
  set({ ...START, connection, hello, toasts });
}

/** Makes a component follow the store, from its first drawing on: what the server says may come before
 * effects that wait for the next frame. */
export function useStore() {
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return state;
}

let toasts = 0;

/** Says something in one sentence, for a while. */
export function toast(says, kind = "note") {
  const id = ++toasts;
  const others = state.toasts.filter((other) => other.says !== says).slice(-2);
  set({ toasts: [...others, { id, says, kind }] });
  setTimeout(() => dismiss(id), 4000 + 60 * says.length);
}

export const dismiss = (id) => set({ toasts: state.toasts.filter((other) => other.id !== id) });
