import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../../static/play/placing.js";

const box = (left, top, width, height) => ({ left, top, width, height, right: left + width, bottom: top + height });
const VIEW = { width: 1000, height: 800 };
const SIZE = { width: 200, height: 60 };
const button = box(400, 400, 100, 40);

const at = (more = {}) => choose({ size: SIZE, box: button, boxes: [button], taken: [button], view: VIEW, ...more });

test("a bubble is centred above its element", () => {
  assert.deepEqual(at(), [350, 332]);
});

test("a bubble without room above is below, then on the right, then on the left", () => {
  const [above, below, right] = [box(350, 300, 200, 90), box(350, 445, 200, 90), box(505, 380, 300, 80)];
  assert.deepEqual(at({ taken: [button, above] }), [350, 448]);
  assert.deepEqual(at({ taken: [button, above, below] }), [508, 390]);
  assert.deepEqual(at({ taken: [button, above, below, right] }), [192, 390]);
});

test("a bubble without room beside its element may be beside its group", () => {
  const around = [box(350, 300, 200, 90), box(350, 445, 200, 90), box(505, 380, 300, 80), box(100, 380, 295, 80)];
  const group = box(100, 280, 720, 270);
  assert.deepEqual(at({ taken: [button, ...around], boxes: [button, group] }), [350, 212]);
});

test("a bubble without any room covers as little as possible", () => {
  const strip = box(0, 0, 1000, 390);
  const rest = box(0, 460, 1000, 340);
  const [left, top] = at({ taken: [button, strip, rest] });
  assert.equal(left, 508);
  assert.equal(top, 390);
});

test("a bubble stays within the window", () => {
  const corner = box(0, 0, 20, 20);
  assert.deepEqual(at({ box: corner, boxes: [corner], taken: [corner] }), [8, 28]);
});

test("on a board without room beside the cell, it goes to the farther edge", () => {
  const board = box(100, 100, 600, 600);
  const cell = box(380, 600, 32, 32);
  const taken = [box(100, 500, 600, 200)];
  assert.deepEqual(at({ box: cell, boxes: [cell], taken, board }), [296, 104]);
});
