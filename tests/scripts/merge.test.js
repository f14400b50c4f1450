import assert from "node:assert/strict";
import { test } from "node:test";

import { isSameDrawn, merged } from "../../static/shipyard/merge.js";

const drawn = (rows, { ruleset = "", players = 4, ...texts } = {}) => ({ document: { format: "starship/1", name: "Canoe", ...texts, rows }, ruleset, players });
const BASE = drawn(["a . .", ". . .+i1"]);

test("cells changed on one side are taken from there", () => {
  const { clashes, mine, theirs } = merged(BASE, drawn(["a o .", ". . .+i1"]), drawn(["a . .", "~ . .+i1"]));
  assert.deepEqual(clashes, []);
  assert.deepEqual(mine, drawn(["a o .", "~ . .+i1"]));
  assert.deepEqual(mine, theirs);
});

test("a cell changed equally on both sides is no conflict", () => {
  const { clashes, mine } = merged(BASE, drawn(["a o .", "s . .+i1"]), drawn(["a o .", ". . .+i1"]));
  assert.deepEqual(clashes, []);
  assert.deepEqual(mine.document.rows, ["a o .", "s . .+i1"]);
});

test("a cell changed differently on both sides is a conflict, and the rest is merged", () => {
  const { clashes, mine, theirs } = merged(BASE, drawn(["a o f", ". . .+i1"]), drawn(["a ~ .", "k . .+i1"]));
  assert.deepEqual(clashes, [{ key: "cell", x: 1, y: 0, mine: "o", theirs: "~" }]);
  assert.deepEqual(mine.document.rows, ["a o f", "k . .+i1"]);
  assert.deepEqual(theirs.document.rows, ["a ~ f", "k . .+i1"]);
});

test("texts, ruleset and players are merged like cells", () => {
  const { clashes, mine } = merged(BASE, drawn(BASE.document.rows, { name: "Tub", players: 2 }), drawn(BASE.document.rows, { ruleset: "robo-arena", description: "Wet." }));
  assert.deepEqual(clashes, []);
  assert.deepEqual(mine, drawn(BASE.document.rows, { name: "Tub", players: 2, ruleset: "robo-arena", description: "Wet." }));
  const both = merged(BASE, drawn(BASE.document.rows, { name: "Tub" }), drawn(BASE.document.rows, { name: "Raft" }));
  assert.deepEqual(both.clashes, [{ key: "name", mine: "Tub", theirs: "Raft" }]);
  assert.deepEqual([both.mine.document.name, both.theirs.document.name], ["Tub", "Raft"]);
});

test("a size changed on one side is taken, unless the other side changed cells", () => {
  const grown = drawn(["a . . .", ". . .+i1 ."]);
  assert.deepEqual(merged(BASE, grown, BASE).mine, grown);
  assert.deepEqual(merged(BASE, BASE, grown).mine, grown);
  assert.deepEqual(merged(BASE, grown, grown).clashes, []);
  const { clashes, mine, theirs } = merged(BASE, grown, drawn(["a o .", ". . .+i1"]));
  assert.deepEqual(clashes, [{ key: "size", mine: "4 × 2", theirs: "3 × 2" }]);
  assert.deepEqual([mine.document.rows, theirs.document.rows], [grown.document.rows, ["a o .", ". . .+i1"]]);
});

test("checkpoints added on both sides are numbered in sequence", () => {
  const { clashes, mine } = merged(BASE, drawn(["a .+i2 .", ". . .+i1"]), drawn(["a . .", ".+i2 . .+i1"]));
  assert.deepEqual(clashes, []);
  assert.deepEqual(mine.document.rows, ["a    .+i3 .", ".+i2 .    .+i1"]);
});

test("unreadable parts are taken unchanged, and short rows are only filled when cells are merged", () => {
  const base = drawn(["a qq .+zz", ". ."]);
  assert.deepEqual(merged(base, base, drawn(["a qq", ". ."])).mine.document.rows, ["a qq", ". ."]);
  assert.deepEqual(merged(base, drawn(["f qq .+zz", ". ."]), drawn(["a qq .+zz", ". s"])).mine.document.rows, ["f qq .+zz", ". s  ."]);
});

test("the spacing of rows does not matter", () => {
  assert.ok(isSameDrawn(drawn(["a   .", ".  ."]), drawn(["a .", " . . "])));
  assert.ok(!isSameDrawn(drawn(["a ."]), drawn(["a o"])));
  assert.ok(!isSameDrawn(drawn(["a ."]), drawn(["a ."], { players: 3 })));
  assert.ok(!isSameDrawn(drawn(["a ."]), drawn(["a ."], { name: "Tub" })));
});
