import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, ordersForm } from "./page.js";

openPage();
delete globalThis.sessionStorage; // as where the reader has switched storage off
const { leftOver, stash, stashed, unstash } = await import("../../static/play/stash.js");

const LAID = { contents: "register-1=7", names: "Move 1, 7", given: "" };

beforeEach(() => openPage());

test("what is laid is held for the turn and the hand that it is of", () => {
  stash(ordersForm({ data: { turn: "2", version: "draft-abc" } }), LAID);
  assert.deepEqual(stashed(ordersForm({ data: { turn: "2", version: "submitted-abc" } })), LAID);
  assert.equal(stashed(ordersForm({ data: { turn: "2", version: "draft-redrawn" } })), null);
  assert.equal(stashed(ordersForm({ data: { turn: "3", version: "draft-abc" } })), null);
});

test("what the server has got is let go", () => {
  const form = ordersForm({ data: { turn: "4" } });
  stash(form, LAID);
  unstash(form);
  assert.equal(stashed(form), null);
});

test("what was laid for a turn that is over is told once, that of the panel and of other games is kept", () => {
  const [old, now, other] = [{ turn: "5" }, { turn: "6" }, { game: "12", turn: "5" }].map((data) => ordersForm({ data: { game: "11", ...data } }));
  for (const form of [old, now, other]) stash(form, LAID);
  assert.deepEqual(leftOver("11", now), [{ turn: "5", ...LAID }]);
  assert.deepEqual(leftOver("11", now), []);
  assert.deepEqual(stashed(now), LAID);
  assert.deepEqual(leftOver("12", null).map(({ turn }) => turn), ["5"]);
});
