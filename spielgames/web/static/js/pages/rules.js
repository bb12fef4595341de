/** A game's rules, on a page of their own. */
import { html } from "../ui.js";

const block = (text) => {
  const lines = text.split("\n");
  if (text.startsWith("## ")) {
    const rest = lines.slice(1).join("\n");
    return html`<h2>${lines[0].slice(3)}</h2>${rest && block(rest)}`;
  }
  if (text.startsWith("- ")) {
    const items = text.slice(2).split(/\n- /);
    return html`<ul>${items.map((item) => html`<li>${item.replaceAll("\n", " ")}</li>`)}</ul>`;
  }
  return html`<p>${text.replaceAll("\n", " ")}</p>`;
};

/** Back to the table or the opening page one came from. */
const back = () => (history.length > 1 ? history.back() : (location.hash = ""));

export function Rules({ rules }) {
  return html`<article class="rules">
    <p><button type="button" class="button" onClick=${back}>← Back</button></p>
    <h1>${rules.title}</h1>
    ${rules.text.split(/\n\s*\n/).filter(Boolean).map((text) => block(text.trim()))}
  </article>`;
}
