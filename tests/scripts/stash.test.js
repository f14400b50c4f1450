import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, ordersForm } from "./page.js";

openPage();
delete globalThis.sessionStorage; // as if the reader had disabled storage
const { leftOver, stash, stashed, unstash } = await import("../../static/play/stash.js");

const LAID = { contents: "register-1=7", names: "Move 1, 7", given: "" };

beforeEach(() => openPage());

test("laid chips are stored for their turn and hand", () => {
  stash(ordersForm({ data: { turn: "2", version: "draft-abc" } }), LAID);
  assert.deepEqual(stashed(ordersForm({ data: { turn: "2", version: "submitted-abc" } })), LAID);
  assert.equal(stashed(ordersForm({ data: { turn: "2", version: "draft-redrawn" } })), null);
  assert.equal(stashed(ordersForm({ data: { turn: "3", version: "draft-abc" } })), null);
});

test("chips stored on the server are deleted", () => {
  const form = ordersForm({ data: { turn: "4" } });
  stash(form, LAID);
  unstash(form);
  assert.equal(stashed(form), null);
});

test("chips of a past turn are reported once, and those of the panel and other games kept", () => {
  const [old, now, other] = [{ turn: "5" }, { turn: "6" }, { game: "12", turn: "5" }].map((data) => ordersForm({ data: { game: "11", ...data } }));
  for (const form of [old, now, other]) stash(form, LAID);
  assert.deepEqual(leftOver("11", now), [{ turn: "5", ...LAID }]);
  assert.deepEqual(leftOver("11", now), []);
  assert.deepEqual(stashed(now), LAID);
  assert.deepEqual(leftOver("12", null).map(({ turn }) => turn), ["5"]);
});
