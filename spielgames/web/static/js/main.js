/** The page: which of its pages to show, and what lies over all of them. */
import { Sprite } from "./cards/suits.js";
import { retry, start } from "./client.js";
import { COMPILING } from "./panels/explain.js";
import { Home } from "./pages/home.js";
import { Rules } from "./pages/rules.js";
import { Table } from "./pages/table.js";
import { dress } from "./preferences.js";
import { dismiss, useStore } from "./store.js";
import { html, render } from "./ui.js";

function Page({ state }) {
  if (state.rules) return html`<${Rules} rules=${state.rules} />`;
  if (state.view) return html`<${Table} state=${state} />`;
  if (location.hash.length > 1) return html`<p class="loading">Looking for the table …</p>`;
  if (!state.hello) return html`<p class="loading">Setting the table …</p>`;
  return html`<${Home} hello=${state.hello} />`;
}

function Connection({ state }) {
  if (state.connection === "open" || (state.connection === "connecting" && !state.hello)) return null;
  const waiting = state.connection === "waiting";
  return html`<div class="banner" role="status">
    ${waiting ? "The connection is lost: trying again …" : "Connecting again …"}
    ${waiting && html`<button type="button" class="button compact" onClick=${retry}>Now</button>`}
  </div>`;
}

const Compiling = () => html`<p class="notice" role="status">${COMPILING} …</p>`;

const Toasts = ({ toasts }) => html`<div class="toasts" role="status">
  ${toasts.map(
    (toast) => html`<div class=${`toast ${toast.kind}`} key=${toast.id}>
      <span>${toast.says}</span>
      <button type="button" aria-label="dismiss" onClick=${() => dismiss(toast.id)}>✕</button>
    </div>`,
  )}
</div>`;

function App() {
  const state = useStore();
  return html`<${Sprite} /><${Connection} state=${state} />${state.compiling && html`<${Compiling} />`}
    <${Page} state=${state} />
    <${Toasts} toasts=${state.toasts} />`;
}

dress();
const app = document.getElementById("app");
app.replaceChildren();
render(html`<${App} />`, app);
start();
