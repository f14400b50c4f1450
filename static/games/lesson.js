// A mission's lesson: a note and its pins on the board light up together, whichever of them is pointed at.
// Listens to the document alone, so that both may be drawn anew.

const NOTE = "[data-note]";
const PIN = ".pins [data-number]";

// Where the pointer is at nothing of a lesson, the note that has the focus stays lit.
document.addEventListener("pointerover", ({ target }) => light(numberOf(target) ?? numberOf(document.activeElement)));
document.addEventListener("focusin", ({ target }) => light(numberOf(target)));
document.addEventListener("focusout", () => light(null));
document.addEventListener("pointerdown", ({ target }) => {
  const number = numberOf(target);
  if (number !== null && target.closest(PIN)) noteOf(number)?.scrollIntoView({ block: "nearest" });
});

function numberOf(target) {
  if (!(target instanceof Element)) return null;
  const found = target.closest(NOTE) ?? target.closest(PIN);
  return found?.dataset.note ?? found?.dataset.number ?? null;
}

function noteOf(number) {
  return document.querySelector(`[data-note="${number}"]`);
}

function light(number) {
  for (const note of document.querySelectorAll(NOTE)) note.classList.toggle("is-lit", note.dataset.note === number);
  for (const pin of document.querySelectorAll(PIN)) {
    pin.classList.toggle("is-lit", pin.dataset.number === number);
    pin.parentNode.classList.toggle("has-lit", number !== null);
  }
}
