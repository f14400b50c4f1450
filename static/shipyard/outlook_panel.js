// The ship so far: figures that are known before any flight, each with a switch that shows it on the drawing.

import { make, svg } from "./dom.js";
import { keyOf, marksOf } from "./outlook_marks.js";
import { notesOf, PARTS, wordsOfOutlook } from "./outlook_words.js";
import { gettext } from "../site/words.js";

const HATCH = '<pattern id="yard-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 2h8" stroke="#fff" stroke-width="3"/><path d="M0 6h8" stroke="#000" stroke-width="3"/></pattern>';

export class OutlookPanel {
  /** @type {OutlookState} */ #state = { name: "old" };
  /** @type {ShipOutlook | null} */ #outlook = null; // the last that was known
  #size = "";
  /** @type {Set<string>} */ shown = new Set();

  /** @param {ShipEditor} editor @param {number} cell */
  constructor(editor, cell) {
    this.editor = editor;
    this.cell = cell;
    this.marks = svg("0 0 0 0", "");
    this.marks.classList.add("yard-marks");
    const names = { ways: gettext("Distances, in phases"), lines: gettext("Lines of fire"), shelter: gettext("Shelter at the start"), unreachable: gettext("Unreachable cells") };
    this.rows = PARTS.map((part) => {
      const figure = make("span", { className: "yard-figure" });
      const told = make("ul", { className: "yard-told", hidden: true });
      const button = make("button", { type: "button", className: "yard-part", "aria-pressed": "false", title: gettext("Show on the drawing"), onclick: () => this.#toggle(part) },
        make("span", { className: `yard-key is-${part}`, "aria-hidden": "true" }), make("span", {}, names[part]), figure);
      return { part, figure, told, button, line: make("li", {}, button, told) };
    });
    this.unknown = make("p", { className: "yard-unknown", hidden: true }, gettext("Not known: the server isn’t responding."));
    this.list = make("ul", { className: "yard-outlook-parts" }, ...this.rows.map(({ line }) => line));
    this.findings = make("ul", { className: "yard-findings" });
    this.fine = make("p", { className: "yard-unknown" }, gettext("No problems found, before any flights."));
    this.found = make("div", { hidden: true }, make("h3", {}, gettext("Wind tunnel findings before any flights")), this.findings, this.fine);
    this.element = make("section", { className: "yard-outlook", "aria-label": gettext("The ship so far"), hidden: true }, make("h3", {}, gettext("The ship so far")), this.unknown, this.list, this.found);
  }

  /** @param {OutlookState} state */
  show(state) {
    this.#state = state;
    const { width, height } = this.editor.board;
    if (state.name === "known") [this.#outlook, this.#size] = [state.outlook ?? null, `${width} ${height}`];
    if (state.name === "unknown") this.#outlook = null;
    this.element.hidden = !this.#outlook && state.name === "old";
    this.unknown.hidden = state.name !== "unknown";
    this.list.hidden = !this.#outlook;
    if (state.name !== "old") this.#write();
    this.#draw();
  }

  #write() {
    const words = this.#outlook && wordsOfOutlook(this.#outlook);
    for (const { part, figure, told, button, line } of this.rows) {
      const said = words?.[part];
      line.hidden = !said;
      if (!said) continue;
      figure.textContent = said.figure;
      button.classList.toggle("is-warning", said.warns);
      told.replaceChildren(...said.told.map((sentence) => make("li", {}, sentence)));
      told.hidden = !this.shown.has(part) || !said.told.length;
    }
    this.#writeFindings(this.#outlook?.findings ?? null);
  }

  /** @param {BoardFinding[] | null} findings */
  #writeFindings(findings) {
    this.found.hidden = !findings;
    this.fine.hidden = Boolean(findings?.length);
    const pressed = this.findings.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.findings.replaceChildren(...(findings ?? []).map((finding) => {
      const told = [
        make("strong", {}, finding.severity === "red" ? gettext("Red") : gettext("Amber")),
        make("span", {}, finding.message),
        make("small", {}, finding.advice),
      ];
      const line = finding.cells.length
        ? make("button", { type: "button", className: "yard-finding", "aria-pressed": String(this.shown.has(keyOf(finding))), title: gettext("Show on the drawing"), onclick: () => this.#toggleFinding(finding) }, ...told)
        : make("p", { className: "yard-finding" }, ...told);
      return make("li", { className: `is-${finding.severity}` }, line);
    }));
    if (pressed) [...this.findings.querySelectorAll("button")].find(({ textContent }) => textContent === pressed)?.focus();
  }

  // Show the cells of a finding, the first of them in sight, or hide them again.
  /** @param {BoardFinding} finding */
  #toggleFinding(finding) {
    const [first] = finding.cells;
    this.#toggle(keyOf(finding));
    if (first && this.shown.has(keyOf(finding))) this.editor.grid.cell(...first)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} part */
  #toggle(part) {
    if (!this.shown.delete(part)) this.shown.add(part);
    for (const each of this.rows) each.button.setAttribute("aria-pressed", String(this.shown.has(each.part)));
    this.#write();
    this.#draw();
  }

  // What an older drawing was like is faded, and goes where it no longer fits.
  #draw() {
    const { width, height } = this.editor.board;
    const isOld = this.#state.name === "old";
    const outlook = this.#size === `${width} ${height}` ? this.#outlook : null;
    this.element.classList.toggle("is-old", isOld);
    this.marks.classList.toggle("is-old", isOld);
    if (isOld && outlook) return;
    this.marks.setAttribute("viewBox", `0 0 ${width * this.cell} ${height * this.cell}`);
    const marks = outlook ? marksOf(outlook, this.shown, this.cell) : "";
    this.marks.innerHTML = marks && `<defs>${HATCH}</defs>${marks}`;
    this.editor.grid.showNotes(outlook && !isOld ? notesOf(outlook, this.shown, width) : new Map());
  }
}
