// The cells as elements over the drawing: what has the focus, what a screen reader reads, what is selected.

import { placeOf, wordsOf } from "./cell_words.js";
import { make } from "./dom.js";
import { cellsOf } from "./problems.js";
import { holds } from "./selection.js";
import { gettext } from "../site/words.js";

export class CellGrid {
  /** @type {Part[]} */ cells = [];
  /** @type {Cell} */ at = [0, 0];
  /** @type {Board | null} */ #board = null;
  /** @type {Map<number, ShipProblem[]>} */ #problems = new Map();
  /** @type {Map<number, string[]>} */ #notes = new Map(); // what else is said of cells
  /** @type {Area | null} */ #selection = null;

  /** @param {Record<string, string>} words */
  constructor(words) {
    this.words = words;
    this.element = make("div", { className: "yard-grid", role: "grid", "aria-label": gettext("Starship cells"), "aria-multiselectable": "true" });
  }

  // Show a board: cells that have changed get other words.
  /** @param {Board} board */
  show(board) {
    const before = this.#board;
    this.#board = board;
    if (!before || before.width !== board.width || before.height !== board.height) this.#build(board);
    for (const [index, token] of board.cells.entries()) {
      if (before && token === before.cells[index] && before.width === board.width) continue;
      const [x, y] = [index % board.width, Math.floor(index / board.width)];
      for (const [column, row] of [[x, y], [x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]) this.#label(column ?? 0, row ?? 0);
    }
  }

  /** @param {Board} board */
  #build({ width, height }) {
    const focused = this.element.contains(document.activeElement);
    this.cells = Array.from({ length: width * height }, (_, index) => make("div", { role: "gridcell", tabIndex: -1, "aria-colindex": (index % width) + 1, "data-column": index % width, "data-row": Math.floor(index / width) }));
    const rows = Array.from({ length: height }, (_, y) => make("div", { role: "row", "aria-rowindex": y + 1 }, ...this.cells.slice(y * width, (y + 1) * width)));
    this.element.replaceChildren(...rows);
    this.element.setAttribute("aria-colcount", width);
    this.element.setAttribute("aria-rowcount", height);
    this.moveTo([Math.min(this.at[0], width - 1), Math.min(this.at[1], height - 1)], focused);
  }

  /** @param {number} x @param {number} y */
  #label(x, y) {
    const cell = this.cell(x, y);
    if (!cell || !this.#board) return;
    const index = y * this.#board.width + x;
    const problems = this.#problems.get(index) ?? [];
    const told = [placeOf(x, y), wordsOf(this.#board, x, y, this.words), ...(this.#notes.get(index) ?? []), ...problems.map(({ detail }) => detail)].join(": ");
    cell.setAttribute("aria-label", told);
    cell.classList.toggle("has-error", problems.some(({ severity }) => severity !== "warning"));
    cell.classList.toggle("has-warning", problems.length > 0 && problems.every(({ severity }) => severity === "warning"));
  }

  /** @param {number} x @param {number} y */
  cell(x, y) {
    const { width = 0, height = 0 } = this.#board ?? {};
    return x >= 0 && y >= 0 && x < width && y < height ? this.cells[y * width + x] ?? null : null;
  }

  // Let another cell be the one that Tab comes to, and that keys are about.
  /** @param {Cell} to @param {boolean} [focus] */
  moveTo(to, focus = false) {
    this.cell(...this.at)?.setAttribute("tabindex", -1);
    this.at = to;
    const cell = this.cell(...to);
    cell?.setAttribute("tabindex", 0);
    if (focus) cell?.focus();
  }

  /** @param {Area | null} selection */
  select(selection) {
    if (!this.#board) return;
    const { width } = this.#board;
    for (const [index, cell] of this.cells.entries()) {
      const [x, y] = [index % width, Math.floor(index / width)];
      const [was, is] = [holds(this.#selection, x, y), holds(selection, x, y)];
      if (was !== is || !cell.hasAttribute("aria-selected")) cell.setAttribute("aria-selected", String(is));
    }
    this.#selection = selection;
  }

  /** @param {ShipProblem[]} problems */
  showProblems(problems) {
    const { width = 1 } = this.#board ?? {};
    const before = [...this.#problems.keys()];
    this.#problems = new Map();
    for (const problem of problems) {
      for (const [x, y] of cellsOf(problem)) this.#problems.set(y * width + x, [...(this.#problems.get(y * width + x) ?? []), problem]);
    }
    for (const index of new Set([...before, ...this.#problems.keys()])) this.#label(index % width, Math.floor(index / width));
  }

  // Say something else of cells, by their places in reading order.
  /** @param {Map<number, string[]>} notes */
  showNotes(notes) {
    const { width = 1 } = this.#board ?? {};
    const before = this.#notes;
    this.#notes = notes;
    for (const index of new Set([...before.keys(), ...notes.keys()])) {
      if (`${before.get(index)}` !== `${notes.get(index)}`) this.#label(index % width, Math.floor(index / width));
    }
  }
}
