import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Film, filmAt, timing } from "../../static/play/film.js";

const pose = (x, y, damage = 0) => ({ at: [x, y], heading: 1, damage });
const FRAMES = [
  { phase: 0, doors: [[0, 0]] },
  { phase: 1, poses: { Alice: pose(1, 0) }, links: "<g/>" },
  { phase: 1, poses: { Bob: pose(4, 4, 1) }, crew: { Bob: { health: 8 } } },
  { phase: 2, shots: [{}], hull: { 3: 1 }, doors: [] },
  { phase: 6, checkpoints: { 1: "<g class='done'/>" } },
];
const documentOf = (more = {}) => ({
  turn: 3,
  film: { start: { Alice: pose(0, 0), Bob: pose(4, 4) }, crew: { Bob: { health: 9 } }, frames: FRAMES },
  board: "", words: ["", ""], log: "", grid: "", ...more,
});
const film = new Film(documentOf());

test("changes of an instant last, and everything else stays", () => {
  assert.equal(film.states.length, FRAMES.length + 1);
  assert.deepEqual(film.states[0].poses.Alice.at, [0, 0]);
  assert.deepEqual(film.states[2].poses, { Alice: pose(1, 0), Bob: pose(4, 4) });
  assert.deepEqual(film.states[3].poses, { Alice: pose(1, 0), Bob: pose(4, 4, 1) });
  assert.deepEqual(film.states.map(({ crew }) => crew.Bob.health), [9, 9, 9, 8, 8, 8]);
  assert.deepEqual(film.states.map(({ doors }) => doors.length), [0, 1, 1, 1, 0, 0]);
  assert.deepEqual(film.states.map(({ links }) => links), [null, null, "<g/>", "<g/>", "<g/>", "<g/>"]);
  assert.deepEqual(film.states[4].hull, { 3: 1 });
  assert.deepEqual(film.states[4].checkpoints, {});
  assert.ok("1" in film.states[5].checkpoints);
});

test("an instant has a name by its phase and step, and doors that open have none", () => {
  const { position, name } = { position: (at) => film.positionOf(at), name: (at) => film.nameOf(at) };
  const closing = new Film(documentOf({ film: { start: {}, frames: [{ phase: 1 }, { phase: 1, doors: [] }, { phase: 1, labels: [] }] } }));
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(name), ["0", "0.1", "1.1", "1.2", "2.1", "6.1"]);
  assert.deepEqual(["0", "0.1", "1.1", "1.2", "2", "6.1"].map(position), [1, 1, 2, 3, 4, 5]);
  assert.deepEqual(["1.9", "3", "99.99", "-1", "x"].map(position), [3, 4, 5, 0, 0]);
  assert.equal(closing.positionOf("1.2"), 3);
  assert.equal(closing.nameOf(2), "1.1");
});

test("faces last until others follow, and the goal stays lit until the film goes back before it", () => {
  const marks = (kind) => [{ kind, at: [0, 0] }];
  const frames = [
    { phase: 1, faces: { Alice: "pushed" } },
    { phase: 1, marks: marks("inspect") },
    { phase: 1, faces: { Alice: "hit", Bob: "glad" }, marks: marks("goal") },
    { phase: 2, faces: { Alice: "" } },
  ];
  const { states } = new Film({ ...documentOf(), film: { start: {}, frames } });
  assert.deepEqual(states.map(({ faces }) => faces.Alice ?? ""), ["", "pushed", "pushed", "hit", ""]);
  assert.deepEqual(states.map(({ faces }) => faces.Bob ?? ""), ["", "", "", "glad", "glad"]);
  assert.deepEqual(states.map(({ lit }) => lit), [false, false, false, true, true]);
});

test("phases begin at their first instant", () => {
  assert.deepEqual(film.phases, [{ phase: 0, at: 0 }, { phase: 1, at: 1 }, { phase: 2, at: 3 }, { phase: 6, at: 4 }]);
});

test("steps go from phase to phase and stop at both ends", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((at) => film.phaseFrom(at, 1)), [1, 3, 3, 4, 5, 5]);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((at) => film.phaseFrom(at, -1)), [0, 0, 1, 1, 3, 4]);
});

test("an instant is named after its phase", () => {
  assert.deepEqual([0, 1, 3, 4, 9].map((at) => film.titleAt(at)), ["Before phase 1", "Phase 1", "Phase 2", "End of the turn", ""]);
  assert.equal(new Film(documentOf({ turn: 0 })).titleAt(0), "Headings");
});

const how = (more = {}) => ({ begins: false, said: false, speed: 100, still: false, ...more });

test("a shot takes longer than a step, and a rest follows each", () => {
  const [step, shot] = [{ phase: 1, poses: {} }, { phase: 1, shots: [{}] }].map((frame) => timing(frame, how()));
  assert.ok(shot.moves > step.moves && step.moves > 0);
  assert.ok(step.rests > 0 && step.rests < step.moves);
});

test("a hit on the reader rests for half a second more, also without motion", () => {
  for (const still of [false, true]) {
    const [other, own] = [undefined, true].map((hit) => timing({ phase: 1, marks: [{ kind: "damage", at: [0, 0] }], hit }, how({ still })));
    assert.equal(own.rests - other.rests, 500);
    assert.equal(own.moves, other.moves);
  }
});

test("a destroyed robot is visible for longer than a shot, and a winner for longer still", () => {
  const marks = (kind) => timing({ phase: 1, marks: [{ kind, at: [0, 0] }] }, how()).moves;
  assert.ok(marks("destroyed") > timing({ phase: 1, shots: [{}] }, how()).moves);
  assert.ok(marks("damage") < marks("destroyed"));
  assert.ok(marks("win") > marks("destroyed"));
});

test("a new phase and texts without moves stay long enough for reading", () => {
  const quiet = { phase: 2 };
  assert.deepEqual(timing(quiet, how()), { moves: 0, rests: 0 });
  assert.ok(timing(quiet, how({ said: true })).rests > 300);
  assert.ok(timing({ phase: 2, poses: {} }, how({ begins: true })).rests > 300);
});

test("twice the speed halves all times, and the default speed keeps them", () => {
  for (const more of [{ begins: true }, { still: true }]) {
    const [once, twice] = [100, 200].map((speed) => timing({ phase: 1, poses: {} }, how({ speed, ...more })));
    assert.deepEqual(twice, { moves: once.moves / 2, rests: once.rests / 2 });
    assert.deepEqual(timing({ phase: 1, poses: {} }, how({ speed: undefined, ...more })), once);
  }
});

test("with reduced motion nothing moves, and each picture stays a while", () => {
  const { moves, rests } = timing({ phase: 1, poses: {} }, how({ still: true }));
  assert.equal(moves, 0);
  assert.ok(rests >= 500);
});

let asked;

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return { ok: !address.includes("missing"), status: 404, json: async () => documentOf() };
  };
});

test("a film is fetched only once", async () => {
  assert.equal(await filmAt("/films/1/"), await filmAt("/films/1/"));
  assert.deepEqual(asked, ["/films/1/"]);
});

test("a film is in the language of the page", async () => {
  globalThis.fetch = async (_address, { headers }) => ({ ok: true, json: async () => documentOf({ log: headers["Accept-Language"] }) });
  globalThis.document = { documentElement: { lang: "de" } };
  assert.equal((await filmAt("/film-in-german/")).log, "de");
  delete globalThis.document;
});

test("a film that failed to load is fetched again next time", async () => {
  await assert.rejects(filmAt("/missing/"));
  await assert.rejects(filmAt("/missing/"));
  assert.equal(asked.length, 2);
});

test("of many films the oldest is forgotten", async () => {
  for (let turn = 0; turn <= 12; turn += 1) await filmAt(`/many/${turn}/`);
  await filmAt("/many/12/");
  assert.equal(asked.length, 13);
  await filmAt("/many/0/");
  assert.equal(asked.length, 14);
});
