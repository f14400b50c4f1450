import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, openPage, ordersForm } from "./page.js";

openPage({ settings: { motion: "reduced" } });
const { Panel } = await import("../../static/play/orders.js");
const { Registers, contents } = await import("../../static/play/registers.js");
const { listed } = await import("../../static/play/notice.js");

let panel;

function open(options) {
  const form = ordersForm({ hand: ["7", "12", "30", "41", "55", "60"], ...options });
  for (const name of ["hint", "told"]) form.append(new Element("p", { data: { [name]: "" } }));
  form.append(new Element("button", { data: { clear: "" }, hidden: true }));
  panel = new Panel(form, new Registers(form));
  panel.takeChips();
  return panel;
}

beforeEach(() => {
  openPage();
  open();
});

const laid = () => panel.registers.all.map(({ chip }) => chip);
const hint = () => panel.form.querySelector("[data-hint]").textContent;
const told = () => panel.form.querySelector("[data-told]").textContent;
const click = (element, more = {}) => element.dispatchEvent(Object.assign(new Event("click"), { detail: 1, ...more }));
const socket = (number) => panel.registers.all[number - 1].socket;

test("a click on a chip lays it into the first free register, another takes it back", () => {
  panel.toggle("12");
  panel.toggle("7");
  assert.deepEqual(laid(), ["12", "7", "", "", ""]);
  panel.toggle("12");
  assert.deepEqual(laid(), ["", "7", "", "", ""]);
  panel.toggle("30");
  assert.deepEqual(laid(), ["30", "7", "", "", ""]);
});

test("a chip goes to the chosen register, and the next one to the first free again", () => {
  panel.press(panel.registers.all[3]);
  assert.equal(told(), "The next chip goes into register 4.");
  panel.toggle("12");
  panel.toggle("7");
  assert.deepEqual(laid(), ["7", "", "", "12", ""]);
});

test("a pressed register returns its chip", () => {
  panel.toggle("12");
  panel.press(panel.registers.all[0]);
  assert.deepEqual(laid(), ["", "", "", "", ""]);
});

test("with all registers filled, a chip stays in the hand and a reason is shown", () => {
  for (const chip of ["7", "12", "30", "41", "55"]) panel.toggle(chip);
  panel.toggle("60");
  assert.deepEqual(laid(), ["7", "12", "30", "41", "55"]);
  assert.match(hint(), /^All registers are full/);
});

test("beside a submitted program, only its heading is not repeated: reasons and warnings are shown", () => {
  for (const chip of ["7", "12", "30", "41", "55"]) panel.toggle(chip);
  panel.counted = contents(panel.form);
  panel.live = true;
  panel.show();
  const repeated = () => panel.form.querySelector("[data-hint]").classList.contains("is-repeated");
  assert.equal(repeated(), true);
  panel.toggle("60");
  assert.match(hint(), /^All registers are full/);
  assert.equal(repeated(), false);
  panel.form.dataset.warning = "Your robot falls.";
  panel.warn();
  assert.match(hint(), /Your robot falls\.$/);
  assert.equal(repeated(), false);
});

test("the remaining registers are counted as chips are laid", () => {
  assert.equal(hint(), "5 registers to fill");
  for (const chip of ["7", "12", "30", "41"]) panel.toggle(chip);
  assert.equal(hint(), "1 register to fill");
  panel.toggle("55");
  assert.equal(hint(), "Ready to run");
  panel.clear();
  assert.equal(hint(), "5 registers to fill");
});

test("a locked register neither needs, takes nor returns a chip, and gives a reason", () => {
  open({ registers: ["", "", "", null, null] });
  assert.equal(hint(), "3 registers to fill");
  panel.toggle("12", panel.registers.all[3]);
  assert.equal(hint(), "Register 4 is locked by damage: it repeats its chip.");
  panel.press(panel.registers.all[4]);
  assert.match(hint(), /^Register 5 is locked/);
  assert.deepEqual(laid(), ["", "", "", "", ""]);
});

test("Run pressed too early names the empty registers", () => {
  for (const chip of ["7", "12"]) panel.toggle(chip);
  panel.ask();
  assert.equal(hint(), "First fill registers 3, 4 and 5.");
  for (const chip of ["30", "41"]) panel.toggle(chip);
  panel.ask();
  assert.equal(hint(), "First fill register 5.");
});

test("a predicted destruction is shown beside Run, with the remaining registers", () => {
  panel.form.dataset.warning = "Your robot is destroyed in phase 2.";
  panel.warn();
  assert.equal(hint(), "5 registers to fill. Your robot is destroyed in phase 2.");
  for (const chip of ["7", "12", "30", "41", "55"]) panel.toggle(chip);
  assert.equal(hint(), "Your robot is destroyed in phase 2.");
  panel.form.dataset.warning = "";
  panel.warn();
  assert.equal(hint(), "Ready to run");
});

// Click with a pointer at a time in milliseconds.
function clickAt(element, timeStamp) {
  const event = Object.assign(new Event("click"), { detail: 1 });
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  element.dispatchEvent(event);
}

test("a double click on a chip lays it once, and one on a register takes it back once", () => {
  const key = panel.keys.get("12");
  clickAt(key, 1000);
  clickAt(key, 1120);
  assert.deepEqual(laid(), ["12", "", "", "", ""]);
  clickAt(socket(1), 2000);
  clickAt(socket(1), 2120);
  assert.deepEqual(laid(), ["", "", "", "", ""]);
  assert.equal(panel.target, null, "the second click does not choose the register for the next chip");
  clickAt(key, 3000);
  clickAt(key, 4000);
  assert.deepEqual(laid(), ["", "", "", "", ""], "two clicks that are apart are two");
});

test("another chip at once is another click", () => {
  clickAt(panel.keys.get("12"), 1000);
  clickAt(panel.keys.get("7"), 1010);
  assert.deepEqual(laid(), ["12", "7", "", "", ""]);
});

test("by keyboard each press counts, however fast", () => {
  click(panel.keys.get("12"), { detail: 0 });
  click(panel.keys.get("12"), { detail: 0 });
  assert.equal(laid()[0], "");
});

test("screen readers hear the place of each chip, and the remaining registers", () => {
  panel.toggle("12");
  assert.equal(told(), "Chip 12, now in register 1. 4 registers to fill");
  assert.equal(socket(1).getAttribute("aria-label"), "Register 1: Chip 12. Take it back.");
  assert.equal(socket(2).getAttribute("aria-label"), "Register 2: empty. Put the next chip here.");
  assert.equal(panel.keys.get("12").getAttribute("aria-pressed"), "true");
});
