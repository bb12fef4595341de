/** What every module draws with: Preact, its hooks, and `html`, which is written instead of JSX. */
import { Fragment, createContext, h, render } from "../vendor/preact.mjs";
import htm from "../vendor/htm.mjs";

export {
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/hooks.mjs";
export const html = htm.bind(h);
export { Fragment, createContext, render };

/** The names of CSS classes whose conditions hold: `classes("card", {dim: true})` is `card dim`. */
export function classes(...parts) {
  const names = parts.flatMap((part) =>
    part && typeof part === "object" ? Object.keys(part).filter((name) => part[name]) : part || [],
  );
  return names.join(" ");
}
