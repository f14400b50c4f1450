// A mission's lesson: a note and its pins on the board light up together, whichever of them is pointed at; a pin tells its note.
// Listens to the document alone, so that both may be drawn again.

import { listen } from "../site/events.js";

const NOTE = "[data-note]";
const PIN = ".pins [data-letter]";

showLesson();
document.querySelector(".lesson-hints")?.scrollIntoView({ block: "nearest" }); // on a phone the dock covers what is below the board
listen("parts:fresh", showLesson);

// Where the pointer is at nothing of a lesson, the note that has the focus stays lit.
document.addEventListener("pointerover", ({ target }) => light(letterOf(target) ?? letterOf(document.activeElement)));
document.addEventListener("focusin", ({ target }) => light(letterOf(target)));
document.addEventListener("focusout", () => light(null));

/** @param {EventTarget | null} target */
function letterOf(target) {
  if (!(target instanceof Element)) return null;
  const found = target.closest(NOTE) ?? target.closest(PIN);
  return found?.dataset.note ?? found?.dataset.letter ?? null;
}

function showLesson() {
  for (const pin of document.querySelectorAll(PIN)) {
    const note = document.querySelector(`[data-note="${pin.dataset.letter}"] [data-note-text]`);
    if (note) pin.dataset.tip = note.textContent;
  }
}

/** @param {string | null} letter */
function light(letter) {
  for (const note of document.querySelectorAll(NOTE)) note.classList.toggle("is-lit", note.dataset.note === letter);
  for (const pin of document.querySelectorAll(PIN)) {
    pin.classList.toggle("is-lit", pin.dataset.letter === letter);
    pin.parentElement?.classList.toggle("has-lit", letter !== null);
  }
}
