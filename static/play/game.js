// A game's page: what is pleasant about it with a script. Without one the page shows and takes the same. What one plays with is
// taken after this (move.js), and then the page is live (live.js).

import { listen } from "../site/events.js";
import { whenLaidOut } from "../site/laid.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";
import { bind } from "./bind.js";
import { showCards } from "./cards.js";
import { holdChat } from "../chat/chat.js";
import { showTimes } from "./clock.js";
import { bindCopies } from "../site/clipboard.js";
import { FIELDS } from "./keyboard.js";
import { light } from "./lamps.js";
import { refresh, remember } from "./parts.js";
import { showTabs } from "./tabs.js";
import { giveTips } from "./tips.js";
import { showMine } from "./view.js";

const TURN_DELAY = 1500; // milliseconds in which a turn is mostly played whose orders are all in

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

document.addEventListener("keydown", (event) => {
  const { target } = /** @type {Heard<KeyboardEvent>} */ (event);
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest?.(FIELDS) || document.querySelector("dialog[open]") || !keysOf(event).includes("n")) return;
  document.querySelector("[data-next-game] a")?.click();
});

remember();
bind([
  ["[data-copy]", bindCopies],
  ["[data-chat]", holdChat],
  [".board-view-wide", (view) => whenLaidOut(view, () => showMine(view))],
]);
showTimes();
listen("parts:fresh", () => showTimes());
showCards();
giveTips();
for (const tabs of document.querySelectorAll("[data-tabs]")) showTabs(tabs);

// What was said of the step that led here, or of a form that was refused, is over with the next turn, unless someone is reading it.
const turnNow = () => document.querySelector("[data-stream]")?.dataset.turn; // none on the page of a past turn
let turn = turnNow();
listen("parts:fresh", () => {
  const now = turnNow();
  if (now !== turn) {
    for (const told of document.querySelectorAll(":is([data-refusal], .messages):not(:focus, :focus-within)")) told.remove();
    for (const heard of document.querySelectorAll("[data-announce]")) heard.textContent = "";
  }
  turn = now;
});

listen("stream:ready", ({ turn: open, waiting_for: waiting }) => {
  clearTimeout(soon);
  const mine = light(waiting) && !isSending();
  const { seen } = need(document, "[data-stream]").dataset;
  // Lamps are all that changes, unless what was done was done by me elsewhere, or this page is behind, or the turn is complete and yet
  // is not played at once. What is being sent from here is shown with its answer.
  if (mine || seen !== `running-${open}`) refresh();
  else if (!waiting.length) soon = setTimeout(refresh, TURN_DELAY + Math.random() * TURN_DELAY);
});
listen("stream:turn", () => {
  clearTimeout(soon);
  document.querySelector("[data-all-in]")?.remove(); // its film may begin before the page is drawn again
});
listen("stream:state", ({ state }) => {
  for (const stream of document.querySelectorAll("[data-stream]")) stream.dataset.state = state;
  for (const note of document.querySelectorAll("[data-lost]")) note.hidden = state !== "lost";
});
for (const name of /** @type {const} */ (["turn", "chat", "over", "lobby", "noted"])) {
  // Who shows it in its own way prevents what is done by default, and calls refresh() when that is over. After a turn the page calls its
  // player, seen or not (calls.js).
  const unseen = name === "turn" || name === "over";
  listen(`stream:${name}`, (_, event) => setTimeout(() => event.defaultPrevented || refresh({ unseen })));
}

function isSending() {
  return document.querySelector("form[data-orders][aria-busy=true]") !== null;
}
