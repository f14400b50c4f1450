// The drawing on the page. A change is drawn once a frame, and no more of it than has changed.

import { isKnown, parseCell } from "./cells.js";
import { checkpointOf, fittingsOf, floorOf, railsOf, raysOf } from "./drawing.js";
import { groundMark, groundOf } from "./ground.js";
import { need } from "../site/need.js";

export const MARGIN = 16; // user units of space around the board

const LAYERS = /** @type {const} */ (["floors", "checkpoints", "fittings"]);
const DRAWN = { floors: floorOf, checkpoints: checkpointOf, fittings: fittingsOf };
const UNKNOWN = "M-5-4.4C-5-8-2-9.6 0-9.6C3-9.6 5-7.6 5-5C5-1.6 0-1.4 0 3M0 8.4h0";

export class Picture {
  /** @type {Board | null} */ #board = null; // what is drawn
  /** @type {Board | null} */ #wanted = null;
  #frame = 0;
  #ground = "";
  /** @type {Map<string, Element>} */ #groups = new Map();
  drawn = 0; // cells drawn so far, for measurements

  /** @param {SVGSVGElement} svg @param {Pieces} pieces */
  constructor(svg, pieces) {
    this.svg = svg;
    this.pieces = pieces;
    const { ink } = pieces;
    svg.innerHTML = `${pieces.symbols}<defs><clipPath id="piece-on-hull"><path clip-rule="evenodd"/></clipPath><path id="piece-hull"/><path id="piece-rails"/></defs>`
      + `<rect class="space" fill="${ink["space"]}"/><path class="stars" fill="${ink["star"]}"/>`
      + '<g class="ground" fill-rule="evenodd">'
      + `<use href="#piece-hull" y="5" fill="${ink["side"]}"/><use href="#piece-hull" fill="${ink["hull"]}"/>`
      + `<g clip-path="url(#piece-on-hull)"><path class="plates" fill="${ink["hull_other"]}"/><path class="seams" stroke="${ink["seam"]}" stroke-width=".6"/>`
      + `<path class="rivets" stroke="${ink["seam"]}" stroke-width="1.5"/></g><use href="#piece-hull" stroke="${ink["rim"]}" stroke-width="1.6"/></g>`
      + `<g class="floors"></g><g class="checkpoints"></g><g class="rays" stroke="${ink["laser"]}" stroke-width=".8" stroke-opacity=".6"></g>`
      + `<g class="rails"><use href="#piece-rails" stroke="${ink["rail_edge"]}" stroke-width="5.6"/><use href="#piece-rails" stroke="${ink["rail"]}" stroke-width="3.2"/></g>`
      + '<g class="fittings"></g><g class="unknown"></g>';
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
    if (!before || before.width !== board.width || before.height !== board.height) this.#resize(board);
    const same = before && before.width === board.width && before.height === board.height ? before.cells : [];
    let changes = 0;
    for (const [index, token] of board.cells.entries()) {
      if (token === same[index]) continue;
      this.#drawCell(board, index, token, same[index]);
      changes += 1;
    }
    this.drawn += changes;
    if (!changes) return;
    this.#drawGround(board);
    need(this.svg, "#piece-rails").setAttribute("d", railsOf(board, this.pieces.cell));
    const rays = need(this.svg, ".rays");
    const markup = raysOf(board, this.pieces);
    if (markup || rays.childElementCount) rays.innerHTML = markup;
  }

  /** @param {Board} board */
  #resize({ width, height }) {
    const { cell } = this.pieces;
    const [wide, high] = [width * cell + 2 * MARGIN, height * cell + 2 * MARGIN];
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${wide} ${high}`);
    const space = need(this.svg, ".space");
    for (const [name, value] of Object.entries({ x: -MARGIN, y: -MARGIN, width: wide, height: high })) space.setAttribute(name, value);
    for (const group of this.#groups.values()) group.remove();
    this.#groups.clear();
  }

  /** @param {Board} board @param {number} index @param {string} token @param {string | undefined} before */
  #drawCell({ width }, index, token, before) {
    const { cell } = this.pieces;
    const place = `translate(${(index % width) * cell} ${Math.floor(index / width) * cell})`;
    for (const layer of LAYERS) {
      const markup = DRAWN[layer](this.pieces, token);
      if (before === undefined || markup !== DRAWN[layer](this.pieces, before)) this.#put(layer, index, place, markup);
    }
    const mark = isKnown(token) ? "" : `<g transform="translate(${cell / 2} ${cell / 2})"><circle r="12.5" fill="${this.pieces.ink["plate"]}"/><path stroke="${this.pieces.ink["plate_ink"]}" stroke-width="2.6" d="${UNKNOWN}"/></g>`;
    this.#put("unknown", index, place, mark);
  }

  /** @param {string} layer @param {number} index @param {string} place @param {string} markup */
  #put(layer, index, place, markup) {
    const key = `${layer} ${index}`;
    let group = this.#groups.get(key);
    if (!markup) {
      group?.remove();
      this.#groups.delete(key);
      return;
    }
    if (!group) {
      group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      group.setAttribute("transform", place);
      need(this.svg, `.${layer}`).append(group);
      this.#groups.set(key, group);
    }
    group.innerHTML = markup;
  }

  /** @param {Board} board */
  #drawGround(board) {
    const mark = groundMark(board);
    if (mark === this.#ground) return;
    this.#ground = mark;
    const ground = groundOf(board, this.pieces.cell, MARGIN);
    need(this.svg, "#piece-hull").setAttribute("d", ground.hull);
    need(this.svg, "#piece-on-hull path").setAttribute("d", ground.hull);
    for (const name of /** @type {const} */ (["plates", "seams", "rivets", "stars"])) need(this.svg, `.${name}`).setAttribute("d", ground[name]);
  }
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
