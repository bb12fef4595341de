/** What this reader prefers, kept in the browser from visit to visit. */
const KEY = "spielgames";
const DEFAULTS = {
  theme: "auto", // light, dark
  colours: 4, // 2: hearts and diamonds red, clubs and spades black
  deck: "game", // french, german; or as the game suggests
  help: "legal", // none, legal, ranked, values
  slow: 1, // how long a trick stays, relative
  name: "",
  worlds: 160, // of an analysis
  reviewWorlds: 100,
  agent: "", // that analyses: the game's best
  question: "worlds",
  assume: "nothing", // about how the others play, of where the unseen cards may be
  recent: [], // the tables sat at: {link, title, number}
};

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // storage is forbidden, or holds something else
  }
}

export const preferences = read();

/** Changes some preferences, and keeps them. */
export function prefer(changes) {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // then they last as long as the page
  }
  dress();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", dress);

/** Tells the style sheets the theme and the colours of suits. */
export function dress() {
  const { theme, colours } = preferences;
  const root = document.documentElement;
  root.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  root.dataset.colours = String(colours);
}

/** Remembers a table that one sat at, the latest first. */
export function remember(link, title, number) {
  const others = preferences.recent.filter((table) => table.link !== link);
  prefer({ recent: [{ link, title, number }, ...others].slice(0, 5) });
}

export function forget(link) {
  prefer({ recent: preferences.recent.filter((table) => table.link !== link) });
}
