import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, ordersForm } from "./page.js";

openPage();
const { ordersIn, sendTurn } = await import("../../static/play/order_calls.js");

let asked;

beforeEach(() => openPage());

// Set the server's answer, or null for no connection.
function answers(status, body) {
  globalThis.fetch = async (address, options) => {
    asked = { address, ...options };
    if (!status) throw new TypeError("offline");
    return { ok: status === 200, status, json: async () => body };
  };
}

const submit = () => sendTurn(ordersForm({ registers: [], data: { turn: "3" } }), "orders", "POST", { heading: "N" });

test("orders go to the API with the token of their form", async () => {
  answers(200, { id: 1 });
  assert.deepEqual(await submit(), { ok: true, status: 200, body: { id: 1 } });
  assert.deepEqual([asked.method, asked.address, asked.body], ["POST", "/api/v1/games/1/turns/3/orders", '{"heading":"N"}']);
  assert.equal(asked.headers["X-CSRFToken"], "token");
});

test("a draft is deleted without a body", async () => {
  answers(200, {});
  await sendTurn(ordersForm(), "draft", "DELETE");
  assert.equal(asked.body, null);
});

test("a player who was logged out reads what to do, and not how programs log in", async () => {
  answers(401, { error: "not-signed-in", detail: "Send a token.", problems: [] });
  assert.match((await submit()).body.detail, /^You were logged out\./);
});

test("an old token and an unreachable server give no message", async () => {
  answers(403, { error: "permission-denied", detail: "CSRF Failed.", problems: [] });
  assert.deepEqual(await submit(), { ok: false, status: 403, body: null });
  answers(null);
  assert.equal(await submit(), null);
});

const chosen = (name, value) => ({ name, value, type: "checkbox", checked: true });

test("orders contain the registers, with a pause and without locked ones", () => {
  assert.deepEqual(ordersIn(ordersForm({ registers: ["490", "P", "", null, "70"] })), { registers: [490, "P", null, null, 70] });
});

test("orders contain the other choices, and nothing more", () => {
  const form = ordersForm({ registers: [] });
  const orders = () => ordersIn(form);
  assert.deepEqual(orders(), {});
  form.elements.push(chosen("phase", "2"), chosen("phase", "4"), chosen("unlock", "5"), chosen("heading", "E"), chosen("place", "3,4"));
  assert.deepEqual(orders(), { equipment: [2, 4], unlock: [5], heading: "E", place: [3, 4] });
  form.elements.push(chosen("engaged", "on"), chosen("power_down", "on"), chosen("stay_down", "on"), { ...chosen("unlock", "4"), checked: false });
  assert.deepEqual(orders(), { equipment: true, unlock: [5], heading: "E", place: [3, 4], power_down: true, stay_down: true });
  form.dataset.screen = "2";
  assert.equal(orders().screen, 2);
});
