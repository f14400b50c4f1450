// Over the drawing: what the pointer means, the selection, the axes of symmetry.

import { make } from "./dom.js";

export class Overlay {
  /** @param {number} cell */
  constructor(cell) {
    this.unit = cell;
    this.hovered = make("div", { className: "yard-hover", hidden: true });
    this.selected = make("div", { className: "yard-selection", hidden: true });
    this.axes = make("div", { className: "yard-axes" });
    this.element = make("div", { className: "yard-overlay", "aria-hidden": "true" }, this.axes, this.selected, this.hovered);
  }

  /** @param {ShipEditor} editor */
  show({ selection, symmetry }) {
    this.selected.hidden = !selection;
    if (selection) put(this.selected, selection);
    this.axes.dataset["symmetry"] = symmetry;
  }

  /** @param {Spot | null} spot @param {ShipEditor} editor */
  hover(spot, { board, paintsEdges }) {
    const inside = spot && spot.x >= 0 && spot.y >= 0 && spot.x < board.width && spot.y < board.height;
    this.hovered.hidden = !inside;
    if (!inside) return;
    put(this.hovered, { x: spot.x, y: spot.y, width: 1, height: 1 });
    this.hovered.dataset["edge"] = paintsEdges && spot.edge ? spot.edge : "";
  }
}

/** @param {Part} element @param {Area} area */
function put({ style }, { x, y, width, height }) {
  for (const [name, value] of Object.entries({ x, y, wide: width, high: height })) style.setProperty(`--${name}`, String(value));
}
