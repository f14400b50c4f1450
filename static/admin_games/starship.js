// The proof of a starship while it is typed; without a script the Preview button does the same.

import { emit } from "../site/events.js";
import { need } from "../site/need.js";
import { gettext } from "../site/words.js";

const PAUSE = 400; // milliseconds without a key before the server is asked

const section = document.querySelector("[data-proof]");
const field = document.querySelector("textarea.starship-document");
if (section && field) begin(section, field);

/** @param {Part} section @param {Part} field */
function begin(section, field) {
  const proof = need(section, ".proof");
  const upload = document.querySelector("input[type=file][name=upload]");
  let timer = 0;
  let asked = new AbortController();

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(renew, PAUSE);
  });
  need(section, "button[name=_preview]").addEventListener("click", (event) => {
    if (upload?.files?.length) return; // the server reads the file
    event.preventDefault();
    renew();
  });
  upload?.addEventListener("change", () => {
    if (upload.files?.length) need(section, "button[name=_preview]").click();
  });
  proof.addEventListener("click", (event) => {
    const problem = event.target.closest("button[data-row]");
    if (problem) select(field, Number(problem.dataset.row), Number(problem.dataset.column));
  });
  makeButtons(proof);

  async function renew() {
    asked.abort();
    asked = new AbortController();
    proof.setAttribute("aria-busy", "true");
    try {
      show(await ask(asked.signal));
      emit("proof:shown", {}, section);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      say(error instanceof Refusal ? error.message : gettext("The server isn’t responding. Try again later."));
    }
    proof.removeAttribute("aria-busy");
  }

  /** @param {AbortSignal} signal */
  async function ask(signal) {
    const body = new FormData();
    body.set("document", field.value);
    body.set("csrfmiddlewaretoken", field.form.elements.csrfmiddlewaretoken.value);
    const answer = await fetch(section.dataset.proof, { method: "POST", body, signal });
    if (answer.redirected) throw new Refusal(gettext("You are logged out. Log in again in another window."));
    if (answer.status === 413 || answer.status === 400) throw new Refusal(gettext("A starship can be at most 1 MB in size."));
    if (!answer.ok) throw new Refusal(gettext("The server couldn’t draw this ship ({status}).", { status: answer.status }));
    return answer.text();
  }

  // While there is nothing to draw, the last drawing stays, faded.
  /** @param {string} html */
  function show(html) {
    const before = proof.querySelector(".proof-drawing");
    proof.innerHTML = html;
    makeButtons(proof);
    if (before && !proof.querySelector(".proof-drawing")) {
      before.classList.add("is-stale");
      proof.append(before);
    }
  }

  /** @param {string} sentence */
  function say(sentence) {
    const line = document.createElement("p");
    line.className = "proof-verdict is-bad";
    line.textContent = sentence;
    proof.querySelector(".proof-verdict")?.replaceWith(line);
  }
}

class Refusal extends Error {}

// A problem with a place leads to that place in the text.
/** @param {Part} proof */
function makeButtons(proof) {
  for (const item of proof.querySelectorAll("li[data-row]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.row = item.dataset.row;
    button.dataset.column = item.dataset.column ?? "";
    button.append(...item.childNodes);
    item.append(button);
  }
}

/** @param {Part} field @param {number} row @param {number} column */
function select(field, row, column) {
  const range = findCell(field.value, row, column);
  if (!range) return;
  field.focus();
  field.setSelectionRange(range[0], range[1]);
  const line = field.value.slice(0, range[0]).split("\n").length;
  const height = parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (line - 4) * height);
}

// Start and end of a cell in the text, or of its whole row; both are counted from 1.
/** @param {string} text @param {number} row @param {number} column */
function findCell(text, row, column) {
  const rows = /"rows"\s*:\s*\[/g;
  if (!rows.exec(text)) return null;
  const strings = /"((?:[^"\\]|\\.)*)"/g;
  strings.lastIndex = rows.lastIndex;
  let found = null;
  for (let number = 0; number < row; number += 1) found = strings.exec(text);
  if (!found) return null;
  const start = found.index + 1;
  const cells = [...found[1].matchAll(/\S+/g)];
  const cell = column ? cells[column - 1] : null;
  return cell ? [start + cell.index, start + cell.index + cell[0].length] : [start, start + found[1].length];
}
