import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, openPage } from "./page.js";

const SECOND = 1000;
let signs, token;

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.UTC(2026, 10, 21) });
  openPage();
  token = { value: "abc" };
  document.querySelector = (selector) => (selector === "[name=csrfmiddlewaretoken]" ? token : null);
  signs = [];
  globalThis.fetch = async (address, { method }) => {
    signs.push(`${method} ${address}`);
    return { ok: true, status: 204, json: async () => null };
  };
  const { giveSigns } = await import("../../static/play/presence.js");
  giveSigns(new Element("div", { data: { pulse: "/games/1/pulse/?link=abc" } }));
});

const act = (kind) => dispatchEvent(new Event(kind));

test("a page gives a sign of life when opened, and none while merely open", () => {
  assert.equal(signs.length, 1);
  assert.equal(signs[0], "POST /games/1/pulse/?link=abc");
  mock.timers.tick(3600 * SECOND);
  assert.equal(signs.length, 1);
});

test("keys, taps and the wheel are signs, at most one in half a minute", () => {
  for (const kind of ["keydown", "pointerdown", "wheel"]) {
    mock.timers.tick(31 * SECOND);
    act(kind);
    act(kind);
  }
  assert.equal(signs.length, 4);
});

test("a stranger's page without a token gives no signs", () => {
  signs.length = 0;
  token = null;
  mock.timers.tick(31 * SECOND);
  act("keydown");
  assert.equal(signs.length, 0);
});

test("a hidden page gives no signs until its reader returns", () => {
  mock.timers.tick(31 * SECOND);
  document.hidden = true;
  act("keydown");
  assert.equal(signs.length, 1);
  document.hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(signs.length, 2);
});
