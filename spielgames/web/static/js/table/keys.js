/** The keys of the table: one list for what they do and for the page that explains them. */
import { leave, say } from "../client.js";
import { lookAt, stepBy } from "../panels/replay.js";
import { toggleAnalysis } from "../panels/explain.js";
import { set, state } from "../store.js";
import { useEffect } from "../ui.js";

const panel = (name) => () => set({ panel: name });
const dialog = (name) => () => set({ dialog: name });
const focus = (selector) => () => document.querySelector(selector)?.focus();
const atTable = (what) => () => state.view && say(what, { at: state.view.at });

/** @type {[string, string, () => void, ((view: object) => boolean)?][]} */
export const KEYS = [
  ["h", "go to your hand", focus('.hand button[tabindex="0"]')],
  ["b", "go to bids and other buttons", focus(".calls button, .prompt button")],
  ["l", "show the last trick", dialog("last")],
  ["t", "show all tricks of the deal", dialog("tricks")],
  ["u", "take back your last move", atTable("undo"), (v) => v.can.undo],
  ["c", "claim: the rest is decided", atTable("claim"), (v) => v.can.claim],
  ["n", "next deal", atTable("next"), (v) => v.can.next],
  ["r", "look back at the finished deal", () => lookAt({ deal: state.view.deal, step: 0 }), (v) => v.can.review],
  [",", "one step back, when looking back", () => stepBy(-1)],
  [".", "one step on, when looking back", () => stepBy(1)],
  ["a", "start or stop analysis", toggleAnalysis],
  ["g", "show the log", panel("log")],
  ["p", "show where the unseen cards may be", panel("belief")],
  ["s", "settings", dialog("settings")],
  ["?", "these keys", dialog("keys")],
  ["q", "leave the table", leave],
];

const typing = (target) => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "range";

function pressed(event, view) {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const key = KEYS.find(([name]) => name === event.key.toLowerCase());
  if (!key || (key[3] && !key[3](view))) return;
  event.preventDefault();
  key[2]();
}

/** Keys work wherever the focus is, except where one types. */
export function useKeys(view) {
  useEffect(() => {
    const listener = (event) => pressed(event, view);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
  useEffect(focusMoves, [view.at, view.actions.length]);
}

let byKeyboard = false;
addEventListener("keydown", (event) => (byKeyboard ||= !typing(event.target)), true);
addEventListener("pointerdown", () => (byKeyboard = false), true);

/** Who plays with the keyboard, and lost the focus with a button that is gone, finds it again. */
function focusMoves() {
  if (!byKeyboard || document.activeElement !== document.body) return;
  document.querySelector('.calls button, .hand button[tabindex="0"]')?.focus();
}
