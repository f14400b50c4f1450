import assert from "node:assert/strict";
import { test } from "node:test";

import { Asker } from "../../static/shipyard/asker.js";
import { keyOf, marksOf } from "../../static/shipyard/outlook_marks.js";
import { notesOf, wordsOfOutlook } from "../../static/shipyard/outlook_words.js";
import { HandClock, settled } from "./hand_clock.js";

globalThis.document ??= { documentElement: { lang: "en" } };

// A server for drawings that answers on the test's command.
function begun() {
  const clock = new HandClock();
  const made = { clock, asked: [], told: [], open: [] };
  made.asker = new Asker({
    clock,
    ask: (value) => { made.asked.push(value); return new Promise((done) => made.open.push(done)); },
    tell: ({ name, outlook }) => made.told.push(outlook ?? name),
  });
  made.answer = async (answer) => { made.open.shift()(answer); await settled(); };
  return made;
}
const fine = (body) => ({ status: 200, wait: 0, body });

test("it asks once drawing pauses", async () => {
  const { asker, clock, asked, told, answer } = begun();
  asker.change("one");
  await clock.pass(200);
  asker.change("two");
  await clock.pass(299);
  assert.deepEqual(asked, []);
  await clock.pass(1);
  assert.deepEqual(asked, ["two"]);
  await answer(fine("known of two"));
  assert.deepEqual(told, ["old", "old", "known of two"]);
});

test("a late answer about an older drawing is dropped, and only one request is open at a time", async () => {
  const { asker, clock, asked, told, answer } = begun();
  asker.change("one");
  await clock.pass(300);
  asker.change("two");
  await clock.pass(1000);
  assert.deepEqual(asked, ["one"]);
  await answer(fine("known of one"));
  await clock.pass(0);
  assert.deepEqual(asked, ["one", "two"]);
  await answer(fine("known of two"));
  assert.deepEqual(told, ["old", "old", "known of two"]);
});

test("a missing answer is shown, and the request repeated later or once the browser is online", async () => {
  const { asker, clock, asked, told, answer } = begun();
  asker.change("one");
  await clock.pass(300);
  await answer(null);
  assert.deepEqual(told, ["old", "unknown"]);
  await clock.pass(15000);
  await answer(null);
  asker.again();
  await clock.pass(0);
  await answer(fine("known"));
  assert.deepEqual(asked, ["one", "one", "one"]);
  assert.equal(told.at(-1), "known");
  await clock.pass(60000);
  assert.equal(asked.length, 3);
});

test("it waits as long as the server asks, and repeats no refused request", async () => {
  const { asker, clock, asked, answer } = begun();
  asker.change("one");
  await clock.pass(300);
  await answer({ status: 429, wait: 40, body: null });
  await clock.pass(39999);
  assert.equal(asked.length, 1);
  await clock.pass(1);
  await answer({ status: 422, wait: 0, body: {} });
  await clock.pass(100000);
  assert.equal(asked.length, 2);
});

const way = (origin, checkpoint, phases, cells = [], stops = []) => ({ origin, checkpoint, phases, cells, stops });
const OUTLOOK = { ruleset: "websocket", behind: 5, starts: [way([0, 0], 1, 4), way([0, 3], 1, 11.25)], legs: [way([5, 5], 2, 8.5)], lines: [], shelter: null, unreachable: [] };

test("ways are described by their phases, and a start far behind by its place", () => {
  const { ways } = wordsOfOutlook(OUTLOOK);
  assert.equal(ways.figure, "4 to 11.3 phases, then 8.5");
  assert.equal(ways.warns, true);
  assert.deepEqual(ways.told, [
    "From column 1, row 1 to checkpoint 1: 4 phases.",
    "From column 1, row 4 to checkpoint 1: 11.3 phases.",
    "From checkpoint 1 to checkpoint 2: 8.5 phases.",
    "The start cell at column 1, row 4 is 7.3 phases farther from checkpoint 1 than the others, on average.",
  ]);
});

test("a way without a goal is reported", () => {
  const { ways } = wordsOfOutlook({ ...OUTLOOK, starts: [way([0, 0], 1, null)], legs: [] });
  assert.deepEqual([ways.figure, ways.warns], ["no route to checkpoint 1", true]);
  assert.match(ways.told[0], /without transporters/);
});

test("unknown figures are left out", () => {
  const { ways, shelter, unreachable, lines } = wordsOfOutlook({ ...OUTLOOK, starts: null, legs: null, unreachable: null });
  assert.deepEqual([ways, shelter, unreachable, lines.figure], [null, null, null, "none"]);
});

const SHELTER = { share: 0.2, limit: 0.25, cells: [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]], bare: [[1, 0], [2, 0], [0, 1], [1, 1]] };

test("too little shelter, lines of fire and unreachable cells are reported", () => {
  const said = wordsOfOutlook({ ...OUTLOOK, shelter: SHELTER, lines: [{ checkpoint: 2, cells: [] }], unreachable: [[3, 1], [4, 1], [5, 1], [6, 1], [7, 1], [8, 1], [9, 1]] });
  assert.deepEqual(said.shelter, { figure: "20 %", warns: true, told: ["4 of 5 cells near the start are exposed to fire.", "At least 25 % should be sheltered."] });
  assert.deepEqual(said.lines, { figure: "2 to 3", warns: true, told: ["Robots on checkpoint 2 can shoot at checkpoint 3."] });
  assert.equal(said.unreachable.figure, "7 cells");
  assert.match(said.unreachable.told[0], /column 9, row 2 and 1 more\.$/);
});

test("cells describe only the visible findings", () => {
  const outlook = { ...OUTLOOK, shelter: SHELTER, unreachable: [[2, 0]] };
  assert.deepEqual([...notesOf(outlook, new Set(["unreachable"]), 5)], [[2, ["no robot can reach this cell"]]]);
  assert.deepEqual(notesOf(outlook, new Set(["shelter", "unreachable"]), 5).get(2), ["exposed to fire", "no robot can reach this cell"]);
});

test("only selected findings are drawn, and a way has a dot at the end of each phase", () => {
  const outlook = { ...OUTLOOK, starts: [way([0, 0], 1, 2, [[0, 0], [1, 0], [2, 0]], [1, 2])], legs: [], unreachable: [[3, 3]] };
  assert.equal(marksOf(outlook, new Set(), 30), "");
  const drawn = marksOf(outlook, new Set(["ways"]), 30);
  assert.equal(drawn.match(/<circle/g).length, 2);
  assert.ok(!drawn.includes("is-unreachable"));
  assert.equal(marksOf(outlook, new Set(["unreachable"]), 30), '<rect class="is-unreachable" x="90" y="90" width="30" height="30"/>');
});

test("cells of a selected finding have a frame and a description", () => {
  const finding = { kind: "room", severity: "red", message: "Robots that enter this area can’t leave it.", advice: "Open it.", cells: [[3, 3], [4, 3]] };
  const outlook = { ...OUTLOOK, findings: [finding, { ...finding, kind: "close", cells: [[0, 0]] }] };
  assert.equal(marksOf(outlook, new Set(), 30), "");
  const drawn = marksOf(outlook, new Set([keyOf(finding)]), 30);
  assert.equal(drawn.match(/<g class="is-finding is-red">/g).length, 2);
  assert.deepEqual([...notesOf(outlook, new Set([keyOf(finding)]), 10)], [[33, [finding.message]], [34, [finding.message]]]);
  assert.equal(marksOf({ ...OUTLOOK, findings: null }, new Set([keyOf(finding)]), 30), "");
});
