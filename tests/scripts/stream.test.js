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
let answer; // the pulse's answer: a document, a status, or null for no connection

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

// Make three streams fail in sequence.
async function lose() {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    latest().fail();
    await rest(attempt < 2 ? 3 * SECOND : 0);
  }
}

test("a stream begins after the page's last event", () => {
  assert.equal(new URL(latest().address).searchParams.get("after"), "5-2");
});

test("a page ignores known events", async () => {
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

test("a missed turn is reported without readiness for the next", () => {
  latest().send("turn", { turn: 3, seq: 6 }, "6-2");
  latest().send("ready", { turn: 4, waiting_for: ["Alice", "Bob"], noted: "0" }, "6-2");
  assert.deepEqual(news().map(([name]) => name), ["turn"]);
});

test("a note of another player is reported separately", () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "1" });
  assert.deepEqual(news(), [["noted", {}]]);
});

test("a game ends once", () => {
  latest().send("over", { winner: "Bob" });
  element.dataset.status = "over";
  latest().send("over", { winner: "Bob" });
  assert.equal(news().length, 1);
});

test("an ended stream continues from its last event", async () => {
  latest().send("ready", { turn: 3, waiting_for: [], noted: "0" }, "5-9");
  latest().fail();
  await rest(2 * SECOND);
  assert.equal(sources.length, 2);
  assert.ok(sources[0].closed);
  assert.equal(new URL(latest().address).searchParams.get("after"), "5-9");
  assert.deepEqual(pulses, []);
});

test("after three silent streams the page polls", async () => {
  await rest(8 * SECOND);
  assert.ok(sources[0].closed);
  assert.deepEqual(pulses, []);
  for (let second = 0; second < 40 && !pulses.length; second += 1) await rest(SECOND);
  assert.equal(sources.length, 3);
  assert.equal(states().at(-1), "polling");
});

test("a polling page gets the same events", async () => {
  answer = pulse({ cursor: "6-3", version: "running-4", turn: 4, played: 3, waiting_for: ["Alice", "Bob"] });
  await lose();
  assert.equal(pulses.length, 1);
  assert.deepEqual(news(), [["turn", { turn: 3, seq: 6 }], ["chat", { id: 3 }]]);
  answer = pulse({ cursor: "6-3", version: "running-4", turn: 4, played: 3, waiting_for: ["Bob"] });
  await rest(5 * SECOND);
  assert.deepEqual(news().map(([name]) => name), ["ready"]);
  assert.equal(new URL(pulses.at(-1)).searchParams.get("looking"), null, "a page that asks by itself is no sign of its reader");
});

test("a changed open game is reported by its version", async () => {
  Object.assign(element.dataset, { status: "open", seen: "open-1" });
  answer = pulse({ status: "open", version: "open-2" });
  await lose();
  assert.deepEqual(news(), [["lobby", {}]]);
  await rest(5 * SECOND);
  assert.deepEqual(news(), []);
});

test("a polling page retries the stream and stops polling when it works", async () => {
  await lose();
  await rest(60 * SECOND);
  const asked = pulses.length;
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  await rest(30 * SECOND);
  assert.equal(pulses.length, asked);
});

test("the page shows whether it streams, polls, or has lost the connection", async () => {
  latest().send("ready", { turn: 3, waiting_for: ["Bob"], noted: "0" });
  assert.deepEqual(states(), ["live"]);
  answer = null;
  await lose();
  assert.equal(states().at(-1), "lost");
  answer = pulse();
  await rest(5 * SECOND);
  assert.deepEqual(states(), ["polling"]);
});

test("a page that became forbidden reloads once", async () => {
  answer = 404;
  await lose();
  assert.equal(loads, 1);
  await rest(600 * SECOND);
  assert.equal(pulses.length, 1);
});

test("a stream that ends for good reloads the page if its reader lost access", async () => {
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

test("a hidden page closes its stream, polls rarely, and stops after an hour", async () => {
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
