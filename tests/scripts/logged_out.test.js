import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, openPage } from "./page.js";

const SECOND = 1000;

let sources;
let loads;
let person; // the person logged in now, or null after logging out

class Source extends EventTarget {
  constructor() {
    super();
    sources.push(this);
  }

  close() { this.closed = true; }
}

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.UTC(2026, 10, 21) });
  openPage({ person: 7 });
  [sources, loads, person] = [[], 0, 7];
  location.reload = () => { loads += 1; };
  globalThis.EventSource = Source;
  globalThis.fetch = async (address) => {
    const status = address !== "/settings/" ? 503 : person === null ? 403 : 200;
    return { ok: status === 200, status, json: async () => ({ person }) };
  };
  const { follow } = await import("../../static/play/stream.js");
  follow(new Element("div", { data: { stream: "/games/1/events/", pulse: "/games/1/pulse/", cursor: "5-2", turn: "3", waiting: "Bob", seen: "running-3", status: "running" } }));
});

async function rest(milliseconds = 0) {
  mock.timers.tick(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function fail() {
  sources.at(-1).dispatchEvent(new Event("error"));
  await rest(3 * SECOND);
}

test("an ended stream is reopened for a logged-in reader, otherwise the page reloads", async () => {
  await fail();
  assert.deepEqual([sources.length, loads], [2, 0]);
  person = null;
  await fail();
  assert.deepEqual([sources.length, loads], [2, 1]);
});

test("a page without a stream notices a logout within a minute", async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) await fail();
  person = null;
  await rest(60 * SECOND);
  assert.deepEqual([sources.length, loads], [3, 1]);
});

test("a page hidden for long checks its reader when shown", async () => {
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await rest(30 * SECOND);
  person = 8;
  document.hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await rest();
  assert.equal(loads, 1);
});
