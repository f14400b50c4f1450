// What a brush does to a cell. A change is asked of every image of a stroke; rules are the server's.

import { barrier, checkpointsOf, Draft, HULL, isInside, leaveRails, SPACE, STEPS } from "./board.js";
import { EDGES, hasEdge, inOrder, movedCell, opposite, withEdge } from "./cells.js";

export const SEATS = 8;

// What a brush paints: a "floor", a "beam", something on an "edge", a "checkpoint", a "crusher" or a "start".
/** @param {string} token */
export function kindOf(token) {
  if (token.includes("{edge}")) return "edge";
  if (token.includes("{way}")) return "beam";
  if (token.includes("{number}")) return "checkpoint";
  if (token.includes("{seat}")) return "start";
  return token.startsWith("x") ? "crusher" : "floor";
}

// The token of a brush with its choices put in.
/** @param {Brush} brush @param {Record<string, string>} [more] */
export function filled({ token, values }, more = {}) {
  return token.replace(/\{(\w+)\}/g, (_, name) => more[name] ?? values[name] ?? "");
}

// Paint one spot; false if there is no place for it.
/** @param {Draft} draft @param {Brush} brush @param {Spot} spot @param {Motion} image */
export function paint(draft, brush, spot, image) {
  const { x, y, edge } = spot;
  const cell = draft.cell(x, y);
  switch (kindOf(brush.token)) {
    case "edge":
      if (edge) paintEdge(draft, brush, { x, y, edge });
      return Boolean(edge);
    case "checkpoint": {
      const damage = Number(brush.values["repairs"] ?? 0);
      const number = cell.checkpoint?.number ?? Math.max(0, ...checkpointsOf(draft.board).map((each) => each.number)) + 1;
      draft.change(x, y, { checkpoint: { number, damage } });
      return true;
    }
    case "crusher":
      draft.change(x, y, { crusher: brush.values["phases"] ?? "" });
      return true;
    case "start": {
      if (/^a[1-8]$/.test(cell.floor)) return true;
      const seat = freeSeat(draft.board);
      if (seat) draft.change(x, y, { floor: `a${seat}` });
      return Boolean(seat);
    }
    default: {
      const floor = movedCell(filled(brush, { way: brush.values["way"] ?? "E" }), image);
      if (floor !== SPACE) draft.change(x, y, { floor });
      else {
        leaveRails(draft, { x, y, width: 1, height: 1 });
        draft.set(x, y, floor); // nothing stands in space
      }
      return true;
    }
  }
}

// The lowest seat without a start cell; null if all have one.
/** @param {Board} board */
export function freeSeat({ cells }) {
  for (let seat = 1; seat <= SEATS; seat += 1) if (!cells.some((token) => token.split("+")[0] === `a${seat}`)) return seat;
  return null;
}

// Put something on an edge. What needs a rail brings one; a rail and a slide rail take each other's place.
/** @param {Draft} draft @param {Brush} brush @param {{ x: number, y: number, edge: Edge }} spot */
function paintEdge(draft, brush, { x, y, edge }) {
  const cell = draft.cell(x, y);
  const phases = inPhases(brush);
  switch (brush.token[0]) {
    case "w":
      if (!barrier(draft, x, y, edge).rail || barrier(draft, x, y, edge).slides.length) {
        clearBarrier(draft, x, y, edge);
        draft.change(x, y, { rails: inOrder(draft.cell(x, y).rails + edge) });
      }
      return;
    case "r":
      clearBarrier(draft, x, y, edge);
      draft.change(x, y, { slides: withEdge(draft.cell(x, y).slides, edge, phases) });
      return;
    case "c":
      draft.change(x, y, { couplings: inOrder(cell.couplings + edge) });
      break;
    case "p":
      draft.change(x, y, { arms: withEdge(cell.arms, edge, phases), emitters: withEdge(cell.emitters, edge, "") });
      break;
    case "l":
      draft.change(x, y, { emitters: withEdge(cell.emitters, edge, brush.values["strength"] ?? "1"), arms: withEdge(cell.arms, edge, "") });
      break;
  }
  const { rail, slides } = barrier(draft, x, y, edge);
  if (!rail && !slides.length) draft.change(x, y, { rails: inOrder(draft.cell(x, y).rails + edge) });
}

/** @param {Brush} brush */
const inPhases = ({ values }) => [...(values["phases"] ?? "")].sort().join("");

// Take rails and slide rails from an edge, on both of its sides.
/** @param {Draft} draft @param {number} x @param {number} y @param {Edge} edge */
function clearBarrier(draft, x, y, edge) {
  const [dx, dy] = STEPS[edge] ?? [0, 0];
  for (const [column, row, side] of /** @type {[number, number, Edge][]} */ ([[x, y, edge], [x + dx, y + dy, opposite(edge)]])) {
    if (!isInside(draft, column, row)) continue;
    const cell = draft.cell(column, row);
    draft.change(column, row, { rails: cell.rails.replace(side, ""), slides: withEdge(cell.slides, side, "") });
  }
}

// Whether a spot's edge has something on it, on either side.
/** @param {Draft | Board} board @param {{ x: number, y: number, edge: Edge }} spot */
export function isOccupied(board, { x, y, edge }) {
  const draft = board instanceof Draft ? board : new Draft(board);
  const [dx, dy] = STEPS[edge] ?? [0, 0];
  return hasEdge(draft.cell(x, y), edge) || (isInside(draft, x + dx, y + dy) && hasEdge(draft.cell(x + dx, y + dy), opposite(edge)));
}

// Erase what is on the edge that is meant, if anything is; else what is in the cell. Rails round the cell stay then.
/** @param {Draft} draft @param {Spot} spot */
export function erase(draft, { x, y, edge }) {
  if (edge && isOccupied(draft, { x, y, edge })) {
    const [dx, dy] = STEPS[edge] ?? [0, 0];
    clearBarrier(draft, x, y, edge);
    clearFittings(draft, x, y, edge);
    if (isInside(draft, x + dx, y + dy)) clearFittings(draft, x + dx, y + dy, opposite(edge));
    return;
  }
  draft.change(x, y, { floor: HULL, checkpoint: null, crusher: "", rest: [] });
}

/** @param {Draft} draft @param {number} x @param {number} y @param {Edge} edge */
function clearFittings(draft, x, y, edge) {
  const cell = draft.cell(x, y);
  draft.change(x, y, { couplings: cell.couplings.replace(edge, ""), arms: withEdge(cell.arms, edge, ""), emitters: withEdge(cell.emitters, edge, "") });
}

// Fill all cells that hang together with this one and have the same floor.
/** @param {Draft} draft @param {Brush} brush @param {Spot} spot @param {Motion} image */
export function fill(draft, brush, { x, y }, image) {
  const from = draft.cell(x, y).floor;
  const waiting = /** @type {Cell[]} */ ([[x, y]]);
  const seen = new Set([y * draft.width + x]);
  while (waiting.length) {
    const [column, row] = /** @type {Cell} */ (waiting.pop());
    paint(draft, brush, { x: column, y: row, edge: null }, image);
    for (const edge of EDGES) {
      const [dx, dy] = STEPS[edge] ?? [0, 0];
      const [nextX, nextY] = [column + dx, row + dy];
      const index = nextY * draft.width + nextX;
      if (!isInside(draft, nextX, nextY) || seen.has(index)) continue;
      if (draft.cell(nextX, nextY).floor !== from) continue;
      seen.add(index);
      waiting.push([nextX, nextY]);
    }
  }
}

// Move a checkpoint to another cell; one that is there changes places with it.
/** @param {Draft} draft @param {Cell} from @param {Cell} to */
export function moveCheckpoint(draft, from, to) {
  const [one, other] = [draft.cell(...from).checkpoint, draft.cell(...to).checkpoint];
  draft.change(...from, { checkpoint: other });
  draft.change(...to, { checkpoint: one });
}

// What is in a cell as a brush, to paint more of it: the thing on the edge that is meant, a checkpoint, a crusher, else the floor.
/** @param {Draft | Board} board @param {Spot} spot @param {PaletteElement[]} elements @returns {Brush | null} */
export function picked(board, { x, y, edge }, elements) {
  const draft = board instanceof Draft ? board : new Draft(board);
  const cell = draft.cell(x, y);
  const onEdge = edge && edgeToken(draft, x, y, edge);
  const token = onEdge || (cell.checkpoint && `i{number}${cell.checkpoint.damage ? `*${cell.checkpoint.damage}` : ""}`) || (cell.crusher && `x${cell.crusher}`) || cell.floor;
  for (const element of elements) {
    const names = [...element.token.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
    const pattern = element.token.replace(/[.*+?]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => `(${FORMS[name] ?? ""})`);
    const match = new RegExp(`^${pattern}$`).exec(token);
    if (!match) continue;
    const found = Object.fromEntries(names.map((name, place) => [name, match[place + 1] ?? ""]).filter(([name]) => name === "way" || (name && name in element.choices)));
    const values = { ...element.choices, ...found, ...(element.token.startsWith("p") && !found["phases"] ? { phases: "12345" } : {}) };
    if (values["way"]) values["way"] = values["way"].slice(-1);
    return { name: element.name, token: element.token, values };
  }
  return null;
}

const FORMS = /** @type {Record<string, string>} */ ({ phases: "[1-5]*", edge: "[NESW]", strength: "[1-3]", way: "[NESW]+", number: "\\{number\\}", repairs: "\\d+", seat: "[1-8]" });

/** @param {Draft} draft @param {number} x @param {number} y @param {Edge} edge */
function edgeToken(draft, x, y, edge) {
  const cell = draft.cell(x, y);
  if (cell.arms[edge]) return `p${cell.arms[edge]}${edge}`;
  if (cell.emitters[edge]) return `l${cell.emitters[edge]}${edge}`;
  if (cell.couplings.includes(edge)) return `c${edge}`;
  const { rail, slides } = barrier(draft, x, y, edge);
  return slides.length ? `r${slides[0]}${edge}` : rail ? `w${edge}` : "";
}
