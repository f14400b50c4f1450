// How large cells are, and which part of the board is seen: zoom, fit, scroll; rulers stay at the edges.

import { make } from "./dom.js";

const SIZES = [3, 5, 7, 10, 14, 18, 22, 28, 34, 42, 52, 64, 80]; // pixels of a cell
const COMFORTABLE = 42;
const RULER = 22; // pixels
const NUMBERED = 18; // pixels of a cell that has room for its number; of smaller ones, each fifth has one,
const FIFTHS = 5; // and of even smaller ones each tenth

export class View {
  size = COMFORTABLE;
  #width = 0;
  #height = 0;
  #fitted = 0; // pixels of width to which the board was fitted, as long as no other size was chosen

  /** @param {(Element | Part)[]} layers what lies on each other: the drawing first */
  constructor(...layers) {
    this.top = make("div", { className: "yard-ruler is-top", "aria-hidden": "true" });
    this.left = make("div", { className: "yard-ruler is-left", "aria-hidden": "true" });
    this.stage = make("div", { className: "yard-stage" }, ...layers);
    const corner = make("div", { className: "yard-corner", "aria-hidden": "true" });
    this.sheet = make("div", { className: "yard-sheet" }, corner, this.top, this.left, this.stage);
    this.element = make("div", { className: "yard-scroller" }, this.sheet);
    // A phone is turned, a window is drawn wider.
    new ResizeObserver(() => { if (this.#fitted && this.element.clientWidth !== this.#fitted) this.fit(); }).observe(this.element);
  }

  /** @param {Board} board */
  show({ width, height }) {
    if (width === this.#width && height === this.#height) return;
    this.#width = width;
    this.#height = height;
    this.sheet.style.setProperty("--columns", String(width));
    this.sheet.style.setProperty("--rows", String(height));
    this.top.replaceChildren(...numbers(width));
    this.left.replaceChildren(...numbers(height));
  }

  // Have cells of a size; what is at a place of the window, by default its middle, stays there.
  /** @param {number} size @param {{ clientX: number, clientY: number }} [around] */
  resize(size, around) {
    this.#fitted = 0;
    const box = this.element.getBoundingClientRect();
    const [x, y] = around ? [around.clientX - box.left, around.clientY - box.top] : [box.width / 2, box.height / 2];
    const [right, down] = [(this.element.scrollLeft + x - RULER) / this.size, (this.element.scrollTop + y - RULER) / this.size];
    this.size = Math.min(SIZES.at(-1) ?? size, Math.max(SIZES[0] ?? size, size));
    this.sheet.style.setProperty("--cell", `${this.size}px`);
    this.sheet.classList.toggle("is-small", this.size < NUMBERED);
    this.sheet.classList.toggle("is-tiny", this.size < FIFTHS);
    this.element.scrollLeft = right * this.size - x + RULER;
    this.element.scrollTop = down * this.size - y + RULER;
  }

  // One step larger or smaller.
  /** @param {number} way @param {{ clientX: number, clientY: number }} [around] */
  zoom(way, around) {
    const next = way > 0 ? SIZES.find((size) => size > this.size) : SIZES.findLast((size) => size < this.size);
    if (next) this.resize(next, around);
  }

  // Have all of the board in sight, but no cell larger than is comfortable.
  fit() {
    const { clientWidth } = this.element;
    const most = parseFloat(getComputedStyle(this.element).maxHeight) || innerHeight;
    const fitting = Math.floor(Math.min((clientWidth - RULER - 2) / (this.#width + 1), (most - RULER - 2) / (this.#height + 1)));
    this.resize(Math.min(COMFORTABLE, fitting));
    this.#fitted = clientWidth;
  }

  // Where on the board a place of the window is, in cells.
  /** @param {{ clientX: number, clientY: number }} event */
  placeOf(event) {
    return /** @type {Cell} */ (this.placesOf([event])[0]);
  }

  /** @param {{ clientX: number, clientY: number }[]} events @returns {Cell[]} */
  placesOf(events) {
    const box = this.stage.getBoundingClientRect();
    return events.map(({ clientX, clientY }) => [(clientX - box.left) / this.size - 0.5, (clientY - box.top) / this.size - 0.5]);
  }

  /** @param {number} dx @param {number} dy */
  scrollBy(dx, dy) {
    this.element.scrollLeft += dx;
    this.element.scrollTop += dy;
  }
}

/** @param {number} count */
const numbers = (count) => Array.from({ length: count }, (_, index) => make("span", {}, String(index + 1)));
