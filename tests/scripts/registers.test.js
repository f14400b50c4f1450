import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Registers, contents } from "../../static/play/registers.js";
import { openPage, ordersForm } from "./page.js";

beforeEach(() => openPage());

const laid = (registers) => registers.all.map(({ chip }) => chip);

test("the first free register is the leftmost open and empty one", () => {
  const registers = new Registers(ordersForm({ registers: ["7", null, "", ""] }));
  assert.equal(registers.free.number, 3);
  assert.equal(registers.missing, 2);
});

test("a chip goes from the hand into a register", () => {
  const registers = new Registers(ordersForm());
  registers.put("12", registers.all[2]);
  assert.deepEqual(laid(registers), ["", "", "12", "", ""]);
  assert.equal(registers.holder("12").number, 3);
});

test("a chip moved onto another one swaps with it", () => {
  const registers = new Registers(ordersForm({ registers: ["3", "", "5", "", ""] }));
  registers.put("3", registers.all[2]);
  assert.deepEqual(laid(registers), ["5", "", "3", "", ""]);
});

test("a chip from the hand sends the one below it back to the hand", () => {
  const registers = new Registers(ordersForm({ registers: ["3", "", "", "", ""] }));
  registers.put("9", registers.all[0]);
  assert.deepEqual(laid(registers), ["9", "", "", "", ""]);
  assert.equal(registers.holder("3"), undefined);
});

test("a locked register is empty, takes no chip and is not missing", () => {
  const registers = new Registers(ordersForm({ registers: ["3", null] }));
  registers.put("3", registers.all[1]);
  assert.deepEqual(laid(registers), ["3", ""]);
  assert.equal(registers.missing, 0);
});

test("registers are emptied one by one, or all at once", () => {
  const registers = new Registers(ordersForm({ registers: ["1", "2", "3"] }));
  registers.take(registers.all[1]);
  assert.deepEqual(laid(registers), ["1", "", "3"]);
  registers.clear();
  assert.deepEqual(laid(registers), ["", "", ""]);
});

test("each change is reported once, and a chip put in its own place is no change", () => {
  const form = ordersForm({ registers: ["1", "2"] });
  const registers = new Registers(form);
  let told = 0;
  form.addEventListener("orders:change", () => { told += 1; });
  registers.put("1", registers.all[1]);
  assert.equal(told, 1);
  registers.put("1", registers.all[1]);
  assert.equal(told, 1);
  registers.clear();
  assert.equal(told, 2);
});

test("a register's fault disappears when its chip changes", () => {
  const form = ordersForm({ registers: ["1"] });
  const registers = new Registers(form);
  registers.all[0].place.classList.add("is-wrong");
  registers.all[0].list.setAttribute("aria-invalid", "true");
  registers.take(registers.all[0]);
  assert.equal(registers.all[0].place.classList.contains("is-wrong"), false);
  assert.equal(registers.all[0].list.getAttribute("aria-invalid"), null);
});

test("a form is restored as stored, and its other fields are empty", () => {
  const form = ordersForm({ registers: ["1", "2"] });
  const tick = { name: "power_down", type: "checkbox", value: "on", checked: false };
  form.elements.push(tick);
  const registers = new Registers(form);
  registers.fill(new URLSearchParams("register-2=9&power_down=on"));
  assert.deepEqual(laid(registers), ["", "9"]);
  assert.equal(tick.checked, true);
});

test("equal orders of different pages have equal contents", () => {
  const form = ordersForm({ registers: ["1", "2"] });
  form.elements.push({ name: "csrfmiddlewaretoken", value: "abc" }, { name: "instead_of", value: "x" }, { name: "despite", value: "y" });
  assert.equal(contents(form), "register-1=1&register-2=2");
});
