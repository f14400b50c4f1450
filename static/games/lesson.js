// A mission's lesson: a note and its pins on the board light up together, whichever of them is pointed at; a pin tells its note.
// Listens to the document alone, so that both may be drawn anew.

const NOTE = "[data-note]";
const PIN = ".pins [data-number]";

tell();
document.addEventListener("parts:fresh", tell);

// Where the pointer is at nothing of a lesson, the note that has the focus stays lit.
document.addEventListener("pointerover", ({ target }) => light(numberOf(target) ?? numberOf(document.activeElement)));
document.addEventListener("focusin", ({ target }) => light(numberOf(target)));
document.addEventListener("focusout", () => light(null));

function numberOf(target) {
  if (!(target instanceof Element)) return null;
  const found = target.closest(NOTE) ?? target.closest(PIN);
  return found?.dataset.note ?? found?.dataset.number ?? null;
}

function tell() {
  for (const pin of document.querySelectorAll(PIN)) {
    const note = document.querySelector(`[data-note="${pin.dataset.number}"] [data-note-text]`);
    if (note) pin.dataset.tip = note.textContent;
  }
}

function light(number) {
  for (const note of document.querySelectorAll(NOTE)) note.classList.toggle("is-lit", note.dataset.note === number);
  for (const pin of document.querySelectorAll(PIN)) {
    pin.classList.toggle("is-lit", pin.dataset.number === number);
    pin.parentNode.classList.toggle("has-lit", number !== null);
  }
}
