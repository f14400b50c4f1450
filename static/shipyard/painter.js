// One stroke, from pointer down to up: whatever it changes is one command, its mirror images included.

import { Draft, isInside, tokenAt } from "./board.js";
import { erase, fill, filled, freeSeat, isOccupied, kindOf, moveCheckpoint, paint, SEATS } from "./brushes.js";
import { parseCell } from "./cells.js";
import { areaBetween, holds, moved } from "./selection.js";
import { cellsBetween, edgeAt, edgesBetween, extended, layBeam, sideTowards } from "./strokes.js";
import { imagesOf } from "./symmetry.js";
import { gettext } from "../site/words.js";

/** @typedef {"paint" | "edge" | "beam" | "fill" | "erase" | "erase edges" | "select" | "move" | "checkpoint"} Kind */
/** @typedef {{ kind: Kind, from: Cell, last: Cell, draft: Draft, path: Cell[] }} Stroke */

export class Painter {
  /** @type {Stroke | null} */
  #stroke = null;

  /** @param {ShipEditor} editor */
  constructor(editor) {
    this.editor = editor;
  }

  get isPainting() { return this.#stroke !== null; }

  // Begin at a place, in cells with fractions; false beside the board.
  /** @param {Cell} place @param {{ erases?: boolean }} [how] */
  begin(place, { erases = false } = {}) {
    const { board } = this.editor;
    const [x, y] = cellOf(place);
    if (!isInside(board, x, y)) return false;
    const kind = this.#kindAt(place, erases);
    this.#stroke = { kind, from: [x, y], last: place, draft: new Draft(board), path: [[x, y]] };
    this.#apply([[x, y]], kind === "edge" || kind === "erase edges" ? [{ x, y, edge: edgeAt(...place, { always: true }) }] : []);
    return true;
  }

  /** @param {Cell} place @param {boolean} erases @returns {Kind} */
  #kindAt(place, erases) {
    const { board, mode, brush, selection } = this.editor;
    const [x, y] = cellOf(place);
    const { checkpoint } = parseCell(tokenAt(board, x, y));
    const edge = edgeAt(...place);
    if (erases || mode === "erase") return edge && isOccupied(board, { x, y, edge }) ? "erase edges" : "erase";
    if (mode === "select") return holds(selection, x, y) ? "move" : checkpoint && !selection ? "checkpoint" : "select";
    const kind = kindOf(brush.token);
    if (kind === "edge") {
      const near = edgeAt(...place, { always: true });
      const there = near && brush.token.startsWith("w") && isOccupied(board, { x, y, edge: near });
      return there ? "erase edges" : "edge";
    }
    if (mode === "fill" && kind !== "checkpoint" && kind !== "start") return "fill";
    if (kind === "checkpoint" && checkpoint) return "checkpoint";
    return kind === "beam" ? "beam" : "paint";
  }

  // Go on to a place: all cells and edges on the way are painted.
  /** @param {Cell} place */
  moveTo(place) {
    const stroke = this.#stroke;
    if (!stroke) return;
    const cells = cellsBetween(stroke.last, place).filter(([x, y]) => isInside(this.editor.board, x, y));
    const edges = edgesBetween(stroke.last, place).filter(({ x, y }) => isInside(this.editor.board, x, y));
    stroke.last = place;
    this.#apply(cells, edges);
  }

  /** @param {Cell[]} cells @param {Spot[]} edges */
  #apply(cells, edges) {
    const stroke = this.#stroke;
    if (!stroke) return;
    const { editor } = this;
    const { board, brush } = editor;
    const images = imagesOf(editor.symmetry, board.width, board.height);
    const here = cells.at(-1) ?? cellOf(stroke.last);
    /** @param {(spot: Spot, image: Motion) => unknown} change @param {Spot[]} spots */
    const everywhere = (change, spots) => {
      for (const spot of spots) for (const image of images) change(imageOf(spot, image), image);
    };
    const spots = cells.map(([x, y]) => ({ x, y, edge: null }));
    switch (stroke.kind) {
      case "paint":
        everywhere((spot, image) => paint(stroke.draft, brush, spot, image), spots);
        break;
      case "fill":
        if (stroke.path.length === 1) everywhere((spot, image) => fill(stroke.draft, brush, spot, image), spots.slice(0, 1));
        stroke.path.push(...cells);
        break;
      case "edge":
        everywhere((spot, image) => paint(stroke.draft, brush, spot, image), edges);
        break;
      case "erase":
        everywhere((spot) => erase(stroke.draft, spot), spots);
        break;
      case "erase edges":
        everywhere((spot) => isOccupied(stroke.draft, /** @type {any} */ (spot)) && erase(stroke.draft, spot), edges);
        break;
      case "beam":
        if (stroke.path.length > 1 || cells.at(-1)?.join() !== stroke.from.join()) for (const cell of cells) stroke.path = extended(stroke.path, cell);
        stroke.draft = new Draft(board);
        for (const image of images) {
          const first = image.edges[brush.values["way"] ?? "E"] ?? "E";
          layBeam(stroke.draft, stroke.path.map(([x, y]) => image.at(x, y)), filled(brush)[1] ?? "1", first);
        }
        break;
      case "checkpoint":
        stroke.draft = new Draft(board);
        if (!isSameCell(here, stroke.from)) moveCheckpoint(stroke.draft, stroke.from, here);
        else if (editor.mode !== "select") everywhere((spot, image) => paint(stroke.draft, brush, spot, image), [{ x: here[0], y: here[1], edge: null }]);
        break;
      case "select":
        if (isInside(board, ...here)) editor.select(areaBetween(stroke.from, here));
        return;
      case "move":
        editor.preview(this.#movedTo(here).board);
        return;
    }
    editor.preview(stroke.draft.board);
  }

  /** @param {Cell} here */
  #movedTo([x, y]) {
    const { board, selection } = this.editor;
    const { from } = /** @type {Stroke} */ (this.#stroke);
    const area = /** @type {Area} */ (selection);
    const to = { ...area, x: area.x + x - from[0], y: area.y + y - from[1] };
    return { board: moved(board, area, to.x, to.y), area: to };
  }

  // The pointer is up: keep what was painted.
  end() {
    const stroke = this.#stroke;
    if (!stroke) return;
    const { editor } = this;
    const { brush } = editor;
    const [x, y] = cellOf(stroke.last);
    const names = /** @type {Record<Kind, string>} */ ({
      paint: brush.name,
      edge: brush.name,
      beam: brush.name,
      fill: gettext("Fill with {name}", { name: brush.name }),
      erase: gettext("Erase"),
      "erase edges": gettext("Erase"),
      select: "",
      move: gettext("Move"),
      checkpoint: isSameCell([x, y], stroke.from) ? brush.name : gettext("Move checkpoint"),
    });
    if (stroke.kind === "move") {
      const { board, area } = this.#movedTo([x, y]);
      this.#stroke = null;
      if (isSameCell([x, y], stroke.from)) editor.select(null);
      else editor.commit(names.move, board, area);
      return;
    }
    this.#stroke = null;
    if (stroke.kind === "select") {
      if (isSameCell([x, y], stroke.from)) editor.sayCell(x, y);
      else editor.saySelection();
      return;
    }
    const [before, last] = stroke.path.slice(-2);
    const way = before && last && sideTowards(before, last);
    if (stroke.kind === "beam" && way) editor.choose("way", way);
    editor.commit(names[stroke.kind], stroke.draft.board);
    if (stroke.kind === "paint" && kindOf(brush.token) === "start" && !stroke.draft.changes.size && !freeSeat(editor.board)) {
      editor.say(gettext("There are start cells for all {number} players.", { number: SEATS }));
    }
  }

  // Leave the board as it was before the stroke.
  cancel() {
    if (!this.#stroke) return;
    if (this.#stroke.kind === "select") this.editor.select(null);
    this.#stroke = null;
    this.editor.preview(this.editor.board);
  }
}

/** @param {Cell} place @returns {Cell} */
const cellOf = ([x, y]) => [Math.floor(x), Math.floor(y)];

/** @param {Cell} one @param {Cell} other */
const isSameCell = (one, other) => one[0] === other[0] && one[1] === other[1];

/** @param {Spot} spot @param {Motion} image @returns {Spot} */
function imageOf({ x, y, edge }, image) {
  const [column, row] = image.at(x, y);
  return { x: column, y: row, edge: edge && (image.edges[edge] ?? null) };
}
