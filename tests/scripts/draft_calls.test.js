// Saving a draft while another window logs in: the form's token changes, perhaps more than once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

openPage();
globalThis.location = { href: "/shipyard/1/" };
document.querySelectorAll = () => [];
globalThis.DOMParser = class {
  parseFromString(token) { return { querySelector: () => token && { getAttribute: () => token } }; }
};
const { DraftCalls } = await import("../../static/shipyard/draft_calls.js");

// A server that accepts only `good`, and shows `tokens` on its page, one after another. Without one it shows the login.
function serve(good, tokens) {
  const sent = [];
  globalThis.fetch = async (address, { headers } = {}) => {
    if (!headers) return tokens.length ? { ok: true, redirected: false, text: async () => tokens.shift() } : { ok: true, redirected: true };
    sent.push(headers["X-CSRFToken"]);
    const status = sent.at(-1) === good ? 200 : 403;
    return { status, headers: new Map(), json: async () => ({ version: 2, document: {} }) };
  };
  return sent;
}

const put = () => new DraftCalls({ draft: "/api/v1/shipyard/drafts/1", drafts: "", check: "", outlook: "", token: "old" }).put({}, 1);

test("a draft is sent again with the page's new token", async () => {
  const sent = serve("new", ["new"]);
  assert.equal((await put()).status, 200);
  assert.deepEqual(sent, ["old", "new"]);
});

test("a token that changes once more meanwhile does not lose the draft", async () => {
  const sent = serve("newer", ["new", "newer"]);
  assert.equal((await put()).status, 200);
  assert.deepEqual(sent, ["old", "new", "newer"]);
});

test("a person who is logged out is not asked for a token again and again", async () => {
  const sent = serve("new", []);
  assert.equal((await put()).status, 403);
  assert.deepEqual(sent, ["old"]);
});
