// The editor of starships over the text field, which it fills and follows: both show one document, and the form sends the text.

import { hear } from "../site/events.js";
import { gettext } from "../site/words.js";
import { loadPieces, mount } from "../shipyard/editor.js";
import { StarshipTexts } from "./starship_texts.js";

const PAUSE = 250; // milliseconds without a key before the drawing follows the text

const section = document.querySelector("[data-shipyard]");
const field = document.querySelector("textarea.starship-document");
const proof = document.querySelector("[data-proof]");
if (section && field && proof) begin(section, field, proof);

/** @param {Part} section @param {Part} field @param {Part} proof */
async function begin(section, field, proof) {
  const found = await loadPieces(section).catch(() => null);
  if (!found) return; // the text can be edited all the same
  const [pieces, palette] = found;
  let timer = 0;
  section.hidden = false;
  const texts = new StarshipTexts((key, text) => {
    editor.show({ ...editor.document, [key]: text });
    write(editor.document);
  });
  const editor = mount(section, { document: read(field.value) ?? { rows: ["."] }, pieces, palette, onchange: write, beside: texts.element });
  follow();
  showProblems();
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, PAUSE);
  });
  hear("proof:shown", showProblems, proof);

  /** @param {StarshipDocument} document */
  function write(document) {
    clearTimeout(timer);
    field.value = JSON.stringify(document, null, 2);
    field.dispatchEvent(new Event("input", { bubbles: true })); // the proof follows
    clearTimeout(timer);
  }

  // Show what the text says; while that is no starship, nothing can be drawn.
  function follow() {
    const document = read(field.value);
    editor.pause(document ? null : gettext("The text below is not a starship. Mend it to go on drawing."));
    texts.element.toggleAttribute("inert", !document);
    if (!document) return;
    editor.show(document);
    texts.show(document);
  }

  function showProblems() {
    const told = proof.querySelector("[data-in-cells]")?.dataset.inCells;
    editor.showProblems(told ? JSON.parse(told) : []);
  }
}

// The document of a text; null if it has none with rows that can be drawn.
/** @param {string} text @returns {StarshipDocument | null} */
function read(text) {
  try {
    const document = JSON.parse(text);
    const { rows } = document ?? {};
    return Array.isArray(rows) && rows.length && rows.every((row) => typeof row === "string") ? document : null;
  } catch {
    return null;
  }
}
