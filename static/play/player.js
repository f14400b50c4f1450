// When films are played: what was missed is offered first, a turn that is resolved while one looks is played at once, keys and
// addresses lead to any turn. After a film of what has just come the page's parts are drawn again: then the new hand is there.

import { listen } from "../site/events.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";
import { gettext } from "../site/words.js";
import { TYPED } from "./keyboard.js";
import { refresh } from "./parts.js";
import { ask } from "./ask.js";
import { Projector } from "./projector.js";

const PRESSED = "button, a, summary, input, [role=tab]"; // what Space is for already
const SETTLED = 300; // milliseconds that a film stands still: browsers refuse an address for each step of a key that is held
/** @type {Record<string, (() => unknown) | undefined>} */
const KEYS = {
  ",": () => player.step(-1),
  ".": () => player.step(1),
  "[": () => player.stepPhase(-1),
  "]": () => player.stepPhase(1),
};

/** @type {Projector} */
let player; // from the first playBack on
/** @type {{ next: number, last: number, whole?: boolean } | null} */
let queue = null; // { next, last, whole } while turns are played one after another: those missed, or a `whole` game
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling; // until the address names the instant that is shown
/** @type {Promise<unknown> | null} */
let noting = null; // the note of what was seen, on its way to the server

/** @param {Part} root */
export function playBack(root) {
  const known = player !== undefined;
  player ??= new Projector();
  player.bind(root);
  need(root, "[data-whole]").addEventListener("click", () => (queue?.whole ? stop() : watchAll()));
  if (known) return;
  document.addEventListener("keydown", press);
  document.addEventListener("click", click);
  listen("stream:turn", arrive);
  document.addEventListener("submit", skip);
  listen("film:watched", watched);
  listen("film:jump", ({ turn }) => { stop(); settle(turn); });
  listen("film:still", () => {
    clearTimeout(settling);
    settling = setTimeout(() => { if (player.turn === turnInAddress()) settle(player.turn); }, SETTLED);
  });
  listen("film:end", leave);
  addEventListener("popstate", () => { stop(); follow(); });
  follow();
}

// Play turns one after another, and draw the page again after the last. Who leaves them has seen enough of them.
/** @param {number} first @param {number} last */
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
  const mine = queue;
  if (!mine || mine.next > mine.last) return player.leave();
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

/** @param {{ turn: number }} detail @param {Event} event */
function watched({ turn }, event) {
  if (queue?.whole || turn !== queue?.last) noteSeen(turn); // the last one is noted as the page is drawn again (leave)
  if (!queue || turn !== queue.next - 1) return;
  event.preventDefault();
  queueMicrotask(advance); // once all have heard of it
}

// A turn was resolved while the page is open.
/** @param {{ turn: number }} detail @param {Event} event */
function arrive({ turn }, event) {
  const free = !(document.hidden || player.film || isBusy());
  if (!queue && !free) return; // the page's parts are drawn again, and offer it
  event.preventDefault();
  player.reach(turn);
  if (queue) queue.last = Math.max(queue.last, turn);
  else watch(turn, turn);
}

// Someone is filling something in. Orders that are on their way are filled in already.
function isBusy() {
  const writes = document.activeElement?.matches(TYPED) && /** @type {Part} */ (document.activeElement).value;
  return Boolean(writes) || document.querySelector("dialog[open], form[data-orders].is-changed:not([aria-busy=true])") !== null;
}

// The board is the page's own again: what has come meanwhile is shown now.
async function leave() {
  const news = queue && !queue.whole ? queue : null;
  const note = news && noteOf(news.last);
  stop();
  showBoard();
  if (player.root.dataset.kind === "turn") history.replaceState(null, "", addressNow(player.home));
  else if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  await noting; // else the page would offer what was just watched
  await refresh({ note });
  const narrow = matchMedia("(width < 64rem)").matches;
  const card = news && document.querySelector("[data-recap]");
  if (card) recap(card, narrow);
  else if (narrow) (document.querySelector(".lesson-hints") ?? need(document, "[data-board]")).scrollIntoView({ block: "end" });
  else showBoard(); // where it is narrow, what the turn has led to is said above the board, and how to go on below it
  if (news && !card && isFocusFree()) document.getElementById("panel-title")?.focus({ preventScroll: true });
}

// Whether the focus is nowhere, at the film's own buttons, or where it waits for the next turn.
function isFocusFree() {
  const focus = document.activeElement;
  return !focus?.checkVisibility({ visibilityProperty: true }) || focus.matches("body, #panel-title, [data-play], [data-done]");
}

// What the turn did to the reader's robot, unfolded where there is room beside the board; how the game ended, which stands with the
// way on above the board. The focus goes there if it is free; else it is read out.
/** @param {Part} card @param {boolean} narrow */
function recap(card, narrow) {
  for (const more of card.querySelectorAll("details")) more.open = !narrow;
  const end = document.querySelector(".lesson:is(.is-won, .is-lost)") ?? document.querySelector(".result");
  if (end) (document.querySelector(".result") ?? end).scrollIntoView({ block: narrow ? "start" : "nearest" });
  else card.scrollIntoView({ block: narrow ? "end" : "nearest" });
  const title = need(end ?? card, "h2, .result-line");
  if (isFocusFree()) title.focus({ preventScroll: true });
  else player.announce(title.innerText);
}

// Bring the board into view: where it is narrow, a dock or the card of what was earned may cover it now. The root's scroll-padding
// leaves room for them.
function showBoard() {
  document.querySelector("[data-board]")?.scrollIntoView({ block: "nearest" });
}

// What was seen is noted, as far as nothing is left out: only what comes next after what was seen before, unless it was skipped.
/** @param {number} turn */
function noteSeen(turn) {
  const note = noteOf(turn);
  if (note) noting = ask(note.address, { method: "POST", body: note.body, keepalive: true });
}

// The note to be sent; null where there is nothing to note.
/** @param {number} turn */
function noteOf(turn) {
  const form = document.querySelector("[data-seen-turn]");
  const before = Number(form?.dataset.seenTurn);
  if (!form || turn <= before || ((!queue || queue.whole) && turn !== before + 1)) return null;
  form.dataset.seenTurn = String(turn);
  const body = new FormData(/** @type {any} */ (form));
  body.set("turn", String(turn));
  return { address: form.action, body };
}

/** @param {Heard<SubmitEvent>} event */
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

/** @param {Heard<MouseEvent>} event */
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
    const { turnLink, at } = link.dataset;
    player.jump(Number(turnLink), at ? (film) => film.positionOf(at) : 0);
  }
}

/** @param {Heard<KeyboardEvent>} event */
function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED)) return;
  if (player.root.hidden || document.querySelector("dialog[open]")) return;
  if (event.key === " ") {
    if (event.target.closest?.(PRESSED)) return;
    event.preventDefault();
    return player.toggle();
  }
  const act = keysOf(event).map((key) => KEYS[key]).find(Boolean);
  if (!act) return;
  event.preventDefault();
  act();
}

// The address of the turn that is shown: on a turn's page that of its page and of the instant, on the game's page with the turn behind
// it. Another instant of the same turn is no other page to go back to. A turn that follows by itself takes the place of the one before, so that Back leads to where the reader came from.
/** @param {number} turn @param {boolean} [instead] */
function settle(turn, instead = false) {
  const { kind } = player.root.dataset;
  const there = kind === "turn" ? addressNow(turn) : `${location.pathname}${location.search}#turn-${turn}`;
  if (there === location.pathname + location.search + location.hash) return;
  const same = kind === "turn" && turn === turnInAddress();
  if (same || instead || location.hash.startsWith("#turn-")) history.replaceState({ turn }, "", there);
  else history.pushState({ turn }, "", there);
  if (kind === "turn" && !same) renew(turn);
}

/** @param {number} turn */
function addressNow(turn) {
  const { film, position, playing } = player;
  const there = new URL(player.address("pages", turn), location.href);
  if (film?.turn === turn && position > 0 && !playing) there.searchParams.set("at", film.nameOf(position));
  return there.pathname + there.search;
}

// The rest of a turn's page: its heading, who is how at its end.
/** @param {number} turn */
async function renew(turn) {
  player.root.dataset.turn = String(turn);
  await refresh({ keep: ["board", "log", "player"] });
}

// Go where the address says.
async function follow() {
  const turn = turnInAddress();
  const plays = location.hash === "#play" ? () => player.toggle() : location.hash === "#whole" ? watchAll : null;
  if (plays) {
    history.replaceState(null, "", location.pathname + location.search); // once is enough
    plays();
  } else if (turn === null) {
    player.leave();
  } else if (player.root.dataset.kind === "turn") {
    const at = new URLSearchParams(location.search).get("at");
    const moved = turn !== player.home;
    if (at) await player.jump(turn, (film) => film.positionOf(at));
    else if (moved) await player.open(turn);
    if (moved) renew(turn);
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
  need(root, "[data-done]").textContent = queue && !queue.whole ? gettext("Skip") : gettext("Done");
  need(root, "[data-whole]").setAttribute("aria-pressed", String(Boolean(queue?.whole)));
}
