import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, openPage } from "./page.js";

const SECOND = 1000;
const NAMES = ["turn", "ready", "chat", "over", "lobby", "noted", "state"];

let element;
let sources;
let told;
let pulses;
let loads;
let answer; // what the pulse answers: a document, a status, or null for no connection

class Source extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    sources.push(this);
  }

  close() { this.closed = true; }
  fail() { this.dispatchEvent(new Event("error")); }
  send(name, data, lastEventId = "5-2") {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId }));
  }
}

const pulse = (more = {}) => ({ cursor: "5-2", version: "running-3", status: "running", turn: 3, played: 2, waiting_for: ["Bob"], noted: "0", winner: null, ...more });

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.UTC(2026, 10, 21) });
  openPage();
  sources = [];
  told = [];
  pulses = [];
  loads = 0;
  location.reload = () => { loads += 1; };
  answer = pulse();
  globalThis.EventSource = Source;
  globalThis.fetch = async (address) => {
    pulses.push(String(address));
    if (answer === null) throw new TypeError("no connection");
    return typeof answer === "number" ? { ok: false, status: answer, json: async () => null } : { ok: true, status: 200, json: async () => answer };
  };
  for (const name of NAMES) document.addEventListener(`stream:${name}`, ({ detail }) => told.push([name, detail]));
  element = new Element("div", {
    data: { stream: "/games/1/events/", pulse: "/games/1/pulse/", cursor: "5-2", turn: "3", waiting: "Bob", noted: "0", seen: "running-3", status: "running" },
  });
  const { follow } = await import("../../static/play/stream.js");
  follow(element);
});

async function rest(milliseconds = 0) {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const latest = () => sources.at(-1);
const news = () => told.splice(0).filter(([name]) => name !== "state");
const states = () => told.splice(0).filter(([name]) => name === "state").map(([, { state }]) => state);

// Three streams that fail one after another.
async function lose() {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    latest().fail();
    await rest(attempt < 2 ? 3 * SECOND : 0);
  }
}

test("a stream begins after what the page knows", () => {
  assert.equal(new URL(latest().address).searchParams.get("after"), "5-2");
});

test("what the page knows already it is not told", async () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  assert.deepEqual(news(), []);
});

test("a page hears who is ready, of lines in the chat, of turns and of the end", async () => {
  latest().send("ready", { turn: 3, waiting_for: [], noted: "0" });
  latest().send("turn", { turn: 3, seq: 6 }, "6-2");
  latest().send("chat", { id: 3 }, "6-3");
  latest().send("over", { winner: "Bob" }, "7-3");
  assert.deepEqual(news(), [
    ["ready", { turn: 3, waiting_for: [], noted: "0" }],
    ["turn", { turn: 3, seq: 6 }],
    ["chat", { id: 3 }],
    ["over", { winner: "Bob" }],
  ]);
  assert.equal(element.dataset.cursor, "7-3");
});

test("a turn that was missed says enough: who is ready for the next is not told beside it", () => {
  latest().send("turn", { turn: 3, seq: 6 }, "6-2");
  latest().send("ready", { turn: 4, waiting_for: ["Alice", "Bob"], noted: "0" }, "6-2");
  assert.deepEqual(news().map(([name]) => name), ["turn"]);
});

test("what another player has noted is told by itself", () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "1" });
  assert.deepEqual(news(), [["noted", {}]]);
});

test("a game ends once", () => {
  latest().send("over", { winner: "Bob" });
  element.dataset.status = "over";
  latest().send("over", { winner: "Bob" });
  assert.equal(news().length, 1);
});

test("a stream that ends is opened again, from where it ended", async () => {
  latest().send("ready", { turn: 3, waiting_for: [], noted: "0" }, "5-9");
  latest().fail();
  await rest(2 * SECOND);
  assert.equal(sources.length, 2);
  assert.ok(sources[0].closed);
  assert.equal(new URL(latest().address).searchParams.get("after"), "5-9");
  assert.deepEqual(pulses, []);
});

test("streams that say nothing do not come through: after three of them the page asks", async () => {
  await rest(8 * SECOND);
  assert.ok(sources[0].closed);
  assert.deepEqual(pulses, []);
  for (let second = 0; second < 40 && !pulses.length; second += 1) await rest(SECOND);
  assert.equal(sources.length, 3);
  assert.equal(states().at(-1), "polling");
});

test("where no stream comes through the page asks, and hears the same", async () => {
  answer = pulse({ cursor: "6-3", version: "running-4", turn: 4, played: 3, waiting_for: ["Alice", "Bob"] });
  await lose();
  assert.equal(pulses.length, 1);
  assert.deepEqual(news(), [["turn", { turn: 3, seq: 6 }], ["chat", { id: 3 }]]);
  answer = pulse({ cursor: "6-3", version: "running-4", turn: 4, played: 3, waiting_for: ["Bob"] });
  await rest(5 * SECOND);
  assert.deepEqual(news().map(([name]) => name), ["ready"]);
  assert.equal(new URL(pulses.at(-1)).searchParams.get("looking"), null, "a page that asks by itself is no sign of its reader");
});

test("an open game that has changed is told by its version", async () => {
  Object.assign(element.dataset, { status: "open", seen: "open-1" });
  answer = pulse({ status: "open", version: "open-2" });
  await lose();
  assert.deepEqual(news(), [["lobby", {}]]);
  await rest(5 * SECOND);
  assert.deepEqual(news(), []);
});

test("while it asks, the stream is tried again, and once it comes through nothing is asked", async () => {
  await lose();
  await rest(60 * SECOND);
  const asked = pulses.length;
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  await rest(30 * SECOND);
  assert.equal(pulses.length, asked);
});

test("the page says whether it is told at once, asks, or has lost the connection", async () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  assert.deepEqual(states(), ["live"]);
  answer = null;
  await lose();
  assert.equal(states().at(-1), "lost");
  answer = pulse();
  await rest(5 * SECOND);
  assert.deepEqual(states(), ["polling"]);
});

test("a page that must not be seen any more loads again, once", async () => {
  answer = 404;
  await lose();
  assert.equal(loads, 1);
  await rest(600 * SECOND);
  assert.equal(pulses.length, 1);
});

test("a stream that ends for good makes the page load again if its reader may not see it", async () => {
  latest().send("end", {});
  await rest();
  await rest(2 * SECOND);
  assert.ok(sources[0].closed);
  assert.equal(sources.length, 2, "they may: it was another password");
  assert.equal(loads, 0);
  answer = 404;
  latest().send("end", {});
  await rest();
  assert.equal(loads, 1);
});

test("a hidden page lets its stream go, asks now and then, and after an hour sleeps", async () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await rest(19 * SECOND);
  assert.ok(!latest().closed);
  await rest(2 * SECOND);
  assert.ok(latest().closed);
  await rest(60 * SECOND);
  assert.equal(pulses.length, 1);
  for (let minute = 0; minute < 70; minute += 1) await rest(60 * SECOND);
  const asked = pulses.length;
  for (let minute = 0; minute < 10; minute += 1) await rest(60 * SECOND);
  assert.equal(pulses.length, asked);
  document.hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.ok(!latest().closed, "who looks again is told again");
});
