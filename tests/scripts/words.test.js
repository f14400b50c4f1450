// Texts of scripts, with names and in the language of the page's catalogue.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

const { clockTime, dateAndTime, dayAndTime, gettext, listed, ngettext, pgettext } = await import("../../static/site/words.js");

globalThis.document = { documentElement: { lang: "en" } };
afterEach(() => delete globalThis.django);

test("a sentence has its names", () => {
  assert.equal(gettext("Chat, {name}: {text}", { name: "Bob", text: "{name}!" }), "Chat, Bob: {name}!");
});

test("a number takes its plural", () => {
  assert.deepEqual([1, 0, 2].map((number) => ngettext("{number} day left", "{number} days left", number)), ["1 day left", "0 days left", "2 days left"]);
});

test("texts come from the catalogue of the page", () => {
  globalThis.django = { catalog: { Pause: "Halt", "{number} day": ["{number} Tag", "{number} Tage"] }, pluralidx: (count) => Number(count !== 1) };
  assert.equal(gettext("Pause"), "Halt");
  assert.deepEqual([1, 3].map((number) => ngettext("{number} day", "{number} days", number)), ["1 Tag", "3 Tage"]);
  assert.equal(gettext("Skip"), "Skip");
});

test("a word with several meanings is told apart by its context", () => {
  assert.equal(pgettext("playback", "Pause"), "Pause");
  globalThis.django = { catalog: { "playback\x04Pause": "Anhalten" }, pluralidx: () => 0 };
  assert.deepEqual([pgettext("playback", "Pause"), pgettext("chip", "Pause")], ["Anhalten", "Pause"]);
});

test("pages of the admin have other things under the catalogue's name", () => {
  globalThis.django = { jQuery: () => {} };
  assert.deepEqual([gettext("Pause"), pgettext("playback", "Pause"), ngettext("{number} day", "{number} days", 2)], ["Pause", "Pause", "2 days"]);
});

test("names are listed in the way of the language", () => {
  assert.deepEqual([[], ["Bob"], ["Bob", "Carol"], ["Bob", "Carol", "Dave"]].map(listed), ["", "Bob", "Bob and Carol", "Bob, Carol and Dave"]);
  document.documentElement.lang = "de";
  assert.equal(listed(["Bob", "Carol"]), "Bob und Carol");
});

test("times are in the way of the language", () => {
  const time = new Date(2026, 10, 22, 9, 30);
  document.documentElement.lang = "en";
  assert.deepEqual([dayAndTime(time), dateAndTime(time), clockTime(time)], ["Sun 22 Nov, 09:30", "22 Nov 2026, 09:30", "09:30"]);
  document.documentElement.lang = "de";
  assert.deepEqual([dayAndTime(time), dateAndTime(time), clockTime(time)], ["So., 22. Nov., 09:30", "22.11.2026, 09:30", "09:30"]);
});
