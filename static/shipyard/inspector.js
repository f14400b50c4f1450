// The cell that has the focus: all that is in it, each with its small switches and a button that takes it away.

import { checkpointsOf, Draft, HULL, tokenAt } from "./board.js";
import { placeOf, sentenceCase } from "./cell_words.js";
import { ALWAYS, beam, EDGES, parseCell, readBeam, withEdge } from "./cells.js";
import { chooser, controlFor, phaseSwitches } from "./controls.js";
import { iconButton, make } from "./dom.js";
import { gettext, pgettext } from "../site/words.js";

/** @typedef {{ name: string, control?: Part | null, without: Partial<ShipCell> | null }} CellPart */

export class Inspector {
  /** @param {ShipEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.heading = make("h3", {});
    this.list = make("ul", { className: "yard-parts" });
    this.element = make("section", { className: "yard-inspector", "aria-label": gettext("This cell") }, this.heading, this.list);
    /** @type {string} */
    this.shown = "";
  }

  /** @param {Cell} at */
  show([x, y]) {
    const { board } = this.editor;
    const token = tokenAt(board, x, y);
    const shown = `${x} ${y} ${token} ${checkpointsOf(board).length}`;
    if (shown === this.shown) return;
    const again = this.list.contains(document.activeElement) && `${this.shown}`.startsWith(`${x} ${y} `) ? document.activeElement?.getAttribute("aria-label") : null;
    this.shown = shown;
    this.heading.textContent = sentenceCase(placeOf(x, y));
    this.list.replaceChildren(...this.#parts(x, y).map(({ name, control, without }) => make("li", {},
      make("span", { className: "yard-part-name" }, name),
      without && iconButton("clear", gettext("Remove {name}", { name }), () => this.#change(x, y, without, gettext("Remove {name}", { name }))),
      control ?? null)));
    if (again) this.list.querySelector(`[aria-label="${CSS.escape(again)}"]`)?.focus();
  }

  /** @param {number} x @param {number} y @param {Partial<ShipCell>} changes @param {string} name */
  #change(x, y, changes, name) {
    const draft = new Draft(this.editor.board);
    draft.change(x, y, changes);
    this.editor.commit(name, draft.board);
  }

  /** @param {number} x @param {number} y @returns {CellPart[]} */
  #parts(x, y) {
    const { board, words } = this.editor;
    const cell = parseCell(tokenAt(board, x, y));
    /** @param {string} token */
    const told = (token) => words[token] ?? gettext("Unknown: {token}", { token });
    /** @param {string} name @param {(value: string) => Partial<ShipCell>} changes */
    const change = (name, changes) => (/** @type {string} */ value) => this.#change(x, y, changes(value), name);
    /** @type {CellPart[]} */
    const parts = [{ name: told(cell.floor), control: floorControl(cell, change(gettext("Change"), (floor) => ({ floor }))), without: cell.floor === HULL ? null : { floor: HULL } }];
    if (cell.checkpoint) parts.push(this.#checkpoint(x, y, cell.checkpoint, told("i").replace("{number}", String(cell.checkpoint.number))));
    if (cell.crusher) parts.push({ name: told(`x${cell.crusher}`), control: phaseSwitches(cell.crusher, change(gettext("Phases"), (crusher) => ({ crusher }))), without: { crusher: "" } });
    for (const edge of EDGES) {
      const [slide, arm, strength] = [cell.slides[edge], cell.arms[edge], cell.emitters[edge]];
      if (cell.rails.includes(edge)) parts.push({ name: told(`w${edge}`), without: { rails: cell.rails.replace(edge, "") } });
      if (slide) parts.push({ name: told(`r${slide}${edge}`), control: phaseSwitches(slide, change(gettext("Phases"), (phases) => ({ slides: withEdge(cell.slides, edge, phases) }))), without: { slides: withEdge(cell.slides, edge, "") } });
      if (cell.couplings.includes(edge)) parts.push({ name: told(`c${edge}`), without: { couplings: cell.couplings.replace(edge, "") } });
      if (arm) parts.push({ name: told(`p${arm === ALWAYS ? "" : arm}${edge}`), control: phaseSwitches(arm, change(gettext("Phases"), (phases) => ({ arms: withEdge(cell.arms, edge, phases) }))), without: { arms: withEdge(cell.arms, edge, "") } });
      if (strength) parts.push({ name: told(`l${strength}${edge}`), control: controlFor("strength", strength, change(gettext("Strength"), (next) => ({ emitters: withEdge(cell.emitters, edge, next) }))), without: { emitters: withEdge(cell.emitters, edge, "") } });
    }
    for (const token of cell.rest) parts.push({ name: told(`+${token}`), without: { rest: cell.rest.filter((each) => each !== token) } });
    return parts;
  }

  /** @param {number} x @param {number} y @param {{ number: number, damage: number }} checkpoint @param {string} name @returns {CellPart} */
  #checkpoint(x, y, { number, damage }, name) {
    const count = checkpointsOf(this.editor.board).length;
    const order = chooser(gettext("Order"), [
      .../** @type {[string, string][]} */ (number > 1 ? [["-1", gettext("Earlier")]] : []),
      .../** @type {[string, string][]} */ (number < count ? [["1", gettext("Later")]] : []),
    ], "", (by) => this.#reorder(number, number + Number(by)));
    const repairs = chooser(gettext("Repairs"), ["0", "1", "2", "3", "4", "5", "6"].map((each) => [each, each]), String(damage), (value) => this.#change(x, y, { checkpoint: { number, damage: Number(value) } }, gettext("Repairs")));
    return { name, control: make("div", {}, ...(count > 1 ? [order] : []), repairs), without: { checkpoint: null } };
  }

  // Two checkpoints change their numbers.
  /** @param {number} one @param {number} other */
  #reorder(one, other) {
    const { board } = this.editor;
    const draft = new Draft(board);
    for (const { index, number, damage } of checkpointsOf(board)) {
      const next = number === one ? other : number === other ? one : number;
      if (next !== number) draft.change(index % board.width, Math.floor(index / board.width), { checkpoint: { number: next, damage } });
    }
    this.editor.commit(gettext("Checkpoint order"), draft.board);
  }
}

// Switches of a floor that has any: phases of a bay, strength of a depot, speed of a beam.
/** @param {ShipCell} cell @param {(floor: string) => void} change */
function floorControl({ floor, known }, change) {
  if (!known) return null;
  const way = readBeam(floor);
  if (way) return chooser(pgettext("beam", "Speed"), ["1", "2", "3"].map((each) => [each, each]), way.speed, (speed) => change(beam(speed, way.entries, way.exit)));
  if (floor.startsWith("d")) return phaseSwitches(floor.slice(1), (phases) => change(`d${phases}`));
  if (floor.startsWith("h")) return controlFor("strength", floor.slice(1), (strength) => change(`h${strength}`));
  return null;
}
