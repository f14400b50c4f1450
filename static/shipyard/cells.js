// One cell of starship/1, read leniently: what is not known stays in its token, and hides nothing else. docs/formats.md has the tokens.

export const EDGES = /** @type {Edge[]} */ (["N", "E", "S", "W"]);
export const ALWAYS = "12345";

const CELL = /^(g\+|[^+]+)((?:\+[^+]+)*)$/;
const PLAIN = /^(?:[.~oskfa]|g[+2-]|t:(?:purple|red|blue|yellow)|h[123]|a:(?:red|blue)|a[1-8])$/;

/** @type {Map<string, ShipCell>} */
const known = new Map();

// A token as a cell. Each token is read once.
/** @param {string} token @returns {ShipCell} */
export function parseCell(token) {
  let cell = known.get(token);
  if (!cell) known.set(token, (cell = read(token)));
  return cell;
}

/** @param {string} token @returns {ShipCell} */
function read(token) {
  const [, floor, features] = CELL.exec(token) ?? [];
  if (!floor) return { ...empty(token), known: false };
  const canonical = canonicalFloor(floor);
  const cell = { ...empty(canonical ?? floor), known: canonical !== null };
  for (const feature of (features ?? "").split("+").slice(1)) if (!take(cell, feature)) cell.rest.push(feature);
  return cell;
}

/** @param {string} floor */
const empty = (floor) => ({
  floor,
  known: true,
  checkpoint: /** @type {{ number: number, damage: number } | null} */ (null),
  crusher: "",
  rails: "",
  slides: /** @type {Record<string, string>} */ ({}),
  couplings: "",
  arms: /** @type {Record<string, string>} */ ({}),
  emitters: /** @type {Record<string, string>} */ ({}),
  rest: /** @type {string[]} */ ([]),
});

// A floor as the server writes it, or null for one that is not known.
/** @param {string} floor */
function canonicalFloor(floor) {
  if (PLAIN.test(floor)) return floor;
  const [, bay] = /^d([1-5]+)$/.exec(floor) ?? [];
  if (bay) return unique(bay) ? `d${sorted(bay)}` : null;
  const [, speed, entries = "", exit = ""] = /^b([123]):([NESW]{0,3})([NESW])$/.exec(floor) ?? [];
  if (!speed || entries.includes(exit) || !unique(entries)) return null;
  return beam(speed, entries, exit);
}

// Keep a feature in a cell; false for one that is not known, or that is there already.
/** @param {ReturnType<typeof empty>} cell @param {string} feature */
function take(cell, feature) {
  const [, kind, value = "", edge = ""] = /^([iwc])(.+)$/.exec(feature)
    ?? /^([rpl])([1-5]*)([NESW])$/.exec(feature) ?? /^(x)([1-5]+)$/.exec(feature) ?? [];
  switch (kind) {
    case "i": {
      const [, number, damage] = /^([1-9]\d{0,3})(?:\*([1-9]\d{0,3}))?$/.exec(value) ?? [];
      if (!number || cell.checkpoint) return false;
      cell.checkpoint = { number: Number(number), damage: Number(damage ?? 0) };
      return true;
    }
    case "x":
      if (cell.crusher || !unique(value)) return false;
      cell.crusher = sorted(value);
      return true;
    case "w":
      if (!/^[NESW]+$/.test(value) || !unique(cell.rails + value)) return false;
      cell.rails = inOrder(cell.rails + value);
      return true;
    case "c":
      if (!/^[NESW]$/.test(value) || cell.couplings.includes(value)) return false;
      cell.couplings = inOrder(cell.couplings + value);
      return true;
    case "r":
      if (!value || !unique(value) || cell.slides[edge]) return false;
      cell.slides[edge] = sorted(value);
      return true;
    case "p":
      if (!unique(value) || cell.arms[edge]) return false;
      cell.arms[edge] = sorted(value) || ALWAYS;
      return true;
    case "l":
      if (!/^[123]$/.test(value) || cell.emitters[edge]) return false;
      cell.emitters[edge] = value;
      return true;
    default:
      return false;
  }
}

/** @param {string} text */
const unique = (text) => new Set(text).size === text.length;
/** @param {string} text */
const sorted = (text) => [...text].sort().join("");
/** @param {string} edges */
export const inOrder = (edges) => EDGES.filter((edge) => edges.includes(edge)).join("");
/** @param {string} edge */
export const opposite = (edge) => /** @type {Edge} */ (EDGES[(EDGES.indexOf(/** @type {Edge} */ (edge)) + 2) % 4]);

// The token of a beam; with no entry but the one opposite, it is straight.
/** @param {string} speed @param {string} entries @param {string} exit */
export function beam(speed, entries, exit) {
  const sides = inOrder(entries);
  return `b${speed}:${sides === opposite(exit) ? "" : sides}${exit}`;
}

// What a floor's token says of a beam: its entries are named, also of a straight one.
/** @param {string} floor */
export function readBeam(floor) {
  const [, speed, entries, exit] = /^b([123]):([NESW]{0,3})([NESW])$/.exec(floor) ?? [];
  return speed && exit ? { speed, entries: entries || opposite(exit), exit: /** @type {Edge} */ (exit) } : null;
}

// A cell as its token, in canonical notation; what is not known comes last.
/** @param {ShipCell} cell */
export function printCell(cell) {
  const parts = [cell.floor];
  if (cell.checkpoint) parts.push(`i${cell.checkpoint.number}${cell.checkpoint.damage ? `*${cell.checkpoint.damage}` : ""}`);
  if (cell.crusher) parts.push(`x${cell.crusher}`);
  if (cell.rails) parts.push(`w${cell.rails}`);
  for (const edge of EDGES) if (cell.slides[edge]) parts.push(`r${cell.slides[edge]}${edge}`);
  for (const edge of cell.couplings) parts.push(`c${edge}`);
  for (const edge of EDGES) if (cell.arms[edge]) parts.push(`p${cell.arms[edge] === ALWAYS ? "" : cell.arms[edge]}${edge}`);
  for (const edge of EDGES) if (cell.emitters[edge]) parts.push(`l${cell.emitters[edge]}${edge}`);
  return [...parts, ...cell.rest].join("+");
}

// A token with some of its cell changed.
/** @param {string} token @param {Partial<ShipCell>} changes */
export const changed = (token, changes) => printCell({ ...parseCell(token), ...changes });

// A table by edges with one of them set, or without it.
/** @param {Readonly<Record<string, string>>} table @param {string} edge @param {string} value */
export function withEdge(table, edge, value) {
  const { [edge]: _, ...others } = table;
  return value ? { ...others, [edge]: value } : others;
}

// Whether all of a token is known.
/** @param {string} token */
export function isKnown(token) {
  const cell = parseCell(token);
  return cell.known && !cell.rest.length;
}

// A cell as it lies after a turn or in a mirror.
/** @param {string} token @param {Motion} motion */
export function movedCell(token, { edges, mirrors }) {
  const cell = parseCell(token);
  /** @param {string} text */
  const moved = (text) => inOrder([...text].map((edge) => edges[edge]).join(""));
  /** @param {Readonly<Record<string, string>>} table */
  const movedTable = (table) => Object.fromEntries(Object.entries(table).map(([edge, value]) => [edges[edge], value]));
  const way = readBeam(cell.floor);
  let { floor } = cell;
  if (way) floor = beam(way.speed, moved(way.entries), edges[way.exit] ?? "");
  else if (mirrors) floor = { "g+": "g-", "g-": "g+" }[floor] ?? floor;
  return printCell({
    ...cell,
    floor,
    rails: moved(cell.rails),
    couplings: moved(cell.couplings),
    slides: movedTable(cell.slides),
    arms: movedTable(cell.arms),
    emitters: movedTable(cell.emitters),
  });
}

// Whether a cell has anything on an edge.
/** @param {ShipCell} cell @param {Edge} edge */
export const hasEdge = (cell, edge) => cell.rails.includes(edge) || cell.couplings.includes(edge) || Boolean(cell.slides[edge] ?? cell.arms[edge] ?? cell.emitters[edge]);
