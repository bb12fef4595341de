/** Coming to what exists already: a table by its link, a deal by its text, its file or its code. */
import { say } from "../client.js";
import { toast } from "../store.js";
import { html, useState } from "../ui.js";

export function JoinByLink() {
  const [link, setLink] = useState("");
  const join = (event) => {
    event.preventDefault();
    const after = link.trim().split("#").at(-1);
    if (!after.includes(".")) return toast("A link ends in # and the table's name, a dot and a token.", "error");
    location.hash = after;
    return undefined;
  };
  return html`<form class="row" onSubmit=${join}>
    <input
      type="text"
      class="grow"
      placeholder="paste a link"
      aria-label="link of a table"
      value=${link}
      onInput=${(e) => setLink(e.target.value)}
    />
    <button type="submit" class="button">Join</button>
  </form>`;
}

const CODE = /^[a-z_]+\.[\w-]+$/i;

export function Import() {
  const [text, setText] = useState("");
  const load = async (event) => {
    const file = event.target.files[0];
    if (file) bring(await file.text());
  };
  const submit = (event) => {
    event.preventDefault();
    bring(text);
  };
  return html`<form class="stack" onSubmit=${submit}>
    <textarea
      placeholder="paste a transcript or the code of a deal"
      aria-label="transcript or code"
      value=${text}
      onInput=${(e) => setText(e.target.value)}
    />
    <div class="row">
      <button type="submit" class="button" disabled=${!text.trim()}>Open</button>
      <label class="button">
        Open a file<input class="hidden" type="file" accept=".txt,text/plain" onChange=${load} />
      </label>
    </div>
  </form>`;
}

function bring(text) {
  const short = text.trim().split("#deal=").at(-1);
  return CODE.test(short) ? say("import", { code: short }) : say("import", { text });
}
