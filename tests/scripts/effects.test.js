import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { EFFECTS } from "../../static/site/effects.js";

const NAMES = ["step", "push", "beam", "laser", "hit", "destroyed", "repair", "inspect", "phase", "my-turn", "win", "chip"];

test("every playable effect exists", () => {
  assert.deepEqual(Object.keys(EFFECTS).sort(), NAMES.toSorted());
});

test("every sound played by a script exists", () => {
  const root = new URL("../../static/", import.meta.url).pathname;
  const scripts = globSync("**/*.js", { cwd: root }).map((name) => readFileSync(root + name, "utf8")).join("");
  const played = [...scripts.matchAll(/sound\.play\("([\w-]+)"\)/g)].map(([, name]) => name);
  assert.ok(played.length >= 4);
  assert.deepEqual(played.filter((name) => !(name in EFFECTS)), []);
});

test("each effect is immediate, quiet and at most 1.4 seconds long", () => {
  for (const [name, parts] of Object.entries(EFFECTS)) {
    assert.equal(Math.min(...parts.map(({ after = 0 }) => after)), 0, name);
    assert.ok(Math.max(...parts.map(({ after = 0, length }) => after + length)) <= 1.4, name);
    assert.ok(parts.every(({ level }) => level > 0 && level <= 0.5), name);
  }
});
