// Everything by keys, while a cell has the focus. Arrows go from cell to cell; Space paints; W and an arrow set a rail.

import { isInside, STEPS } from "./board.js";
import { kindOf } from "./brushes.js";
import { areaBetween } from "./selection.js";
import { sideTowards } from "./strokes.js";
import { keysOf } from "../site/keys.js";
import { gettext } from "../site/words.js";

const ARROWS = /** @type {Record<string, Edge>} */ ({ ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" });
const PLACES = /** @type {Record<Edge, Cell>} */ ({ N: [0.5, 0.02], E: [0.98, 0.5], S: [0.5, 0.98], W: [0.02, 0.5] });
const RAIL = { name: "", token: "w{edge}", values: {} };

/** @param {ShipEditor} editor */
export function followKeys(editor) {
  const { grid, painter, element } = editor;
  /** @type {"" | "rail" | "edge"} */
  let waiting = ""; // for an arrow that says which edge
  /** @type {Cell | null} */
  let anchor = null; // where a selection by keys began

  element.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    const keys = keysOf(event);
    const [key] = keys;
    if (command && !isField(event.target) && keys.some((each) => shortcut(each, event.shiftKey))) return event.preventDefault();
    if (command || event.altKey) return;
    if (key === "/" && !isField(event.target)) {
      event.preventDefault();
      editor.search();
    } else if (key === "?" && !isField(event.target)) {
      event.preventDefault();
      editor.toolbar.showHelp();
    } else if (key === "Escape") {
      if (painter.isPainting) painter.cancel();
      else if (!isField(event.target)) editor.select(null);
      stop();
    } else if (grid.element.contains(event.target) && keys.some((each) => onCell(each, event))) {
      event.preventDefault();
    }
  });
  grid.element.addEventListener("focusin", ({ target }) => {
    const { column, row } = target.dataset;
    if (column && row) editor.focused([Number(column), Number(row)]);
  });
  // The clipboard's own events, so that other windows and programs understand the text.
  for (const name of /** @type {const} */ (["copy", "cut", "paste"])) {
    element.addEventListener(name, (event) => {
      if (isField(event.target)) return;
      const { clipboardData } = /** @type {ClipboardEvent} */ (/** @type {unknown} */ (event));
      if (name === "paste") editor.paste(clipboardData?.getData("text/plain"));
      else clipboardData?.setData("text/plain", editor.copy(name === "cut"));
      event.preventDefault();
    });
  }

  /** @param {string} key @param {boolean} shift */
  function shortcut(key, shift) {
    if (key === "z") return shift ? editor.redo() : editor.undo(), true;
    if (key === "y") return editor.redo(), true;
    if (key === "a" && grid.element.contains(document.activeElement)) return editor.selectAll(), true;
    return false;
  }

  /** @param {string} key @param {KeyboardEvent} event */
  function onCell(key, event) {
    const edge = ARROWS[key];
    if (edge) return arrow(edge, event.shiftKey), true;
    if (key !== "Shift") waiting = "";
    const { board } = editor;
    const [x, y] = grid.at;
    switch (key) {
      case " ": case "Enter": space(); break;
      case "Home": go([0, event.ctrlKey ? 0 : y]); break;
      case "End": go([board.width - 1, event.ctrlKey ? board.height - 1 : y]); break;
      case "PageUp": go([x, 0]); break;
      case "PageDown": go([x, board.height - 1]); break;
      case "Delete": case "Backspace": editor.selection ? editor.clear() : once([x + 0.5, y + 0.5], true); break;
      case "w": waiting = "rail"; editor.say(gettext("Rail: press an arrow key to choose the edge.")); break;
      case "p": editor.pick([x + 0.5, y + 0.5]); break;
      case "f": editor.fill([x + 0.5, y + 0.5]); break;
      case "r": editor.turn(event.shiftKey ? "left" : "right"); break;
      case "m": editor.turn(event.shiftKey ? "ends" : "sides"); break;
      case "+": case "=": editor.view.zoom(1); break;
      case "-": editor.view.zoom(-1); break;
      case "0": editor.view.fit(); break;
      default: return /^[1-5]$/.test(key) && editor.togglePhase(key);
    }
    return true;
  }

  /** @param {Edge} edge @param {boolean} selects */
  function arrow(edge, selects) {
    const [x, y] = grid.at;
    const [dx, dy] = STEPS[edge] ?? [0, 0];
    if (waiting) {
      const [right, down] = PLACES[edge];
      const before = editor.brush;
      const mode = editor.mode;
      if (waiting === "rail") editor.brush = { ...RAIL, name: gettext("Rail") };
      editor.mode = "draw";
      once([x + right, y + down]);
      editor.brush = before;
      editor.mode = mode;
      waiting = "";
      return editor.sayCell(x, y);
    }
    /** @type {Cell} */
    const to = [x + dx, y + dy];
    if (!isInside(editor.board, ...to)) return;
    if (selects) {
      anchor ??= [x, y];
      editor.select(areaBetween(anchor, to));
      editor.saySelection();
    } else {
      anchor = null;
    }
    grid.moveTo(to, true);
    if (painter.isPainting) painter.moveTo([to[0] + 0.5, to[1] + 0.5]);
  }

  // Paint here. A beam begins: arrows lead it on, and Space ends it. What belongs on an edge waits for an arrow.
  function space() {
    const [x, y] = grid.at;
    if (painter.isPainting) return painter.end(), editor.sayCell(x, y);
    const kind = editor.mode === "draw" ? kindOf(editor.brush.token) : "";
    if (kind === "edge") {
      waiting = "edge";
      return editor.say(gettext("{name}: press an arrow key to choose the edge.", { name: editor.brush.name }));
    }
    painter.begin([x + 0.5, y + 0.5]);
    if (kind === "beam") return editor.say(gettext("Draw the beam with the arrow keys. Press the space bar to finish."));
    painter.end();
    editor.sayCell(x, y);
  }

  /** @param {Cell} place @param {boolean} [erases] */
  function once(place, erases = false) {
    painter.begin(place, { erases });
    painter.end();
    if (erases) editor.sayCell(...grid.at);
  }

  /** @param {Cell} to */
  function go(to) {
    const side = sideTowards(grid.at, to);
    if (side) arrow(side, false);
    else if (!painter.isPainting) grid.moveTo(to, true);
  }

  function stop() {
    waiting = "";
    anchor = null;
  }
}

/** @param {Part} target */
const isField = (target) => target.matches("input, textarea, select");
