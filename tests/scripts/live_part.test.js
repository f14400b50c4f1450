import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Element, openPage } from "./page.js";

const MINUTE = 60 * 1000;
const settle = () => new Promise((done) => setImmediate(done));
let answer;

mock.timers.enable({ apis: ["setTimeout"] });
openPage();
const over = new Element("template", { content: "You are no longer waiting." });
const shown = new Element("div", { data: { live: "" }, children: [over] });
shown.replaceChildren = (content) => { shown.textContent = content; };
document.querySelector = () => shown;
globalThis.location = { pathname: "/games/find/" };
globalThis.fetch = async () => answer;
globalThis.DOMParser = class {
  parseFromString(text) {
    return { querySelector: (selector) => (selector === "[data-live]" ? text === "waiting" : text !== "logged out") ? new Element() : null };
  }
};
const page = (text, fields = {}) => ({ ok: true, redirected: false, text: async () => text, ...fields });

async function after(time) {
  mock.timers.tick(time);
  await settle();
}

test("a search that is over shows its template, and one that goes on does not", async () => {
  await import("../../static/competitions/live_part.js");
  answer = page("waiting");
  await after(MINUTE);
  assert.equal(shown.textContent, "");
  for (const other of [page("", { ok: false }), page("", { redirected: true }), page("logged out")]) {
    answer = other;
    await after(MINUTE);
    assert.equal(shown.textContent, "", "an error, a login page, or a page for guests says nothing about the search");
  }
  answer = page("");
  document.dispatchEvent(new Event("visibilitychange"));
  await after(1000);
  assert.equal(shown.textContent, "You are no longer waiting.", "as soon as the reader returns");
});
