import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, openPage, ordersForm } from "./page.js";

openPage({ settings: { aid: true } });
const { showGhost } = await import("../../static/play/ghost.js");
const { Registers } = await import("../../static/play/registers.js");
const { change } = await import("../../static/site/settings.js");

let asked;
let answers;
let form;
let registers;
let pages = 0;

const answer = (status, body) => ({ ok: status === 200, status, json: async () => body });

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  change({ aid: true });
  document.body.childNodes.length = 0;
  asked = [];
  answers = [];
  globalThis.fetch = (address, { signal }) => new Promise((resolve, reject) => {
    asked.push({ address, signal });
    answers.push(resolve);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  pages += 1;
  form = ordersForm({ registers: ["3", "", "", "", ""], data: { turn: String(pages) } });
  form.append(new Element("label", { data: { aid: "" }, children: [new Element("input", { type: "checkbox" })] }), new Element("p", { data: { foreseen: "" } }));
  registers = new Registers(form);
  showGhost(form, registers);
  await rest();
});

// Run all pending work.
async function rest(milliseconds = 0) {
  if (milliseconds) mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function say(body, status = 200) {
  answers.shift()(answer(status, body));
  await rest();
}

const lay = (chip) => registers.put(chip, registers.free);
const said = () => form.querySelector("[data-foreseen]").textContent;

test("the server is asked at once for laid chips, and again shortly after the last change", async () => {
  assert.equal(asked.length, 1);
  await say({ drawing: "", summary: "Nothing happens." });
  lay("1");
  await rest(100);
  lay("2");
  await rest(100);
  assert.equal(asked.length, 1);
  await rest(100);
  assert.equal(asked.length, 2);
  await say({ drawing: "", summary: "You end in row 3." });
  assert.equal(said(), "You end in row 3.");
});

test("an answer that comes after the next change is not shown", async () => {
  await say({ drawing: "", summary: "first" });
  lay("1");
  await rest(200);
  lay("2");
  await rest(200);
  assert.ok(asked[1].signal.aborted);
  answers.shift();
  await say({ drawing: "", summary: "of both chips" });
  assert.equal(said(), "of both chips");
});

test("the same orders are not asked for twice, and shown without a pause", async () => {
  await say({ drawing: "", summary: "one chip" });
  lay("1");
  await rest(200);
  await say({ drawing: "", summary: "two chips", warning: "Your robot falls." });
  assert.equal(form.dataset.warning, "Your robot falls.");
  registers.take(registers.all[1]);
  await rest(1);
  assert.equal(said(), "one chip");
  assert.equal(form.dataset.warning, "");
  assert.equal(asked.length, 2);
});

test("refusals are shown and remembered, and failed requests are repeated", async () => {
  await say({ problems: [{ register: 1, detail: "Register 1 repeats." }, { detail: "All is wrong." }] }, 422);
  assert.equal(form.dataset.warning, "Register 1 repeats. All is wrong.");
  assert.deepEqual(registers.all.map(({ place }) => place.classList.contains("is-wrong")), [true, ...Array(4).fill(false)]);
  lay("1");
  await rest(200);
  await say(null, 503);
  assert.equal(form.dataset.warning, "");
  registers.take(registers.all[1]);
  await rest(1);
  assert.equal(asked.length, 2);
  lay("1");
  await rest(200);
  assert.equal(asked.length, 3);
});

test("without chips nothing is requested or shown", async () => {
  await say({ drawing: "", summary: "one chip" });
  registers.clear();
  await rest(200);
  assert.equal(asked.length, 1);
  assert.equal(said(), "");
  assert.equal(form.dataset.warning, "");
});

test("without the aid nothing is requested or shown until it is switched on again", async () => {
  await say({ drawing: "", summary: "empty" });
  change({ aid: false });
  await rest();
  assert.equal(said(), "");
  assert.equal(form.querySelector("input").checked, false);
  lay("1");
  await rest(200);
  assert.equal(asked.length, 1);
  change({ aid: true });
  await rest();
  assert.equal(asked.length, 2);
});

test("a game without the aid requests and offers nothing", async () => {
  const plain = ordersForm({ data: {} });
  showGhost(plain, new Registers(plain));
  await rest();
  assert.equal(asked.length, 1); // by the earlier form
});
