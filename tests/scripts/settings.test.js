import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { openPage } from "./page.js";

openPage();
const SETTINGS = { aid: true, speed: 100, motion: "auto", theme: "auto" };
let kept;
let sent;
let answers;
let told;

// Load the module as a page does, for a person or a stranger. Each page has another address.
let pages = 0;
async function load({ person = null, held = {}, still = false } = {}) {
  openPage();
  globalThis.matchMedia = () => Object.assign(new EventTarget(), { matches: still });
  document.documentElement.dataset.settings = JSON.stringify({ values: SETTINGS, person, address: "/settings/" });
  const key = person ? `settings:${person}` : "settings";
  kept = new Map(Object.keys(held).length ? [[key, JSON.stringify(held)]] : []);
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
  for (const name of ["change", "kept"]) document.addEventListener(`settings:${name}`, ({ detail }) => told.push([name, detail.name ?? detail.state]));
  pages += 1;
  return import(`../../static/site/settings.js?${pages}`);
}

async function rest(milliseconds = 0) {
  if (milliseconds) mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [sent, answers, told] = [[], [], []];
  globalThis.fetch = async (address, { body } = {}) => {
    sent.push(JSON.parse(body ?? "null"));
    const status = answers.shift() ?? 200;
    if (!status) throw new TypeError("no connection");
    return { ok: status === 200, status, json: async () => ({ detail: "Speed is 25 to 400.", settings: { speed: 100 } }) };
  };
});

test("a stranger's choice applies at once, and the browser stores it", async () => {
  const { change, settings } = await load();
  change({ speed: 200 });
  assert.equal(settings.speed, 200);
  assert.deepEqual(JSON.parse(kept.get("settings")), { speed: 200 });
  assert.deepEqual(told, [["change", "speed"], ["kept", "kept"]]);
  assert.deepEqual(sent, []);
});

test("a stranger's choice also applies on the next page", async () => {
  const { settings } = await load({ held: { speed: 300 } });
  assert.equal(settings.speed, 300);
});

test("a person's choice goes to the server and then leaves the browser", async () => {
  const { change } = await load({ person: 7 });
  change({ speed: 200 });
  assert.ok(kept.has("settings:7"));
  await rest();
  assert.deepEqual(sent, [{ speed: 200 }]);
  assert.equal(kept.size, 0);
  assert.deepEqual(told, [["change", "speed"], ["kept", "kept"]]);
});

test("an offline choice is not lost: retries deliver it at last", async () => {
  const { change } = await load({ person: 8 });
  answers = [0, 503];
  change({ speed: 200 });
  await rest();
  assert.deepEqual(told.at(-1), ["kept", "unsent"]);
  await rest(2000);
  await rest(4000);
  assert.equal(sent.length, 3);
  assert.deepEqual(told.at(-1), ["kept", "kept"]);
  assert.equal(kept.size, 0);
});

test("the next page sends the unsent choices of another", async () => {
  await load({ person: 9, held: { theme: "dark" } });
  await rest();
  assert.deepEqual(sent, [{ theme: "dark" }]);
});

test("a refused choice is undone", async () => {
  const { change, settings } = await load({ person: 10 });
  answers = [400];
  change({ speed: 9000 });
  await rest();
  assert.equal(settings.speed, 100);
  assert.deepEqual(told.at(-1), ["kept", "refused"]);
});

test("an unknown or unchanged setting changes nothing", async () => {
  const { change, settings } = await load();
  change({ trumpet: 1, speed: 100 });
  assert.ok(!("trumpet" in settings));
  assert.deepEqual(told.filter(([kind]) => kind === "change"), []);
});

test("motion follows the system by default", async () => {
  const { change, settings } = await load({ still: true });
  assert.equal(settings.motion, "reduced");
  change({ motion: "full" });
  assert.equal(settings.motion, "full");
});
