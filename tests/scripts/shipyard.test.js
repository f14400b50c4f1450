import assert from "node:assert/strict";
import { test } from "node:test";

import { barrier, boardOf, checkpointsOf, cropped, Draft, isTooLarge, LARGEST, renumbered, resized, rowsOf } from "../../static/shipyard/board.js";
import { erase, fill, kindOf, moveCheckpoint, paint, picked } from "../../static/shipyard/brushes.js";
import { isKnown, movedCell, parseCell, printCell } from "../../static/shipyard/cells.js";
import { History } from "../../static/shipyard/history.js";
import { areaBetween, cleared, copied, moved, pasted, readCopy, turnedArea } from "../../static/shipyard/selection.js";
import { cellsBetween, edgeAt, edgesBetween, extended, layBeam } from "../../static/shipyard/strokes.js";
import { imagesOf, motion, movedBoard } from "../../static/shipyard/symmetry.js";

const board = (...rows) => boardOf(rows);
const brush = (token, values = {}) => ({ name: token, token, values });
const [same] = imagesOf("none", 1, 1);
const drawn = (from, change) => {
  const draft = new Draft(from);
  change(draft);
  return rowsOf(draft.board);
};

test("tokens are read and written as on the server", () => {
  for (const token of [".", "g++wN", "b1:NE+wNS+r24E", "d24+i3*4+x15", "b2:NSWE", ".+wN+cN+p135N+l2E", "a:red", "a8", "t:yellow"]) assert.equal(printCell(parseCell(token)), token);
  assert.equal(printCell(parseCell("b1:WE+p54321N+wSN")), "b1:E+wNS+pN");
  assert.equal(printCell(parseCell("d42+x51")), "d24+x15");
});

test("unknown parts stay in their token and hide nothing else", () => {
  for (const token of ["qq", ".+zz+wN", "b1:NN", "b1:EE", "d22", "a9", "h4", ".+i1+i2", ".+wE+wE", ".+", "+wN", ".+l4N", "g++g"]) {
    assert.equal(isKnown(token), false, token);
    assert.equal(parseCell(printCell(parseCell(token))).rest.join(), parseCell(token).rest.join());
  }
  const cell = parseCell(".+zz+wN");
  assert.deepEqual([cell.rails, cell.rest], ["N", ["zz"]]);
  assert.equal(printCell({ ...cell, floor: "o" }), "o+wN+zz");
});

test("directions turn with their cell", () => {
  assert.equal(movedCell("b1:NE+wN+r1E+cN+p2W+l3S", motion("right", 3, 3)), "b1:ES+wE+r1S+cE+p2N+l3W");
  assert.equal(movedCell("g++wE", motion("sides", 3, 3)), "g-+wW");
  assert.equal(movedCell("g+", motion("half", 3, 3)), "g+");
  assert.equal(movedCell("b2:NWE", motion("ends", 3, 3)), "b2:SWE");
});

test("rows are aligned as on the server, and short ones are filled", () => {
  assert.deepEqual(rowsOf(board("a b1:E .+i1", ". ~")), ["a b1:E .+i1", ". ~    ."]);
  assert.equal(board().cells.length, 1);
});

test("a board grows and is cropped on each side", () => {
  const one = board("a b", "c d");
  assert.deepEqual(rowsOf(resized(one, { north: 1, west: 1 })), [". . .", ". a b", ". c d"]);
  assert.deepEqual(rowsOf(resized(one, { west: -1 })), ["b", "d"]);
  assert.deepEqual(rowsOf(resized(one, { east: -5 })), ["a", "c"]);
  assert.deepEqual(rowsOf(cropped(one, { x: 1, y: 1, width: 1, height: 1 })), ["d"]);
  assert.equal(resized(one, { south: 500 }).height, 100);
});

test("adding or removing a line changes no other line", () => {
  const full = { width: LARGEST, height: 2, cells: Array.from({ length: LARGEST * 2 }, (_, index) => (index === LARGEST - 1 ? ".+i1" : "o")) };
  for (const by of [{ west: 1 }, { east: 1 }, { west: 3, east: 3 }]) assert.deepEqual(resized(full, by).cells, full.cells, JSON.stringify(by));
  const tall = movedBoard(full, "right");
  for (const by of [{ north: 1 }, { south: 2 }]) assert.deepEqual(resized(tall, by).cells, tall.cells, JSON.stringify(by));
  const almost = resized(full, { east: -1 });
  assert.deepEqual(resized(almost, { west: 5 }).cells.slice(1, LARGEST), almost.cells.slice(0, LARGEST - 1));
  for (const by of [{ west: -1 }, { east: -1 }, { north: -1 }, { south: -1 }, { west: -4, north: -4 }]) assert.deepEqual(rowsOf(resized(board("a+i1"), by)), ["a+i1"], JSON.stringify(by));
  assert.deepEqual(rowsOf(resized(board("a", "b"), { west: -1, north: -1 })), ["b"]);
});

test("rows beyond the largest board are refused, and smaller boards are drawn whole", () => {
  assert.equal(isTooLarge(Array(LARGEST).fill(". ".repeat(LARGEST))), false);
  assert.equal(isTooLarge(Array(LARGEST + 1).fill(".")), true);
  assert.equal(isTooLarge([".", ". ".repeat(LARGEST + 1)]), true);
});

test("a rail between two cells belongs to both and stays with one if the other goes", () => {
  const both = [board("o+wE .", ". ."), board("o .+wW", ". .")];
  const railed = (/** @type {any} */ one, x, y, edge) => barrier(one, x, y, edge).rail;
  for (const one of both) {
    const [left, right] = [{ x: 0, y: 0, width: 1, height: 2 }, { x: 1, y: 0, width: 1, height: 2 }];
    assert.ok(railed(resized(one, { east: -1 }), 0, 0, "E"), "the line beside it is removed");
    assert.ok(railed(resized(one, { west: -1 }), 0, 0, "W"));
    assert.ok(railed(cropped(one, left), 0, 0, "E"));
    assert.ok(railed(cropped(one, right), 0, 0, "W"));
    assert.ok(railed(boardOf(copied(one, right).split("\n")), 0, 0, "W"), "a copy has the rails at its sides");
    for (const area of [left, right]) assert.ok(railed(cleared(one, area), 0, 0, "E"), "the cell beside it is cleared");
    assert.ok(railed(pasted(one, board("s", "s"), 1, 0), 0, 0, "E"), "something is put beside it");
    assert.ok(railed(pasted(one, board("s", "s"), 0, 0), 1, 0, "W"));
    const wide = { ...one, width: 2 };
    for (const [x, beside, edge] of [[1, 0, "E"], [0, 1, "W"]]) {
      const draft = new Draft(wide);
      paint(draft, brush("~"), { x, y: 0, edge: null }, same);
      assert.ok(railed(draft, beside, 0, edge), "the cell beside it becomes space");
    }
    const away = moved(resized(one, { east: 2 }), { x: 1, y: 0, width: 1, height: 1 }, 3, 0);
    assert.deepEqual([railed(away, 0, 0, "E"), railed(away, 3, 0, "W")], [true, true], "what moves has it as well");
  }
  const slides = board(".+r24E .+r12W");
  assert.deepEqual(rowsOf(cropped(slides, { x: 0, y: 0, width: 1, height: 1 })), [".+r2E"], "it is open when both are");
  assert.deepEqual(rowsOf(cleared(board("~ .+wW"), { x: 1, y: 0, width: 1, height: 1 })), ["~ ."], "and space bears none");
  assert.deepEqual(rowsOf(cleared(board(".+wE+cE .+wE"), { x: 0, y: 0, width: 2, height: 1 })), [". ."], "between cleared cells none is left");
});

test("an edge is barred from either side", () => {
  const one = board(".+wE .+r24W", ". .");
  assert.deepEqual(barrier(one, 0, 0, "E"), { rail: true, slides: ["24"] });
  assert.deepEqual(barrier(one, 1, 0, "W"), { rail: true, slides: ["24"] });
  assert.deepEqual(barrier(one, 0, 0, "N"), { rail: false, slides: [] });
});

test("checkpoints are renumbered if one is removed or repeated", () => {
  const before = board(".+i1 .+i2 .+i3");
  assert.deepEqual(rowsOf(renumbered(before, board(".+i1 . .+i3"))), [".+i1 . .+i2"]);
  assert.deepEqual(rowsOf(renumbered(board(".+i2 . .+i1"), board(".+i2 .+i1 .+i1*3"))), [".+i2 .+i3 .+i1*3"].map((row) => row.replace(/ +/g, " ")));
  const broken = board(".+i1 .+i7");
  assert.equal(renumbered(broken, broken), broken, "what was there is left as it is");
});

test("undo and redo cover all changes, including sizes", () => {
  const history = new History();
  const boards = [board(". ."), board("o ."), board("o o"), resized(board("o o"), { south: 1 })];
  for (let index = 1; index < boards.length; index += 1) assert.ok(history.add(`${index}`, boards[index - 1], boards[index]));
  let here = boards[3];
  for (const expected of [2, 1, 0]) {
    here = history.undo(here).board;
    assert.deepEqual(rowsOf(here), rowsOf(boards[expected]));
  }
  assert.equal(history.undo(here), null);
  for (const expected of [1, 2, 3]) {
    here = history.redo(here).board;
    assert.deepEqual(rowsOf(here), rowsOf(boards[expected]));
  }
  assert.equal(history.add("same", here, here), false);
});

test("a fast pointer skips no cell and moves from side to side", () => {
  assert.deepEqual(cellsBetween([0.5, 0.5], [3.5, 0.5]), [[1, 0], [2, 0], [3, 0]]);
  const way = [[0, 0], ...cellsBetween([0.5, 0.5], [7.2, 4.9])];
  for (let index = 1; index < way.length; index += 1) assert.equal(Math.abs(way[index][0] - way[index - 1][0]) + Math.abs(way[index][1] - way[index - 1][1]), 1);
  assert.deepEqual(way.at(-1), [7, 4]);
  assert.deepEqual(cellsBetween([0.2, 0.2], [0.8, 0.8]), []);
  assert.deepEqual(cellsBetween([3.5, 2.5], [1.5, 2.5]).at(-1), [1, 2]);
});

test("a pointer within a quarter of a side selects its edge", () => {
  assert.equal(edgeAt(2.5, 3.2), "N");
  assert.equal(edgeAt(2.1, 3.5), "W");
  assert.equal(edgeAt(2.5, 3.5), null);
  assert.equal(edgeAt(2.6, 3.5, { always: true }), "E");
});

test("edges follow a stroke along them, and not across it", () => {
  assert.deepEqual(edgesBetween([0.1, 1.1], [2.9, 1.1]).map(({ x, y, edge }) => `${x}${y}${edge}`), ["01N", "11N", "21N"]);
});

test("a beam follows the stroke: straight, curved, and back", () => {
  const path = [[0, 0], [1, 0], [1, 1]];
  assert.deepEqual(drawn(board(". .", ". ."), (draft) => layBeam(draft, path, "2", "E")), ["b2:E b2:WS", ".    b2:S"]);
  assert.deepEqual(extended(path, [1, 0]), [[0, 0], [1, 0]], "who goes back takes back");
  assert.deepEqual(drawn(board("."), (draft) => layBeam(draft, [[0, 0]], "1", "N")), ["b1:N"]);
});

test("a beam meeting another makes an intersection and keeps its fed entries", () => {
  const straight = board(". . .", "b1:E b1:E b1:E", ". . .");
  assert.equal(new Draft(straight).cell(1, 1).floor, "b1:E");
  const across = drawn(straight, (draft) => layBeam(draft, [[1, 0], [1, 1], [1, 2]], "1", "E"));
  assert.equal(across[1], "b1:E b1:NWS b1:E");
  const joins = drawn(straight, (draft) => layBeam(draft, [[1, 0], [1, 1]], "1", "E"));
  assert.equal(joins[1], "b1:E b1:NWE b1:E");
  const on = drawn(straight, (draft) => layBeam(draft, [[2, 1], [2, 2]], "1", "E"));
  assert.deepEqual(on.slice(1), ["b1:E b1:E b1:WS", ".    .    b1:S"]);
  const unfed = drawn(board("b1:E .", ". ."), (draft) => layBeam(draft, [[0, 0], [0, 1]], "1", "E"));
  assert.equal(unfed[0], "b1:S .");
});

test("a floor keeps its edges, and space keeps nothing", () => {
  const one = board(".+i1+wN");
  assert.deepEqual(drawn(one, (draft) => paint(draft, brush("o"), { x: 0, y: 0, edge: null }, same)), ["o+i1+wN"]);
  assert.deepEqual(drawn(one, (draft) => paint(draft, brush("~"), { x: 0, y: 0, edge: null }, same)), ["~"]);
  assert.deepEqual(drawn(one, (draft) => paint(draft, brush("d{phases}", { phases: "135" }), { x: 0, y: 0, edge: null }, same)), ["d135+i1+wN"]);
});

test("fittings bring a rail, unless the next cell has it", () => {
  const at = { x: 0, y: 0, edge: "E" };
  assert.deepEqual(drawn(board(". ."), (draft) => paint(draft, brush("l{strength}{edge}", { strength: "2" }), at, same)), [".+wE+l2E ."]);
  assert.deepEqual(drawn(board(". .+wW"), (draft) => paint(draft, brush("c{edge}"), at, same)), [".+cE .+wW"]);
  assert.deepEqual(drawn(board(".+wE+l1E ."), (draft) => paint(draft, brush("p{phases}{edge}", { phases: "12345" }), at, same)), [".+wE+pE ."]);
});

test("rail and slide rail replace each other, on both sides", () => {
  const at = { x: 0, y: 0, edge: "E" };
  assert.deepEqual(drawn(board(". .+wW"), (draft) => paint(draft, brush("r{phases}{edge}", { phases: "24" }), at, same)), [".+r24E ."]);
  assert.deepEqual(drawn(board(". .+r1W"), (draft) => paint(draft, brush("w{edge}"), at, same)), [".+wE ."]);
  assert.deepEqual(drawn(board(". .+wW"), (draft) => paint(draft, brush("w{edge}"), at, same)), [".  .+wW".replace("  ", " ")]);
});

test("checkpoints and start cells take the next number", () => {
  const spot = (x) => ({ x, y: 0, edge: null });
  assert.deepEqual(drawn(board(".+i1 . a1 ."), (draft) => {
    paint(draft, brush("i{number}"), spot(1), same);
    paint(draft, brush("a{seat}"), spot(3), same);
    paint(draft, brush("i{number}*{repairs}", { repairs: "4" }), spot(0), same);
  }), [".+i1*4 .+i2 a1 a2"]);
  const full = board("a1 a2 a3 a4 a5 a6 a7 a8 .");
  assert.equal(paint(new Draft(full), brush("a{seat}"), spot(8), same), false);
});

test("erasing removes the selected edge, or else the contents", () => {
  const one = board("b1:E+i1+wE .+wE");
  assert.deepEqual(drawn(one, (draft) => erase(draft, { x: 1, y: 0, edge: "W" })), ["b1:E+i1 .+wE"]);
  assert.deepEqual(drawn(one, (draft) => erase(draft, { x: 0, y: 0, edge: null })), [".+wE .+wE"]);
  assert.deepEqual(drawn(board("qq+wN"), (draft) => erase(draft, { x: 0, y: 0, edge: null })), [".+wN"]);
});

test("filling stops at another floor", () => {
  assert.deepEqual(drawn(board(". . o .", ". o . ."), (draft) => fill(draft, brush("~"), { x: 0, y: 0, edge: null }, same)), ["~ ~ o .", "~ o . ."]);
});

test("a checkpoint moves or swaps", () => {
  assert.deepEqual(drawn(board(".+i1 .+i2*3"), (draft) => moveCheckpoint(draft, [0, 0], [1, 0])), [".+i2*3 .+i1"]);
  assert.equal(checkpointsOf(board(".+i2 .+i1")).map(({ index }) => index).join(), "1,0");
});

test("the contents of a cell become the brush", () => {
  const elements = ["w{edge}", "p{phases}{edge}", "b1:{way}", "d{phases}", "i{number}", "i{number}*{repairs}", "."].map((token) => ({ name: token, token, choices: token.includes("phases") ? { phases: "24" } : token.includes("repairs") ? { repairs: "2" } : {} }));
  const pick = (cell, edge = null) => picked(board(cell), { x: 0, y: 0, edge }, elements);
  assert.deepEqual(pick("d135").values, { phases: "135" });
  assert.deepEqual(pick("b1:NE").values, { way: "E" });
  assert.deepEqual(pick(".+wN+pN", "N"), { name: "p{phases}{edge}", token: "p{phases}{edge}", values: { phases: "12345" } });
  assert.equal(pick(".+wN", "N").token, "w{edge}");
  assert.deepEqual(pick(".+i3*5").values, { repairs: "5" });
  assert.equal(pick(".+i3").token, "i{number}");
  assert.equal(pick("qq"), null);
  assert.deepEqual(["w{edge}", "b1:{way}", "i{number}", "a{seat}", "x{phases}", "d{phases}"].map(kindOf), ["edge", "beam", "checkpoint", "start", "crusher", "floor"]);
});

test("a stroke has two or four images", () => {
  const at = (name, w = 4, h = 4) => imagesOf(name, w, h).map((image) => image.at(0, 1).join(""));
  assert.deepEqual(at("none"), ["01"]);
  assert.deepEqual(at("sides"), ["01", "31"]);
  assert.deepEqual(at("mirrors"), ["01", "31", "02", "32"]);
  assert.deepEqual(at("quarters"), ["01", "20", "32", "13"]);
  assert.deepEqual(at("quarters", 4, 3), ["01"]);
});

test("four quarter turns and two mirrors change nothing", () => {
  const one = board("b1:NE+wN g+ .+i1", "a+p2W d24 ~");
  let turned = one;
  for (let times = 0; times < 4; times += 1) turned = movedBoard(turned, "right");
  assert.deepEqual(rowsOf(turned), rowsOf(one));
  assert.deepEqual(rowsOf(movedBoard(movedBoard(one, "right"), "left")), rowsOf(one));
  assert.deepEqual(rowsOf(movedBoard(movedBoard(one, "sides"), "sides")), rowsOf(one));
  assert.deepEqual(rowsOf(movedBoard(board("a o", ". ."), "right")), [". a", ". o"]);
});

test("a part is copied as text, pasted, moved, turned and cleared", () => {
  const one = board("a o .", ". . .+i1");
  const area = areaBetween([1, 0], [0, 0]);
  assert.equal(copied(one, area), "a o");
  assert.deepEqual(rowsOf(pasted(one, readCopy("a o"), 2, 1)), ["a o .", ". . a"]);
  assert.deepEqual(rowsOf(moved(one, area, 1, 1)), [". . .", ". a o"]);
  assert.deepEqual(rowsOf(turnedArea(one, area, "right").board), ["a . .", "o . .+i1"]);
  assert.deepEqual(rowsOf(cleared(one, area)), [". . .", ". . .+i1"]);
  for (const text of ["hello world", "sofa", "", "a .\n.", "42"]) assert.equal(readCopy(text), null, text);
});

test("a part turned at the end of the board moves aside and loses nothing", () => {
  const one = board(". . . .", ". . . .", ". . o s");
  const { board: turned, area } = turnedArea(one, { x: 1, y: 2, width: 3, height: 1 }, "right");
  assert.deepEqual(rowsOf(turned), [". . . .", ". o . .", ". s . ."]);
  assert.deepEqual(area, { x: 1, y: 0, width: 1, height: 3 });
  assert.deepEqual(turnedArea(one, { x: 0, y: 2, width: 4, height: 1 }, "right").area, { x: 0, y: 0, width: 1, height: 3 });
});
