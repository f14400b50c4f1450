// The cells on which a robot may come back, on the board: a click chooses one. What the form sends are its own choices.

const CELL = 32; // user units of the drawing
const SVG = "http://www.w3.org/2000/svg";

export function showSpots(group) {
  const fold = group.closest("details");
  const board = document.querySelector("[data-board] > svg");
  if (!fold || !board) return;
  const layer = document.createElementNS(SVG, "g");
  const cells = [...group.querySelectorAll("[data-spot]")].map((label) => {
    const [x, y] = label.dataset.spot.split(",").map(Number);
    const cell = layer.appendChild(document.createElementNS(SVG, "rect"));
    const choice = label.querySelector("input");
    const place = { x: x * CELL + 2, y: y * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 4, class: "board-spot" };
    for (const [key, value] of Object.entries(place)) cell.setAttribute(key, value);
    cell.addEventListener("click", () => {
      if (choice.matches(":disabled")) return;
      choice.checked = true;
      mark();
    });
    return { cell, choice };
  });
  group.addEventListener("change", mark);
  fold.addEventListener("toggle", show);
  mark();
  show();

  function mark() {
    for (const { cell, choice } of cells) cell.classList.toggle("is-chosen", choice.checked);
  }

  // Only while one chooses: else they would be in the way of the board.
  function show() {
    if (fold.open) board.append(layer);
    else layer.remove();
  }
}
