// The drawing on the page. A change is drawn once a frame, and no more of it than has changed: the board is cut into tiles, each a drawing
// of its own, so that the browser paints only those in which something is another.

import { isKnown, parseCell } from "./cells.js";
import { make, svg } from "./dom.js";
import { checkpointOf, fittingsOf, floorOf, railsOf, raysOf } from "./drawing.js";
import { groundOf, isSolid } from "./ground.js";
import { need } from "../site/need.js";

const MARGIN = 16; // user units of space around the board
const TILE = 6; // cells along its side
const UNKNOWN = "M-5-4.4C-5-8-2-9.6 0-9.6C3-9.6 5-7.6 5-5C5-1.6 0-1.4 0 3M0 8.4h0";

/** @typedef {(pieces: Pieces, token: string) => string} Draw */
const BELOW = /** @type {Record<string, Draw>} */ ({ floors: floorOf, checkpoints: checkpointOf });
const ABOVE = /** @type {Record<string, Draw>} */ ({ fittings: fittingsOf, unknown: unknownOf });
const LAYERS = { ...BELOW, ...ABOVE };

export class Picture {
  /** @type {Board | null} */ #board = null; // what is drawn
  /** @type {Board | null} */ #wanted = null;
  #frame = 0;
  /** @type {Map<string, Element>} */ #groups = new Map(); // of cells, by layer and place
  /** @type {Map<string, Element>} */ #tiles = new Map();

  /** @param {Pieces} pieces */
  constructor(pieces) {
    this.pieces = pieces;
    const { ink } = pieces;
    this.ground = drawing("0 0 0 0", `<rect class="space" fill="${ink["space"]}"/><path class="stars" fill="${ink["star"]}"/>`
      + '<defs><clipPath id="piece-on-hull"><path clip-rule="evenodd"/></clipPath><path id="piece-hull"/></defs><g fill-rule="evenodd">'
      + `<use href="#piece-hull" y="5" fill="${ink["side"]}"/><use href="#piece-hull" fill="${ink["hull"]}"/>`
      + `<g clip-path="url(#piece-on-hull)"><path class="plates" fill="${ink["hull_other"]}"/><path class="seams" stroke="${ink["seam"]}" stroke-width=".6"/>`
      + `<path class="rivets" stroke="${ink["seam"]}" stroke-width="1.5"/></g><use href="#piece-hull" stroke="${ink["rim"]}" stroke-width="1.6"/></g>`);
    this.lines = drawing("0 0 0 0", `<defs><path id="piece-rails"/></defs><g class="rays" stroke="${ink["laser"]}" stroke-width=".8" stroke-opacity=".6"></g>`
      + `<g class="rails"><use href="#piece-rails" stroke="${ink["rail_edge"]}" stroke-width="5.6"/><use href="#piece-rails" stroke="${ink["rail"]}" stroke-width="3.2"/></g>`);
    this.below = make("div");
    this.above = make("div");
    const symbols = svg("0 0 0 0", pieces.symbols);
    symbols.classList.add("yard-symbols");
    this.element = make("div", { className: "yard-picture starship-page", "aria-hidden": "true" }, symbols, this.ground, this.below, this.lines, this.above);
  }

  // Have a board drawn with the next frame.
  /** @param {Board} board */
  show(board) {
    this.#wanted = board;
    this.#frame ||= requestAnimationFrame(() => this.draw());
  }

  // Draw what is wanted now.
  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const [board, before] = [this.#wanted, this.#board];
    if (!board || board === before) return;
    this.#board = board;
    const resizes = !before || before.width !== board.width || before.height !== board.height;
    if (resizes) this.#resize(board);
    let [changesGround, changesLines] = [resizes, resizes];
    for (const [index, token] of board.cells.entries()) {
      const old = resizes ? undefined : before.cells[index];
      if (token === old) continue;
      this.#drawCell(board, index, token, old);
      changesGround ||= isSolid(token) !== isSolid(old ?? "");
      changesLines ||= linesIn(token) !== linesIn(old ?? "");
    }
    // What spans the board is drawn again only if it is another: else the browser would paint all of it.
    if (changesGround) this.#drawGround(board);
    if (changesLines) this.#drawLines(board);
  }

  /** @param {Board} board */
  #resize({ width, height }) {
    const { cell } = this.pieces;
    const box = { x: -MARGIN, y: -MARGIN, width: width * cell + 2 * MARGIN, height: height * cell + 2 * MARGIN };
    for (const each of [this.ground, this.lines]) each.setAttribute("viewBox", Object.values(box).join(" "));
    for (const [name, value] of Object.entries(box)) need(this.ground, ".space").setAttribute(name, value);
    this.#groups.clear();
    this.#tiles.clear();
    this.below.replaceChildren();
    this.above.replaceChildren();
  }

  // The layers of the tile that a cell is in.
  /** @param {Part} stack @param {Record<string, Draw>} layers @param {number} x @param {number} y */
  #tile(stack, layers, x, y) {
    const [column, row] = [Math.floor(x / TILE), Math.floor(y / TILE)];
    const key = `${stack === this.above} ${column} ${row}`;
    let tile = this.#tiles.get(key);
    if (!tile) {
      const size = TILE * this.pieces.cell;
      const made = drawing(`${column * size} ${row * size} ${size} ${size}`, Object.keys(layers).map((name) => `<g class="${name}"></g>`).join(""));
      made.classList.add("yard-tile-of-cells");
      made.style.setProperty("--x", String(column * TILE));
      made.style.setProperty("--y", String(row * TILE));
      stack.append(made);
      this.#tiles.set(key, (tile = made));
    }
    return tile;
  }

  /** @param {Board} board @param {number} index @param {string} token @param {string | undefined} before */
  #drawCell({ width }, index, token, before) {
    for (const [layer, draw] of Object.entries(LAYERS)) {
      const markup = draw(this.pieces, token);
      if (before === undefined || markup !== draw(this.pieces, before)) this.#put(layer, index, index % width, Math.floor(index / width), markup);
    }
  }

  /** @param {string} layer @param {number} index @param {number} x @param {number} y @param {string} markup */
  #put(layer, index, x, y, markup) {
    const key = `${layer} ${index}`;
    let group = this.#groups.get(key);
    if (!markup) {
      group?.remove();
      this.#groups.delete(key);
      return;
    }
    if (!group) {
      group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      const tile = layer in BELOW ? this.#tile(this.below, BELOW, x, y) : this.#tile(this.above, ABOVE, x, y);
      need(tile, `.${layer}`).append(group);
      this.#groups.set(key, group);
    }
    group.innerHTML = markup;
    // Parts are moved, not the group: each transform costs the browser time in every frame that changes anything.
    for (const part of group.children) part.setAttribute("transform", `translate(${x * this.pieces.cell} ${y * this.pieces.cell})${part.getAttribute("transform") ?? ""}`);
  }

  /** @param {Board} board */
  #drawGround(board) {
    const ground = groundOf(board, this.pieces.cell, MARGIN);
    need(this.ground, "#piece-hull").setAttribute("d", ground.hull);
    need(this.ground, "#piece-on-hull path").setAttribute("d", ground.hull);
    for (const name of /** @type {const} */ (["plates", "seams", "rivets", "stars"])) need(this.ground, `.${name}`).setAttribute("d", ground[name]);
  }

  /** @param {Board} board */
  #drawLines(board) {
    need(this.lines, "#piece-rails").setAttribute("d", railsOf(board, this.pieces.cell));
    need(this.lines, ".rays").innerHTML = raysOf(board, this.pieces);
  }
}

// What of a cell lasers and runs of rails depend on.
/** @param {string} token */
function linesIn(token) {
  const { rails, slides, emitters } = parseCell(token);
  return JSON.stringify([rails, slides, emitters]);
}

// A drawing in the manner of the server's.
/** @param {string} viewBox @param {string} markup */
function drawing(viewBox, markup) {
  const made = svg(viewBox, markup);
  for (const [name, value] of Object.entries({ fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" })) made.setAttribute(name, value);
  return made;
}

// A mark over a cell of which something is not known.
/** @param {Pieces} pieces @param {string} token */
function unknownOf({ cell, ink }, token) {
  if (isKnown(token)) return "";
  return `<g transform="translate(${cell / 2} ${cell / 2})"><circle r="12.5" fill="${ink["plate"]}"/><path stroke="${ink["plate_ink"]}" stroke-width="2.6" d="${UNKNOWN}"/></g>`;
}

// A small picture of one cell, from the same pieces.
/** @param {Pieces} pieces @param {string} token */
export function cellMarkup(pieces, token) {
  const { floor, rails } = parseCell(token);
  const { ink, cell } = pieces;
  const ground = floor === "~" ? `<rect width="${cell}" height="${cell}" rx="3" fill="${ink["space"]}" stroke="${ink["seam"]}" stroke-width=".8" stroke-dasharray="2 2"/><path fill="${ink["star"]}" d="M8 9a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0M22 20a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0M11 25a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0"/>`
    : `<rect width="${cell}" height="${cell}" rx="3" fill="${ink["hull"]}" stroke="${ink["seam"]}" stroke-width=".8"/>`;
  const rail = railsOf({ width: 1, height: 1, cells: [rails ? `.+w${rails}` : "."] }, cell);
  const line = rail ? `<path stroke="${ink["rail_edge"]}" stroke-width="5.6" d="${rail}"/><path stroke="${ink["rail"]}" stroke-width="3.2" d="${rail}"/>` : "";
  return ground + floorOf(pieces, token) + checkpointOf(pieces, token) + line + fittingsOf(pieces, token);
}
