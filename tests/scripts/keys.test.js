import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { keysOf } from "../../static/site/keys.js";

const STATIC = new URL("../../static/", import.meta.url);

const CASES = [
  ["a US keyboard types what its keys say", { key: "z", code: "KeyZ" }, ["z"]],
  ["capitals are the same keys", { key: "Z", code: "KeyZ", shiftKey: true }, ["z"]],
  ["on a German keyboard Z is the key that says Z", { key: "z", code: "KeyY" }, ["z"]],
  ["and Y is no Z, though it has its place", { key: "y", code: "KeyZ" }, ["y"]],
  ["on a French keyboard, too", { key: "z", code: "KeyW" }, ["z"]],
  ["a Cyrillic letter is the key at its place", { key: "я", code: "KeyZ" }, ["я", "z"]],
  ["with Shift as well", { key: "Я", code: "KeyZ", shiftKey: true }, ["я", "z"]],
  ["a Greek one also", { key: "ζ", code: "KeyZ" }, ["ζ", "z"]],
  ["a Latin letter with a mark is no other letter", { key: "ğ", code: "KeyE" }, ["ğ"]],
  ["a sign at the place of a letter is no letter", { key: ";", code: "KeyZ" }, [";"]],
  ["digits of a French keyboard need no Shift", { key: "&", code: "Digit1" }, ["&", "1"]],
  ["and may have it", { key: "1", code: "Digit1", shiftKey: true }, ["1"]],
  ["signs over digits are no digits", { key: "!", code: "Digit1", shiftKey: true }, ["!"]],
  ["keys of the number pad type digits", { key: "1", code: "Numpad1" }, ["1"]],
  ["or move", { key: "End", code: "Numpad1" }, ["End"]],
  ["signs of a film lie where they lie on a US keyboard", { key: "ü", code: "BracketLeft" }, ["ü", "["]],
  ["even under an accent", { key: "Dead", code: "BracketLeft" }, ["Dead", "["]],
  ["a question mark is where it is typed", { key: "?", code: "Digit7", shiftKey: true }, ["?"]],
  ["keys with a name have no place", { key: "Enter", code: "Enter" }, ["Enter"]],
  ["a browser that fills a form in names no key", {}, [""]],
];

for (const [name, event, keys] of CASES) {
  test(name, () => assert.deepEqual(keysOf({ shiftKey: false, ...event }), keys));
}

test("no other script compares a key to a letter, a digit or a sign of a film", () => {
  const scripts = readdirSync(STATIC, { recursive: true }).filter((name) => name.endsWith(".js") && name !== "site/keys.js");
  assert.ok(scripts.length > 50);
  const compared = /event\.key\b(?!s)[^\n]*(["'`])[a-z0-9,.[\]]\1/i;
  assert.deepEqual(scripts.filter((name) => compared.test(readFileSync(new URL(name, STATIC), "utf8"))), []);
});
