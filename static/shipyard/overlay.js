// Over the drawing: what the pointer means, the selection, the axes of symmetry.

import { isOccupied } from "./brushes.js";
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

  /** @param {Spot | null} spot on the board @param {ShipEditor} editor */
  hover(spot, { board, paintsEdges, mode }) {
    this.hovered.hidden = !spot;
    if (!spot) return;
    const { x, y, edge } = spot;
    put(this.hovered, { x, y, width: 1, height: 1 });
    this.hovered.dataset["edge"] = edge && (paintsEdges || (mode === "erase" && isOccupied(board, { x, y, edge }))) ? edge : "";
  }
}

/** @param {Part} element @param {Area} area */
function put({ style }, { x, y, width, height }) {
  for (const [name, value] of Object.entries({ x, y, wide: width, high: height })) style.setProperty(`--${name}`, String(value));
}
