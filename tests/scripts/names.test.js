// Names that connect files: `data-` names between scripts and markup, events between modules.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../", import.meta.url).pathname;
const read = (...patterns) => globSync(patterns, { cwd: ROOT }).map((name) => readFileSync(ROOT + name, "utf8")).join("\n");
const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
const sorted = (names) => [...new Set(names)].sort();

const scripts = read("static/**/*.js");
const code = scripts.replace(/\/\/.*$/gm, "").replace(/\/\*[^]*?\*\//g, "");
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

const listed = found(readFileSync(`${ROOT}types/data.d.ts`, "utf8"), /^ {2}(\w+): string;/gm);
const selected = found(code, /\[data-([a-z]+(?:-[a-z]+)*)(?=[\]=])/g);
// Composed names: [data-chat-…] in the chat, [data-…] in the player's controls.
const joined = [
  ...found(code, /(?:part|need\(this\.root, )\("([a-z-]+)"\)/g).map((name) => `chat-${name}`),
  ...found(code, /#find\("([a-z-]+)"\)/g),
];

test("every data name used by scripts is listed", () => {
  const used = [...selected.map(camel), ...found(code, /\bdataset\.(\w+)/g)];
  assert.deepEqual(sorted(used.filter((name) => !listed.includes(name))), []);
});

test("every listed data name is used by scripts", () => {
  const words = new Set(code.match(/[\w-]+/g));
  const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const used = (name) => [`data-${dashed(name)}`, dashed(name), name].some((each) => words.has(each)) || joined.includes(dashed(name)) || words.has(dashed(name).replace("chat-", ""));
  assert.deepEqual(listed.filter((name) => !used(name)), []);
});

test("every data name read by scripts is in the server's markup or set by a script", () => {
  const markup = read("templates/**/*.html", "{games,accounts,rules,roborunner}/**/*.py");
  const made = new Set(found(code, /\bdataset\.(\w+) \??\??=[^=]/g));
  const missing = selected.filter((name) => !markup.includes(`data-${name}`) && !made.has(camel(name)) && !code.includes(`"data-${name}"`));
  assert.deepEqual(sorted(missing), []);
});

test("every event is both sent and received", () => {
  const events = found(readFileSync(`${ROOT}types/events.d.ts`, "utf8"), /^ {2}"([a-z:]+)":/gm);
  assert.ok(events.length > 15);
  const told = new Set(found(code, /\bemit\("([a-z:]+)"/g));
  assert.deepEqual(events.filter((name) => !told.has(name)), []);
  const heard = (name) => code.includes(`listen("${name}"`) || code.includes(`"${name}", (`) || code.includes(`"${name.split(":")[1]}"`);
  assert.deepEqual(events.filter((name) => !heard(name)), []);
});

test("events are sent and received in one way", () => {
  assert.equal(code.match(/new CustomEvent/g).length, 1);
});
