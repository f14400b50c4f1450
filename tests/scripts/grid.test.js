import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Grid } from "../../static/play/grid.js";
import { Element, openPage } from "./page.js";

const status = (more = {}) => ({ health: 9, lives: 3, open: [], locked: [], state: "up", ...more });

let grid;
let rows;

beforeEach(() => {
  openPage();
  const row = (name) => {
    const value = new Element("span", { classes: ["meter-value"] });
    value.firstChild = { data: "9" };
    const meter = new Element("div", { classes: ["meter"], children: [new Element("path", { classes: ["meter-left"] }), value] });
    const registers = [1, 2, 3].map((number) => new Element("td", { data: { register: String(number) } }));
    return new Element("tr", { data: { row: name }, children: [meter, new Element("td", { data: { lives: "" } }), ...registers] });
  };
  rows = { Alice: row("Alice"), Bob: row("Bob") };
  grid = new Grid();
  grid.rows = new Map(Object.entries(rows).map(([name, each]) => [name, { row: each, status: null }]));
  grid.columns = [1, 2].map((phase) => new Element("th", { data: { column: String(phase) } }));
  grid.hull = [new Element("span", { data: { hull: "4", first: "2" } })];
});

const numbers = (row, mark) => row.querySelectorAll("[data-register]").filter(({ classList }) => classList.contains(mark)).map(({ dataset }) => Number(dataset.register));

test("a robot's health, lives, registers and state belong to the instant", () => {
  grid.show({ crew: { Alice: status({ health: 4, lives: 1, open: [1, 2], locked: [3], state: "down" }) }, hull: {} }, undefined);
  const meter = rows.Alice.querySelector(".meter");
  assert.equal(meter.dataset.left, "4");
  assert.equal(meter.querySelector(".meter-left").getAttribute("d"), "M0 .5h4");
  assert.equal(meter.querySelector(".meter-value").firstChild.data, "4");
  assert.equal(rows.Alice.querySelector("[data-lives]").textContent, "1");
  assert.deepEqual([numbers(rows.Alice, "is-open"), numbers(rows.Alice, "is-locked")], [[1, 2], [3]]);
  assert.equal(rows.Alice.dataset.state, "down");
});

test("going back in a film closes the registers again", () => {
  grid.show({ crew: { Alice: status({ open: [1, 2] }) }, hull: {} });
  grid.show({ crew: { Alice: status({ open: [1] }) }, hull: {} });
  assert.deepEqual(numbers(rows.Alice, "is-open"), [1]);
});

test("a ruleset without lives shows none", () => {
  grid.show({ crew: { Alice: status({ lives: null }) }, hull: {} });
  assert.equal(rows.Alice.querySelector("[data-lives]").textContent, "");
});

test("only the phase and the robots of an instant are marked", () => {
  grid.show({ crew: {}, hull: {} }, { phase: 2, acting: ["Bob"] });
  assert.deepEqual(grid.columns.map(({ classList }) => classList.contains("is-now")), [false, true]);
  assert.deepEqual([rows.Alice, rows.Bob].map(({ classList }) => classList.contains("is-acting")), [false, true]);
  grid.show({ crew: {}, hull: {} }, undefined);
  assert.ok(!rows.Bob.classList.contains("is-acting"));
});

test("remaining repairs of the hull belong to the instant, or to the start before any", () => {
  grid.show({ crew: {}, hull: {} });
  assert.equal(grid.hull[0].textContent, "2");
  grid.show({ crew: {}, hull: { 4: 1 } });
  assert.equal(grid.hull[0].textContent, "1");
});
