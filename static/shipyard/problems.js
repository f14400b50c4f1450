// What is wrong with the starship, each beside its cell: a button leads there, and another mends it where that is known.

import { Draft, isInside } from "./board.js";
import { placeOf, sentenceCase } from "./cell_words.js";
import { make } from "./dom.js";
import { gettext, ngettext } from "../site/words.js";

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
  #line({ detail, row, column, severity = "error", fix }) {
    const place = row && column ? sentenceCase(placeOf(column - 1, row - 1)) : "";
    const told = [make("strong", {}, severity === "warning" ? gettext("Warning") : gettext("Error")), make("span", {}, detail), ...(place ? [make("small", {}, place)] : [])];
    const line = place ? make("button", { type: "button", className: "yard-problem", onclick: () => this.editor.lead([(column ?? 1) - 1, (row ?? 1) - 1]) }, ...told) : make("p", { className: "yard-problem" }, ...told);
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
