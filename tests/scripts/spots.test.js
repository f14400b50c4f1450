import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { showSpots } from "../../static/play/spots.js";
import { emit } from "../../static/site/events.js";
import { Element, openPage } from "./page.js";

openPage();

let fold;
let choices;

beforeEach(() => {
  document.body.childNodes.length = 0;
  choices = ["", ""].map(() => new Element("input", { checked: false }));
  const labels = ["3,4", "5,4"].map((spot, index) => new Element("label", { data: { spot }, children: [choices[index]] }));
  const group = new Element("fieldset", { children: labels });
  fold = new Element("details", { children: [group], open: false });
  document.body.append(fold);
  draw();
  showSpots(group);
});

// Replace the board by a new one, as drawn by the server.
function draw() {
  document.querySelector("svg")?.remove();
  document.body.append(new Element("svg"));
}

function unfold(open = true) {
  fold.open = open;
  fold.dispatchEvent(new Event("toggle"));
}

const cells = () => document.querySelector("svg").querySelectorAll("rect");

test("cells of return are on the board only during the choice", () => {
  assert.equal(cells().length, 0);
  unfold();
  assert.deepEqual(cells().map((cell) => [cell.getAttribute("x"), cell.getAttribute("y")]), [["98", "130"], ["162", "130"]]);
  unfold(false);
  assert.equal(cells().length, 0);
});

test("a click on a cell chooses it", () => {
  unfold();
  cells()[1].dispatchEvent(new Event("click"));
  assert.deepEqual(choices.map(({ checked }) => checked), [false, true]);
});

test("a redrawn board also has the cells", () => {
  unfold();
  draw();
  emit("parts:fresh", { names: ["board"] });
  assert.equal(cells().length, 2);
});

test("a removed panel leaves no cells on the next board", () => {
  unfold();
  fold.isConnected = false;
  draw();
  emit("parts:fresh", { names: ["board", "panel"] });
  assert.equal(cells().length, 0);
});
