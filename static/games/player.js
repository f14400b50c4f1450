// When films are played: what was missed is offered first, a turn that is resolved while one looks is played at once, keys and
// addresses lead to any turn. After a film of what has just come the page's parts are drawn anew: then the new hand is there.

import { refresh } from "./parts.js";
import { Projector } from "./projector.js";

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input, [role=tab]"; // what Space is for already
const KEYS = { ",": ["step", -1], ".": ["step", 1], "[": ["stepPhase", -1], "]": ["stepPhase", 1] };

let player = null;
let queue = null; // { next, last, whole } while turns are played one after another: those missed, or a `whole` game
let noting = null; // the note of what was seen, on its way to the server

export function playBack(root) {
  const known = player !== null;
  player ??= new Projector();
  player.bind(root);
  root.querySelector("[data-whole]").addEventListener("click", () => (queue?.whole ? stop() : watchAll()));
  if (known) return;
  document.addEventListener("keydown", press);
  document.addEventListener("click", click);
  document.addEventListener("stream:turn", arrive);
  document.addEventListener("submit", skip);
  document.addEventListener("film:watched", watched);
  document.addEventListener("film:jump", ({ detail }) => { stop(); settle(detail.turn); });
  document.addEventListener("film:end", leave);
  addEventListener("popstate", () => { stop(); follow(); });
  follow();
}

// Play turns one after another, and draw the page anew after the last. Who leaves them has seen enough of them.
function watch(first, last) {
  queue = { next: first, last };
  mark();
  return advance();
}

// Play the game from the turn that is shown to the last; from the first, where that is the last. Each turn has its address.
function watchAll() {
  const { turn, first, last, film, position } = player;
  const from = turn < last ? turn : first;
  queue = { next: from, last, whole: true };
  mark();
  settle(from);
  return advance(film && turn === from && position < film.end ? position : 0);
}

async function advance(position = 0) {
  if (queue.next > queue.last) return player.leave();
  const mine = queue;
  const turn = mine.next++;
  if (await player.open(turn, position)) {
    if (mine.whole) settle(turn, true);
    if ((await player.play()) && player.atHome) player.leave(); // where it was stopped in between
    return undefined;
  }
  if (queue !== mine) return undefined;
  stop(); // there is no film to be had: then the page says how things are
  return refresh();
}

function stop() {
  queue = null;
  mark();
}

function watched(event) {
  const { turn } = event.detail;
  noteSeen(turn);
  if (!queue || turn !== queue.next - 1) return;
  event.preventDefault();
  queueMicrotask(advance); // once all have heard of it
}

// A turn was resolved while the page is open.
function arrive(event) {
  const { turn } = event.detail;
  const free = !(document.hidden || player.film || isBusy());
  if (!queue && !free) return; // the page's parts are drawn anew, and offer it
  event.preventDefault();
  player.reach(turn);
  if (queue) queue.last = Math.max(queue.last, turn);
  else watch(turn, turn);
}

// Somebody is filling something in.
function isBusy() {
  const writes = document.activeElement?.matches(FIELDS) && document.activeElement.value;
  return Boolean(writes) || document.querySelector("dialog[open], form[data-orders].is-changed") !== null;
}

// The board is the page's own again: what has come meanwhile is shown now.
async function leave() {
  if (queue && !queue.whole) noteSeen(queue.last);
  stop();
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  await noting; // else the page would offer what was just watched
  refresh();
}

// What was seen is noted, as far as nothing is left out: only what comes next after what was seen before, unless it was skipped.
function noteSeen(turn) {
  const form = document.querySelector("[data-seen-turn]");
  const before = Number(form?.dataset.seenTurn);
  if (!form || turn <= before || ((!queue || queue.whole) && turn !== before + 1)) return;
  form.dataset.seenTurn = turn;
  const body = new FormData(form);
  body.set("turn", turn);
  noting = fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true }).catch(() => {});
}

async function skip(event) {
  const form = event.target.closest("[data-offer] form");
  if (!form) return;
  event.preventDefault();
  queue = { next: 0, last: Number(form.elements.turn.value) };
  noteSeen(queue.last);
  stop();
  await noting;
  refresh();
}

function click(event) {
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
  const offer = plain && event.target.closest("[data-offer]");
  if (offer && event.target.closest("[data-offer-watch]")) {
    event.preventDefault();
    watch(Number(offer.dataset.from), Number(offer.dataset.to));
  }
  const link = plain && event.target.closest("[data-turn-link]");
  if (link) {
    event.preventDefault();
    player.jump(Number(link.dataset.turnLink));
  }
}

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(FIELDS)) return;
  if (player.root.hidden || document.querySelector("dialog[open]")) return;
  if (event.key === " ") {
    if (event.target.closest?.(PRESSED)) return;
    event.preventDefault();
    player.toggle();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    const [act, way] = KEYS[event.key];
    player[act](way);
  }
}

// The address of the turn that is shown: on a turn's page that of its page, on the game's page with the turn behind it.
// A turn that follows by itself takes the place of the one before, so that Back leads to where the reader came from.
function settle(turn, instead = false) {
  const { kind } = player.root.dataset;
  const there = kind === "turn" ? player.address("pages", turn) : `${location.pathname}${location.search}#turn-${turn}`;
  if (there === location.pathname + location.search + location.hash) return;
  if (instead || location.hash.startsWith("#turn-")) history.replaceState({ turn }, "", there);
  else history.pushState({ turn }, "", there);
  if (kind === "turn") renew(turn);
}

// The rest of a turn's page: its heading, who is how at its end.
async function renew(turn) {
  player.root.dataset.turn = turn;
  await refresh({ keep: ["board", "log", "player"] });
}

// Go where the address says.
async function follow() {
  const turn = turnInAddress();
  const plays = { "#play": () => player.toggle(), "#whole": watchAll }[location.hash];
  if (plays) {
    history.replaceState(null, "", location.pathname + location.search); // once is enough
    plays();
  } else if (turn === null) {
    player.leave();
  } else if (player.root.dataset.kind === "turn") {
    if (turn !== player.home) {
      await player.open(turn);
      renew(turn);
    }
  } else {
    player.open(turn);
  }
}

function turnInAddress() {
  const found = /#turn-(\d+)$/.exec(location.hash) ?? /\/turns\/(\d+)\/$/.exec(location.pathname);
  return found && Number(found[1]);
}

function mark() {
  const { root } = player;
  root.querySelector("[data-done]").textContent = queue && !queue.whole ? "Skip" : "Done";
  root.querySelector("[data-whole]").setAttribute("aria-pressed", String(Boolean(queue?.whole)));
}
