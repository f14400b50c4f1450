// The cells on which a robot may come back, on the board: a click chooses one. What the form sends are its own choices.

import { listen } from "../site/events.js";
import { need } from "../site/need.js";
import { CELL, made } from "./geometry.js";

/** @type {(() => void) | null} */
let show = null; // puts the cells of the panel on the page onto the board

/** @param {Part} group */
export function showSpots(group) {
  const fold = group.closest("details");
  if (!fold) return;
  const layer = made("g", {});
  const cells = [...group.querySelectorAll("[data-spot]")].map((label) => {
    const [x = 0, y = 0] = label.dataset.spot.split(",").map(Number);
    const choice = need(label, "input");
    const place = { x: x * CELL + 2, y: y * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 4, class: "board-spot" };
    const cell = layer.appendChild(made("rect", place));
    cell.addEventListener("click", () => {
      if (choice.matches(":disabled")) return;
      choice.checked = true;
      mark();
    });
    return { cell, choice };
  });
  // Only while one chooses: else they would be in the way of the board.
  if (!show) listen("parts:fresh", () => show?.()); // the board may be another
  show = () => {
    if (fold.open && fold.isConnected) document.querySelector("[data-board] > svg")?.append(layer);
    else layer.remove();
  };
  group.addEventListener("change", mark);
  fold.addEventListener("toggle", show);
  mark();
  show();

  function mark() {
    for (const { cell, choice } of cells) cell.classList.toggle("is-chosen", choice.checked);
  }
}
