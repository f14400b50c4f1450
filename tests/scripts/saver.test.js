import assert from "node:assert/strict";
import { test } from "node:test";

import { Copies } from "../../static/shipyard/copies.js";
import { Saver } from "../../static/shipyard/saver.js";
import { HandClock, settled } from "./hand_clock.js";

const drawn = (...rows) => ({ document: { format: "starship/1", name: "Canoe", rows }, ruleset: "", players: 4 });
const [BASE, ONE, TWO] = [drawn("a . ."), drawn("a o ."), drawn("a o ~")];

class Store {
  setItem(key, text) { this[key] = text; }
  getItem(key) { return this[key] ?? null; }
  removeItem(key) { delete this[key]; }
}

// A server with one draft. It answers 412 for another version, or the failure in `fails`.
class Server {
  version = 1;
  value = BASE;
  fails = null;
  sent = [];

  put = async (value, version) => {
    this.sent.push(value.document.rows.join("/"));
    if (this.fails !== null) return this.fails && { status: this.fails, detail: "No." };
    if (version !== this.version) return { status: 412, draft: this.draft };
    this.#save(value);
    return { status: 200, draft: this.draft };
  };

  // Another window saves.
  save(value) { this.#save(value); }
  #save(value) { this.value = value; this.version += 1; }
  get draft() { return { version: this.version, value: this.value, problems: [] }; }
}

function begun({ chooses = null, isBusy, ...given } = {}) {
  const [clock, server, store] = [new HandClock(), new Server(), new Store()];
  const made = { clock, server, store, states: [], shown: [], asked: [] };
  made.copies = new Copies("/7", { storage: store, person: 1, name: "here", now: clock.now });
  made.saver = new Saver({
    saved: server.draft,
    put: server.put,
    ask: async (found) => { made.asked.push(found.clashes); return typeof chooses === "function" ? chooses() : chooses; },
    show: (value) => made.shown.push(value.document.rows.join("/")),
    tell: ({ name }) => made.states.push(name),
    kept: () => {},
    copies: made.copies,
    isBusy,
    clock,
    ...given,
  });
  return made;
}

test("a change is saved three seconds after the last one", async () => {
  const { saver, server, clock, store } = begun();
  saver.change(ONE);
  await clock.pass(2900);
  saver.change(TWO);
  await clock.pass(2900);
  assert.deepEqual(server.sent, []);
  assert.deepEqual(JSON.parse(store["ship:1:/7:here"]), { value: TWO, base: BASE, version: 1, at: 3900 });
  await clock.pass(100);
  assert.deepEqual(server.sent, ["a o ~"]);
  assert.equal(saver.state.name, "saved");
  assert.deepEqual(Object.keys(store), [], "the server has it");
  await clock.pass(60_000);
  assert.equal(server.sent.length, 1);
});

test("strokes without pauses are also saved", async () => {
  const { saver, server, clock } = begun();
  for (let second = 0; second < 16; second += 1) {
    saver.change(second % 2 ? ONE : TWO);
    await clock.pass(1000);
  }
  assert.equal(server.sent.length, 1);
});

test("an undone change is not saved", async () => {
  const { saver, server, clock, store } = begun();
  saver.change(ONE);
  saver.change(BASE);
  await clock.pass(10_000);
  assert.deepEqual([server.sent, saver.state.name, Object.keys(store)], [[], "saved", []]);
});

test("a change during a save is saved afterwards", async () => {
  const { saver, server, clock } = begun();
  saver.change(ONE);
  const going = saver.save();
  saver.change(TWO);
  await going;
  await clock.pass(3000);
  assert.deepEqual([server.sent, server.version, saver.version], [["a o .", "a o ~"], 3, 3]);
});

test("a save without an answer is repeated with growing pauses, and a copy stays", async () => {
  const { saver, server, clock, store } = begun();
  server.fails = 0;
  saver.change(ONE);
  await clock.pass(3000);
  assert.equal(saver.state.name, "waiting");
  await clock.pass(2000);
  await clock.pass(5000);
  assert.equal(server.sent.length, 3);
  await clock.pass(9000);
  assert.equal(server.sent.length, 3, "the pause has grown");
  saver.change(TWO);
  assert.equal(JSON.parse(store["ship:1:/7:here"]).value.document.rows[0], "a o ~");
  server.fails = null;
  await clock.pass(1000);
  assert.deepEqual([server.value, saver.state.name, Object.keys(store)], [TWO, "saved", []]);
});

test("going online saves at once, and so does leaving", async () => {
  const { saver, server, clock } = begun();
  server.fails = 503;
  saver.change(ONE);
  await clock.pass(3000);
  server.fails = null;
  assert.equal(await saver.save(), true);
  saver.change(TWO);
  saver.leave();
  await settled();
  assert.deepEqual([server.value, server.version], [TWO, 3]);
  saver.leave();
  await settled();
  assert.equal(server.sent.length, 3, "nothing to be saved");
});

test("another person's version is merged and saved", async () => {
  const { saver, server, clock, shown, asked, states } = begun();
  saver.change(ONE);
  server.save(drawn("a . ~"));
  await clock.pass(3000);
  assert.deepEqual([shown, asked], [["a o ~"], []]);
  assert.deepEqual([server.value.document.rows, server.version, saver.state.name], [["a o ~"], 3, "saved"]);
  assert.ok(states.includes("met"));
});

for (const [side, row] of [["mine", "a o ."], ["theirs", "a f ."]]) {
  test(`a cell changed on both sides needs a decision: ${side}`, async () => {
    const { saver, server, clock, asked } = begun({ chooses: side });
    saver.change(ONE);
    server.save(drawn("a f ."));
    await clock.pass(3000);
    assert.deepEqual(asked, [[{ key: "cell", x: 1, y: 0, mine: "o", theirs: "f" }]]);
    assert.deepEqual([server.value.document.rows, saver.value.document.rows, saver.state.name], [[row], [row], "saved"]);
  });
}

test("an unanswered question overwrites nothing and is asked again", async () => {
  let chosen = null;
  const { saver, server, clock, asked, store } = begun({ chooses: () => chosen });
  saver.change(ONE);
  server.save(drawn("a f ."));
  await clock.pass(3000);
  assert.deepEqual([server.value.document.rows, saver.state.name], [["a f ."], "asks"]);
  saver.change(TWO);
  await clock.pass(60_000);
  saver.leave();
  await settled();
  assert.deepEqual([server.sent.length, Object.keys(store)], [1, ["ship:1:/7:here"]]);
  chosen = "mine";
  await saver.save();
  await clock.pass(0);
  assert.deepEqual([server.value, asked.length], [TWO, 2]);
});

test("changes of another window arrive at once, but not during a stroke", async () => {
  let busy = false;
  const { saver, server, clock, shown } = begun({ isBusy: () => busy });
  server.save(ONE);
  saver.hear(server.draft);
  saver.hear(server.draft);
  await settled();
  assert.deepEqual([shown, saver.version, saver.state.name], [["a o ."], 2, "saved"]);
  busy = true;
  saver.change(TWO);
  server.save(drawn("f o ."));
  saver.hear(server.draft);
  await clock.pass(4000);
  assert.deepEqual([shown.length, server.sent.length], [1, 0]);
  busy = false;
  await clock.pass(300);
  await clock.pass(0);
  assert.deepEqual([shown[1], server.value.document.rows], ["f o ~", ["f o ~"]]);
});

test("a version that another window tells of during its refusal is merged and saved too", async () => {
  const { saver, server, clock } = begun();
  saver.change(ONE);
  server.save(drawn("a . ~"));
  const sent = saver.save();
  saver.hear(server.draft);
  await sent;
  await clock.pass(0);
  assert.deepEqual([server.value.document.rows, saver.state.name], [["a o ~"], "saved"]);
});

test("leaving right after a merge saves it", async () => {
  const { saver, server } = begun();
  saver.change(ONE);
  server.save(drawn("a . ~"));
  await saver.save();
  saver.leave();
  await settled();
  assert.deepEqual(server.value.document.rows, ["a o ~"]);
});

test("a refused version waits for another change", async () => {
  const { saver, server, clock } = begun();
  server.fails = 422;
  saver.change(ONE);
  await clock.pass(60_000);
  assert.deepEqual([saver.state, server.sent.length], [{ name: "refused", detail: "No." }, 1]);
  server.fails = null;
  saver.change(TWO);
  await clock.pass(3000);
  assert.equal(server.value, TWO);
});

for (const [status, name] of [[404, "gone"], [401, "out"], [403, "out"]]) {
  test(`after ${status} nothing is retried automatically`, async () => {
    const { saver, server, clock, store } = begun();
    server.fails = status;
    saver.change(ONE);
    await clock.pass(3000);
    saver.change(TWO);
    await clock.pass(60_000);
    assert.deepEqual([saver.state.name, server.sent.length, Object.keys(store).length], [name, 1, 1]);
  });
}

test("settling saves everything or reports a failure", async () => {
  const { saver, server } = begun();
  assert.equal(await saver.settle(), true);
  saver.change(ONE);
  saver.save();
  saver.change(TWO);
  server.save(drawn("f o ."));
  assert.equal(await saver.settle(), true);
  assert.deepEqual(server.value.document.rows, ["f o ~"]);
  server.fails = 0;
  saver.change(ONE);
  assert.equal(await saver.settle(), false);
});

test("copies of other windows are found in reverse order, and old ones deleted", () => {
  const [store, clock] = [new Store(), new HandClock()];
  const made = (name) => new Copies("/7", { storage: store, person: 1, name, now: clock.now });
  made("old").keep(ONE, BASE, 1);
  clock.time += 31 * 24 * 60 * 60 * 1000;
  made("first").keep(ONE, BASE, 1);
  clock.time += 5;
  made("second").keep(TWO, ONE, 2);
  new Copies("/8", { storage: store, person: 1, name: "other", now: clock.now }).keep(ONE, BASE, 1);
  store["ship:1:/7:torn"] = "{";
  const here = made("here");
  here.keep(ONE, BASE, 1);
  assert.deepEqual(here.left().map(({ key, version }) => [key, version]), [["ship:1:/7:second", 2], ["ship:1:/7:first", 1]]);
  here.drop("ship:1:/7:second");
  here.drop();
  assert.deepEqual(Object.keys(store).sort(), ["ship:1:/7:first", "ship:1:/8:other"]);
});

test("copies of another person are not shown, and closing keeps nothing", () => {
  const store = new Store();
  const of = (person) => new Copies("/7", { storage: store, person, name: `window of ${person}` });
  of(1).keep(ONE, BASE, 1);
  assert.deepEqual(new Copies("/7", { storage: store, person: 2, name: "here" }).left(), []);
  const mine = of(2);
  mine.keep(TWO, BASE, 1);
  mine.close();
  assert.equal(mine.keep(TWO, BASE, 1), false);
  assert.deepEqual(Object.keys(store), ["ship:1:/7:window of 1"]);
});

test("a browser without storage is reported", () => {
  assert.equal(new Copies("/7", { storage: null, person: 1, name: "here" }).keep(ONE, BASE, 1), false);
  const full = Object.assign(new Store(), { setItem() { throw new Error("QuotaExceededError"); } });
  assert.equal(new Copies("/7", { storage: full, person: 1, name: "here" }).keep(ONE, BASE, 1), false);
  assert.deepEqual(new Copies("/7", { storage: null, person: 1, name: "here" }).left(), []);
});
