// What is wrong with the starship, each beside its cell: a button leads there, and another mends it where that is known.

import { Draft, isInside } from "./board.js";
import { placeOf, sentenceCase } from "./cell_words.js";
import { make } from "./dom.js";
import { gettext, ngettext } from "../site/words.js";

const NAMED = 3; // cells of a problem that are named

export class ProblemList {
  /** @param {ShipEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.heading = make("h3", {});
    this.list = make("ul", { className: "yard-problems" });
    this.element = make("section", { className: "yard-problem-box", "aria-label": gettext("Problems"), hidden: true }, this.heading, this.list);
  }

  /** @param {ShipProblem[]} problems */
  show(problems) {
    this.element.hidden = !problems.length;
    this.heading.textContent = ngettext("{number} problem", "{number} problems", problems.length);
    this.list.replaceChildren(...problems.map((problem) => this.#line(problem)));
  }

  /** @param {ShipProblem} problem */
  #line(problem) {
    const { detail, severity = "error", fix } = problem;
    const cells = cellsOf(problem);
    const place = placesOf(cells);
    const told = [make("strong", {}, severity === "warning" ? gettext("Warning") : gettext("Error")), make("span", {}, detail), ...(place ? [make("small", {}, place)] : [])];
    let next = 0; // of several cells, each press leads to the next one
    const line = cells.length ? make("button", { type: "button", className: "yard-problem", onclick: () => this.editor.lead(cells[next++ % cells.length] ?? [0, 0]) }, ...told) : make("p", { className: "yard-problem" }, ...told);
    return make("li", { className: `is-${severity}` }, line, fix ? make("button", { type: "button", className: "yard-text-button", onclick: () => this.#mend(fix) }, fix.label) : null);
  }

  /** @param {NonNullable<ShipProblem["fix"]>} fix */
  #mend({ label, cells }) {
    const draft = new Draft(this.editor.board);
    for (const { row, column, token } of cells) if (isInside(draft, column - 1, row - 1)) draft.set(column - 1, row - 1, token);
    this.editor.commit(label, draft.board);
    const [first] = cells;
    if (first) this.editor.lead([first.column - 1, first.row - 1]);
  }
}

// All cells that a problem is in.
/** @param {ShipProblem} problem @returns {Cell[]} */
export function cellsOf({ row, column, cells = [] }) {
  const places = cells.length || !row || !column ? cells : [{ row, column }];
  return places.map((place) => [place.column - 1, place.row - 1]);
}

/** @param {Cell[]} cells */
function placesOf(cells) {
  const named = cells.slice(0, NAMED).map(([x, y]) => placeOf(x, y));
  if (cells.length <= NAMED) return sentenceCase(named.join("; "));
  return sentenceCase(gettext("{cells} and {number} more. Press again for the next cell.", { cells: named.join("; "), number: cells.length - NAMED }));
}
