import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { bindKeyboard } from "../../static/play/keyboard.js";
import { Registers } from "../../static/play/registers.js";
import { Element, openPage, ordersForm, press } from "./page.js";

openPage();
const page = document; // the module listens to this document

let done;
let panel;

beforeEach(() => {
  document.body.childNodes.length = 0;
  document.activeElement = document.body;
  const form = ordersForm({ registers: ["", "", null, ""], hand: ["41", "17", "P", "23"] });
  form.append(new Element("button", { data: { run: "" } }));
  const registers = new Registers(form);
  for (const register of registers.all) register.socket = new Element("button");
  const keys = new Map(["41", "17", "P", "23"].map((chip) => [chip, new Element("button")]));
  done = [];
  panel = {
    form,
    registers,
    keys,
    toggle: (chip, register) => { done.push(["toggle", chip, register?.number ?? null]); if (register) registers.put(chip, register); },
    take: ({ number }) => done.push(["take", number]),
    clear: () => done.push(["clear"]),
  };
  form.requestSubmit = (button) => done.push(["run", "run" in button.dataset]);
  form.append(...registers.all.map(({ socket }) => socket), ...keys.values());
  bindKeyboard(panel);
});

const sockets = () => panel.registers.all.map(({ socket }) => socket);
const chips = () => [...panel.keys.values()];

test("number keys lay the chips of the hand in order, and P lays the pause", () => {
  for (const key of ["1", "3", "p", "2"]) press(key);
  assert.deepEqual(done.map(([, chip]) => chip), ["41", "23", "P", "17"]);
});

test("digits with Shift lay chips, and P keeps its place on a Cyrillic keyboard", () => {
  press("&", { code: "Digit1" });
  press("з", { code: "KeyP" });
  assert.deepEqual(done.map(([, chip]) => chip), ["41", "P"]);
});

test("a number without a chip does nothing and is left to the browser", () => {
  assert.equal(press("9").defaultPrevented, false);
  assert.deepEqual(done, []);
});

test("a chip goes to the focused register, and the focus to the next free one", () => {
  sockets()[1].focus();
  press("1");
  assert.deepEqual(done, [["toggle", "41", 2]]);
  assert.equal(page.activeElement, sockets()[0]);
});

test("a held key lays its chip once", () => {
  press("1", { repeat: true });
  assert.deepEqual(done, []);
});

test("Backspace takes back the last chip, or that of the focused register", () => {
  panel.registers.put("41", panel.registers.all[0]);
  panel.registers.put("17", panel.registers.all[3]);
  press("Backspace");
  assert.deepEqual(done.pop(), ["take", 4]);
  press("Backspace", { at: sockets()[0] });
  assert.deepEqual(done.pop(), ["take", 1]);
});

test("Delete takes all chips back", () => {
  press("Delete");
  assert.deepEqual(done, [["clear"]]);
});

test("Enter runs, but not twice while held and not on a button", () => {
  assert.equal(press("Enter").defaultPrevented, true);
  assert.equal(press("Enter", { repeat: true }).defaultPrevented, true);
  assert.equal(press("Enter", { at: sockets()[0] }).defaultPrevented, false);
  assert.deepEqual(done, [["run", true]]);
});

test("arrow keys move into the registers, along them, and down to the hand and back", () => {
  press("ArrowRight");
  assert.equal(page.activeElement, sockets()[0]);
  press("ArrowRight");
  assert.equal(page.activeElement, sockets()[1]);
  press("End");
  assert.equal(page.activeElement, sockets()[3]);
  press("ArrowDown");
  assert.equal(page.activeElement, chips()[0]);
  press("ArrowRight");
  assert.equal(page.activeElement, chips()[1]);
  press("ArrowUp");
  assert.equal(page.activeElement, sockets()[0]);
  document.activeElement = document.body;
  press("ArrowLeft");
  assert.equal(page.activeElement, sockets()[3]);
});

test("an arrow key stops at the end of a row, and has its usual meaning elsewhere on the page", () => {
  chips()[3].focus();
  assert.equal(press("ArrowRight").defaultPrevented, false);
  assert.equal(page.activeElement, chips()[3]);
  assert.equal(press("ArrowRight", { at: new Element("div") }).defaultPrevented, false);
});

test("registers and hand each take one press of Tab", () => {
  assert.deepEqual(sockets().map(({ tabIndex }) => tabIndex), [0, -1, -1, -1]);
  assert.deepEqual(chips().map(({ tabIndex }) => tabIndex), [0, -1, -1, -1]);
});

test("keys do nothing while the reader types, in dialogs, or with Ctrl, Alt or Meta", () => {
  press("1", { at: new Element("textarea") });
  for (const held of ["ctrlKey", "altKey", "metaKey"]) press("1", { [held]: true });
  const dialog = new Element("dialog");
  dialog.setAttribute("open", "");
  document.body.append(dialog);
  press("1");
  assert.deepEqual(done, []);
});

test("a removed panel ignores keys", () => {
  panel.form.isConnected = false;
  press("1");
  assert.deepEqual(done, []);
});

test("keys are shown on chips to readers who use keys, until they use a pointer", () => {
  press("1");
  assert.ok(document.documentElement.classList.contains("by-keys"));
  document.dispatchEvent(new Event("pointerdown"));
  assert.ok(!document.documentElement.classList.contains("by-keys"));
});
