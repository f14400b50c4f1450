import assert from "node:assert/strict";
import { test } from "node:test";

import { compose } from "../../static/site/composer.js";

const HOURS = 3;

// Repeatable randomness: the same seed gives the same music.
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function bars(seed) {
  const played = [];
  let seconds = 0;
  for (const bar of compose(dice(seed))) {
    if (seconds > HOURS * 3600) return played;
    played.push({ ...bar, at: seconds });
    seconds += bar.length;
  }
  return played;
}

const told = ({ notes }) => notes.map(({ voice, pitch, at }) => [voice, pitch, Math.round(at * 10)].join()).join(" ");

test("the minutes of three hours of music differ, and so does music by another seed", () => {
  const minutes = new Map();
  for (const bar of bars(1)) {
    const minute = Math.floor(bar.at / 60);
    minutes.set(minute, `${minutes.get(minute) ?? ""} ${told(bar)}`);
  }
  assert.ok(minutes.size >= HOURS * 60);
  assert.equal(new Set(minutes.values()).size, minutes.size);
  assert.notDeepEqual(bars(2), bars(1));
});

test("the music is calm: slow chords, few bells, no two tones of a bar a semitone apart", () => {
  for (const { length, notes } of bars(3)) {
    assert.ok(length >= 8);
    assert.ok(notes.filter(({ voice }) => voice === "bell").length <= 4);
    assert.ok(notes.reduce((sum, { level }) => sum + level, 0) < 3);
    assert.ok(notes.every(({ pitch }) => pitch >= 28 && pitch <= 100));
    const tones = [...new Set(notes.map(({ pitch }) => pitch % 12))].sort((one, other) => one - other);
    const steps = tones.map((tone, index) => (tones[index + 1] ?? tones[0] + 12) - tone);
    assert.ok(!steps.includes(1), `${tones}`);
  }
});

test("each note lies in its bar, and the drone fades into the next", () => {
  for (const { length, notes } of bars(4)) {
    assert.ok(notes.every(({ at }) => at >= 0 && at < length));
    assert.ok(notes.find(({ voice }) => voice === "drone").length > length);
  }
});
