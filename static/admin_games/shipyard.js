// The editor of starships over the text field, which it fills and follows: both show one document, and the form sends the text. Until
// that is saved, this browser keeps it.

import { listen } from "../site/events.js";
import { gettext } from "../site/words.js";
import { Asker } from "../shipyard/asker.js";
import { isTooLarge } from "../shipyard/board.js";
import { DraftCalls } from "../shipyard/draft_calls.js";
import { loadPieces, mount, tooLarge } from "../shipyard/editor.js";
import { KeptText } from "./kept_text.js";
import { StarshipTexts } from "./starship_texts.js";

const PAUSE = 250; // milliseconds without a key before the drawing follows the text

const section = document.querySelector("[data-shipyard]");
const field = document.querySelector("textarea.starship-document");
const proof = document.querySelector("[data-proof]");
if (section && field && proof) begin(section, field, proof);

/** @param {Part} section @param {Part} field @param {Part} proof */
async function begin(section, field, proof) {
  const kept = new KeptText(field, section.dataset);
  const found = await loadPieces(section).catch(() => null);
  if (!found) return; // the text can be edited all the same
  const [pieces, palette] = found;
  let timer = 0;
  section.hidden = false;
  const texts = new StarshipTexts((key, text) => {
    editor.show({ ...editor.document, [key]: text });
    write(editor.document);
  });
  const editor = mount(section, { document: read(field.value) ?? { rows: ["."] }, pieces, palette, onchange: write, beside: texts.element, outlook: true });
  const calls = new DraftCalls({ draft: "", drafts: "", check: "", outlook: section.dataset.outlook, token: field.form.elements.csrfmiddlewaretoken.value });
  const outlook = new Asker({ ask: (value) => calls.outlook(value), tell: (state) => editor.showOutlook(state) });
  follow();
  showProblems();
  kept.offer();
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, PAUSE);
  });
  field.form.elements.seats_most?.addEventListener("change", follow);
  addEventListener("online", () => outlook.again());
  listen("proof:shown", showProblems, proof);

  /** @param {StarshipDocument} document */
  function write(document) {
    clearTimeout(timer);
    field.value = JSON.stringify(document, null, 2);
    field.dispatchEvent(new Event("input", { bubbles: true })); // the proof follows
    clearTimeout(timer);
    look(document);
  }

  // Show what the text says; while that is no starship, nothing can be drawn.
  function follow() {
    const document = read(field.value);
    const refusal = document ? (isTooLarge(document.rows) ? tooLarge() : null) : gettext("The text below is not a starship. Fix it to continue drawing.");
    editor.pause(refusal);
    texts.element.toggleAttribute("inert", refusal !== null);
    if (!document || refusal) return;
    editor.show(document);
    texts.show(document);
    look(document);
  }

  /** @param {StarshipDocument} document */
  function look(document) {
    outlook.change({ document, ruleset: "", players: Number(field.form.elements.seats_most?.value) || 1 });
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
