// The editor of starships: one component for staff and players.
//
//   const editor = mount(element, { document, pieces, palette, ruleset, problems, onchange, inBar, beside, outlook })
//   editor.document                 the starship/1 document as it is now; keys beside rows stay as they were given
//   editor.show(document, name)     show another document, as a step that can be undone, by its name
//   editor.isPainting               whether a stroke is under way
//   editor.showProblems(problems)   what is wrong, with its cells and fixes
//   editor.showOutlook(state)       what the ship is like before any flight; only with the option `outlook`
//   editor.choose(ruleset)          show in the palette what a ruleset knows
//   editor.pause(sentence | null)   let nothing be painted, and say why; null goes on
//   editor.unmount()
//
// `pieces` and `palette` are the server's (games/fleet/pages/drawings.py). `onchange(document)` is called after each command.

import { boardOf, cropped, isInside, isSame, LARGEST, renumbered, resized, rowsOf } from "./board.js";
import { kindOf, picked } from "./brushes.js";
import { placeOf, sentenceCase, wordsOf } from "./cell_words.js";
import { make } from "./dom.js";
import { CellGrid } from "./grid.js";
import { History } from "./history.js";
import { Inspector } from "./inspector.js";
import { followKeys } from "./keyboard.js";
import { Overlay } from "./overlay.js";
import { OutlookPanel } from "./outlook_panel.js";
import { Painter } from "./painter.js";
import { brushOf, PalettePanel } from "./palette_panel.js";
import { Picture } from "./picture.js";
import { followPointers } from "./pointer.js";
import { ProblemList } from "./problems.js";
import { cleared, copied, pasted, readCopy, turnedArea } from "./selection.js";
import { edgeAt } from "./strokes.js";
import { movedBoard } from "./symmetry.js";
import { makeToolbar } from "./toolbar.js";
import { View } from "./view.js";
import { gettext, listed, pgettext } from "../site/words.js";

/** @param {Element} element @param {EditorOptions} options */
export function mount(element, options) {
  const editor = new Editor(options);
  element.append(editor.element);
  editor.view.fit();
  return {
    get document() { return editor.document; },
    get isPainting() { return editor.painter.isPainting; },
    /** @param {StarshipDocument} document @param {string} [name] */
    show: (document, name) => editor.open(document, name),
    /** @param {string} ruleset */
    choose: (ruleset) => editor.panel.choose(ruleset),
    /** @param {ShipProblem[]} problems */
    showProblems: (problems) => editor.showProblems(problems),
    /** @param {OutlookState} state */
    showOutlook: (state) => editor.outlook?.show(state),
    /** @param {string | null} sentence */
    pause: (sentence) => editor.pause(sentence),
    unmount: () => editor.element.remove(),
  };
}

export class Editor {
  history = new History();
  mode = "draw";
  symmetry = "none";
  /** @type {Area | null} */ selection = null;
  /** @type {string | null} */ clip = null; // what was copied, as text
  /** @type {Cell | null} */ #pointed = null; // the cell below the pointer
  /** @type {Cell | null} */ #spoken = null; // the cell that the line of what was done is about

  /** @param {EditorOptions} options */
  constructor({ document: given, pieces, palette, ruleset = "", problems = [], onchange = () => {}, inBar, beside, outlook = false }) {
    this.given = given;
    this.board = boardOf(given.rows);
    this.words = palette.words;
    this.onchange = onchange;
    this.brush = brushOf(/** @type {PaletteElement} */ (palette.groups[0]?.elements[0]));
    this.picture = new Picture(pieces);
    this.overlay = new Overlay(pieces.cell);
    this.grid = new CellGrid(palette.words);
    this.outlook = outlook ? new OutlookPanel(this, pieces.cell) : null;
    this.view = new View(this.picture.element, ...(this.outlook ? [this.outlook.marks] : []), this.overlay.element, this.grid.element);
    this.painter = new Painter(this);
    this.panel = new PalettePanel(this, palette, pieces, ruleset);
    this.inspector = new Inspector(this);
    this.problems = new ProblemList(this);
    this.toolbar = makeToolbar(this, inBar);
    this.said = make("p", { className: "yard-said", role: "status", "aria-live": "polite" });
    this.under = make("p", { className: "yard-under", "aria-hidden": "true" }); // cells say it themselves to those who hear
    this.paused = make("p", { className: "yard-paused", hidden: true });
    this.element = make("div", { className: "yard" }, this.toolbar.element,
      make("div", { className: "yard-body" }, this.panel.element,
        make("div", { className: "yard-canvas" }, this.view.element, make("div", { className: "yard-foot" }, this.said, this.under, this.toolbar.foot), this.paused),
        make("div", { className: "yard-aside" }, beside ?? null, this.panel.explained, this.problems.element, this.outlook?.element ?? null, this.inspector.element)));
    this.#refresh();
    this.picture.draw();
    this.panel.explain();
    this.showProblems(problems);
    followPointers(this);
    followKeys(this);
  }

  /** @returns {StarshipDocument} */
  get document() {
    return { ...this.given, rows: rowsOf(this.board) };
  }

  get paintsEdges() {
    return this.mode === "draw" && kindOf(this.brush.token) === "edge";
  }

  // --- Commands

  // Make a board the one that is edited: a step that can be undone. Checkpoints are numbered again where one came or went.
  /** @param {string} name @param {Board} next @param {Area | null} [selection] */
  commit(name, next, selection = this.selection) {
    const board = renumbered(this.board, next);
    if (!this.history.add(name, this.board, board)) return this.preview(this.board);
    const resizes = board.width !== this.board.width || board.height !== this.board.height;
    this.#become(board, selection);
    this.onchange(this.document);
    this.say(resizes ? gettext("{width} × {height} cells", { width: board.width, height: board.height }) : name);
  }

  undo() {
    this.#step(this.history.undo(this.board), gettext("Undone: {name}"));
  }

  redo() {
    this.#step(this.history.redo(this.board), gettext("Redone: {name}"));
  }

  /** @param {{ board: Board, name: string } | null} step @param {string} sentence */
  #step(step, sentence) {
    if (!step) return;
    this.painter.cancel();
    this.#become(step.board, null);
    this.onchange(this.document);
    this.say(sentence.replace("{name}", step.name));
  }

  /** @param {Board} board @param {Area | null} selection */
  #become(board, selection) {
    const resizes = board.width !== this.board.width || board.height !== this.board.height;
    this.board = board;
    if (this.symmetry === "quarters" && board.width !== board.height) this.symmetry = "none";
    this.selection = resizes ? null : selection;
    this.#refresh();
    if (resizes) this.view.fit();
  }

  #refresh() {
    this.view.show(this.board);
    this.grid.show(this.board);
    this.grid.select(this.selection);
    this.picture.show(this.board);
    this.overlay.show(this);
    this.toolbar.show();
    this.inspector.show(this.grid.at);
    this.#tellUnder();
    if (this.#spoken) this.sayCell(...this.#spoken);
  }

  // Draw a board that may yet become the one that is edited.
  /** @param {Board} board */
  preview(board) {
    this.picture.show(board);
  }

  // --- What is painted with, and how

  /** @param {Brush} brush */
  take(brush) {
    this.brush = brush;
    if (this.mode !== "fill" || ["edge", "checkpoint", "start"].includes(kindOf(brush.token))) this.mode = "draw";
    this.panel.explain();
    this.toolbar.show();
    this.say(brush.name);
  }

  /** @param {string} name @param {string} value */
  choose(name, value) {
    this.brush = { ...this.brush, values: { ...this.brush.values, [name]: value } };
    this.panel.explain();
  }

  /** @param {string} phase */
  togglePhase(phase) {
    const phases = this.brush.values["phases"];
    if (!phases) return false;
    const next = phases.includes(phase) ? phases.replace(phase, "") : [...phases, phase].sort().join("");
    if (next) this.choose("phases", next);
    this.say(gettext("Phases: {phases}", { phases: listed([...(this.brush.values["phases"] ?? "")]) }));
    return true;
  }

  /** @param {string} mode */
  use(mode) {
    this.mode = mode;
    this.toolbar.show();
  }

  /** @param {string} symmetry */
  setSymmetry(symmetry) {
    this.symmetry = symmetry;
    this.overlay.show(this);
  }

  /** @param {Cell} place */
  pick(place) {
    const [x, y] = [Math.floor(place[0]), Math.floor(place[1])];
    const brush = picked(this.board, { x, y, edge: edgeAt(...place) }, this.panel.elements);
    if (brush) this.take(brush);
  }

  /** @param {Cell} place */
  fill(place) {
    const before = this.mode;
    this.mode = "fill";
    this.painter.begin(place);
    this.painter.end();
    this.mode = before;
  }

  search() {
    this.panel.search.focus();
  }

  // --- Parts of the board

  /** @param {Area | null} selection */
  select(selection) {
    this.selection = selection;
    this.grid.select(selection);
    this.overlay.show(this);
    this.toolbar.show();
  }

  selectAll() {
    this.select({ x: 0, y: 0, width: this.board.width, height: this.board.height });
    this.saySelection();
  }

  saySelection() {
    if (this.selection) this.say(gettext("Selected: {width} × {height} cells", { width: this.selection.width, height: this.selection.height }));
  }

  // The selected cells as text, or the one that has the focus.
  /** @param {boolean} cuts */
  copy(cuts) {
    const [x, y] = this.grid.at;
    const area = this.selection ?? { x, y, width: 1, height: 1 };
    this.clip = copied(this.board, area);
    if (cuts) this.commit(gettext("Cut"), cleared(this.board, area));
    this.toolbar.show();
    this.say(cuts ? gettext("Cut") : gettext("Copied"));
    return this.clip;
  }

  /** @param {string} [text] */
  paste(text) {
    const part = readCopy(text || this.clip || "") ?? readCopy(this.clip ?? "");
    if (!part) return this.say(gettext("There are no cells to paste."));
    const [x, y] = this.selection ? [this.selection.x, this.selection.y] : this.grid.at;
    const area = { x, y, width: Math.min(part.width, this.board.width - x), height: Math.min(part.height, this.board.height - y) };
    this.commit(gettext("Paste"), pasted(this.board, part, x, y), area);
    if (!this.selection) this.select(area);
  }

  // The same by the bar's buttons: other programs get the text where the browser allows it.
  /** @param {boolean} cuts */
  copyOut(cuts) {
    const text = this.copy(cuts);
    navigator.clipboard?.writeText(text).catch(() => {}); // this window has it anyway
  }

  pasteIn() {
    this.paste(this.clip ?? "");
  }

  clear() {
    if (this.selection) this.commit(gettext("Clear"), cleared(this.board, this.selection));
  }

  crop() {
    if (this.selection) this.commit(gettext("Crop"), cropped(this.board, this.selection), null);
  }

  // Turn or mirror the selection, or without one the whole board.
  /** @param {string} name */
  turn(name) {
    const called = name === "left" ? pgettext("drawing", "Turn left") : name === "right" ? pgettext("drawing", "Turn right") : gettext("Mirror");
    if (!this.selection) return this.commit(called, movedBoard(this.board, name));
    const { board, area } = turnedArea(this.board, this.selection, name);
    this.commit(called, board, area);
  }

  /** @param {{ north?: number, east?: number, south?: number, west?: number }} by */
  resize(by) {
    this.commit(gettext("Size"), resized(this.board, by), null);
  }

  // --- Where one is

  /** @param {Cell} place */
  focus([x, y]) {
    const at = /** @type {Cell} */ ([Math.floor(x), Math.floor(y)]);
    const cell = this.grid.cell(...at);
    if (!cell) return;
    this.grid.moveTo(at);
    cell.focus({ preventScroll: true });
  }

  /** @param {Cell} at */
  focused(at) {
    if (this.#spoken && `${this.#spoken}` !== `${at}`) this.say("");
    this.grid.moveTo(at);
    this.inspector.show(at);
  }

  // Show a cell that something is said about.
  /** @param {Cell} at */
  lead(at) {
    if (this.grid.cell(...at)) this.grid.moveTo(at, true);
  }

  // Show what the pointer is over, in words only while nothing is painted: words take the browser time.
  /** @param {Spot | null} spot */
  hover(spot) {
    const inside = spot && isInside(this.board, spot.x, spot.y) ? spot : null;
    this.overlay.hover(this.painter.isPainting && this.mode === "select" ? null : inside, this);
    this.#pointed = inside && [inside.x, inside.y];
    if (!this.painter.isPainting) this.#tellUnder();
  }

  #tellUnder() {
    const told = this.#pointed && isInside(this.board, ...this.#pointed) ? this.told(...this.#pointed) : "";
    if (this.under.textContent !== told) this.under.textContent = told;
  }

  /** @param {number} x @param {number} y */
  told(x, y) {
    return `${sentenceCase(placeOf(x, y))}: ${wordsOf(this.board, x, y, this.words)}`;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.#spoken = null;
    this.said.textContent = sentence;
  }

  // Say what is in a cell, until something else is said: also once it is something else, or gone.
  /** @param {number} x @param {number} y */
  sayCell(x, y) {
    this.say(isInside(this.board, x, y) ? this.told(x, y) : "");
    if (isInside(this.board, x, y)) this.#spoken = [x, y];
  }

  // --- For the page

  /** @param {StarshipDocument} document @param {string} [name] */
  open(document, name = gettext("Text")) {
    this.given = document;
    const board = boardOf(document.rows);
    this.painter.cancel();
    if (isSame(board, this.board)) return;
    this.history.add(name, this.board, board);
    this.#become(board, null);
    this.say("");
  }

  /** @param {ShipProblem[]} problems */
  showProblems(problems) {
    this.problems.show(problems);
    this.grid.showProblems(problems);
  }

  /** @param {string | null} sentence */
  pause(sentence) {
    this.paused.hidden = sentence === null;
    this.paused.textContent = sentence ?? "";
    for (const part of [this.toolbar.element, this.toolbar.foot, this.panel.element, this.view.element, this.inspector.element]) part.toggleAttribute("inert", sentence !== null);
  }
}

// Why a text that has too many rows or columns is not drawn: the cells beyond the largest board would be lost.
export const tooLarge = () => gettext("A ship has at most {most} × {most} cells. Shorten the text below to continue drawing.", { most: LARGEST });

// What the server draws with and what it offers, from the addresses that a part of the page names. Rejected where they do not come.
/** @param {Part} part @returns {Promise<[Pieces, Palette]>} */
export function loadPieces({ dataset }) {
  return Promise.all([load(dataset.pieces), load(dataset.palette)]);
}

/** @param {string} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
