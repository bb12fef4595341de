/** What is said to the server, and what becomes of its answers. */
import { forget, preferences, remember } from "./preferences.js";
import { Connection } from "./socket.js";
import { clearTable, set, state, toast } from "./store.js";
import { handCardsOf } from "./table/moves.js";

let connection;

export function start() {
  connection = new Connection({ message: receive, state: connectionIs });
  addEventListener("hashchange", follow);
}

export const retry = () => connection.now();

/** @param {string} what @param {object} fields */
export function say(what, fields = {}) {
  const sent = connection.send({ do: what, ...fields });
  if (!sent) toast("There is no connection to the table: trying again.", "error");
  return sent;
}

function connectionIs(now, wait = 0) {
  set({ connection: now, retryAt: Date.now() + wait, opening: false });
  if (now === "open") follow();
}

/** Goes where the address says: to a table, a deal, or the opening page. */
function follow() {
  const address = decodeURIComponent(location.hash.slice(1));
  if (address.startsWith("rules=")) return openRules(address.slice(6));
  set({ rules: null });
  if (address.startsWith("deal=")) return say("import", { code: address.slice(5) });
  if (address.includes(".")) return join(address);
  if (state.view) connection.send({ do: "leave" }); // by the browser's back button
  return clearTable();
}

function openRules(game) {
  say("rules", { game });
}

function join(address) {
  const dot = address.indexOf(".");
  const [table, token] = [address.slice(0, dot), address.slice(dot + 1)];
  if (state.view && state.view.table !== table) clearTable();
  say("join", { table, token, name: preferences.name });
}

const handlers = {
  hello: (m) => set({ hello: m }),
  opened,
  view: (m) => viewed(tidy(m)),
  position: (m) => state.looking && set({ position: placed(m) }),
  analysis: (m) => m.cancelled || set({ analysis: m }),
  belief: (m) => m.cancelled || set({ belief: m }),
  review: (m) => set(m.cancelled ? { reviewing: false, ...ended(state.review) } : { review: m }),
  rules: (m) => set({ rules: m }),
  transcript: (m) => set({ transcript: m, dialog: "transcript" }),
  compiling: (m) => set({ compiling: !m.done }),
  note: (m) => toast(sentence(m.says)),
  error: failed,
  closed: (m) => {
    toast(sentence(m.says), "error");
    forget(location.hash);
    leave();
  },
};

/** A review that another question has stopped keeps what it found. */
const ended = (review) => (review ? { review: { ...review, done: true } } : {});

function receive(message) {
  handlers[message.is]?.(message);
}

/** The server begins in small letters, as its commands do. */
const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;

function failed(m) {
  set({ queue: [], acted: null, opening: false });
  toast(sentence(m.says), "error");
  const wantsTable = location.hash.length > 1 && !location.hash.startsWith("#rules=");
  if (wantsTable && !state.view) {
    forget(location.hash); // the table of this address is gone, or the link is wrong
    leave();
  }
}

function opened(m) {
  clearTable();
  const own = m.links.find((link) => link.you)?.link ?? m.all ?? m.watch;
  history.pushState(null, "", own);
  const invites = m.links.some((link) => !link.you);
  set({ opened: m, dialog: invites ? "invite" : null });
  keepLinks(m);
}

/** The links of a table outlast a reload, for the one who opened it. */
function keepLinks(m) {
  try {
    sessionStorage.setItem(`links ${m.table}`, JSON.stringify(m));
  } catch {
    // then they are shown until a reload
  }
}

export function linksOf(table) {
  if (state.opened?.table === table) return state.opened;
  try {
    return JSON.parse(sessionStorage.getItem(`links ${table}`));
  } catch {
    return null;
  }
}

/** A view has a trick in any case. */
const tidy = (view) => ({ ...view, trick: view.trick ?? { number: 0, cards: [], winner: null } });

/** A position as if it were on the table, seen from one's own seat unless another is asked for. */
function placed(position) {
  const { table, can, settings, match } = state.view;
  const bottom = position.eyes === "all" ? (position.you ?? position.bottom) : position.bottom;
  const none = { illegal: [], choose: 0, prompt: "", thinking: false, at: "", fresh: position.log.length };
  const later = { table, can, settings, match };
  return { ...none, ...later, ...state.looking, ...tidy(position), bottom };
}

/** @param {import("./types.js").View} view */
function viewed(view) {
  const before = state.view;
  if (!location.hash.startsWith(`#${view.table}.`) && !state.rules) return; // of a table just left
  const moved = before?.at !== view.at;
  const stays = before?.table === view.table && before?.deal === view.deal;
  set({
    view,
    chosen: stays ? state.chosen.filter((card) => view.hand.flat().includes(card)) : [],
    queue: stays ? state.queue : [],
    ...(moved && !state.position ? { analysis: null, belief: null } : {}),
    ...(stays && view.over ? {} : { position: null, looking: null, review: null, revealed: [] }),
  });
  if (before?.table !== view.table) remember(view.link ?? location.hash, view.title, view.number);
  sendQueue(view);
}

/** Sends the next of several chosen cards, once it is their turn. */
function sendQueue(view) {
  const [next, ...rest] = state.queue;
  const action = next && handCardsOf(view).get(next);
  if (!action) return;
  set({ queue: rest });
  act(action);
}

/** Plays an action, once: a second click before the answer does nothing.
 * @param {import("./types.js").Action} action */
export function act(action) {
  const { at } = state.view;
  if (state.acted !== at && say("act", { action: action.action, at })) set({ acted: at });
}

/** Passes or buries the chosen cards, one after the other. */
export function actAll(cards) {
  set({ queue: cards, chosen: [] });
  sendQueue(state.view);
}

export function leave() {
  if (state.view) connection.send({ do: "leave" });
  history.pushState(null, "", location.pathname);
  clearTable();
}
