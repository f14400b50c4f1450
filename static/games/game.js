// A game's page: what is pleasant about it with a script. Without one the page shows and takes the same.

import { showCards } from "./cards.js";
import { holdChat } from "./chat.js";
import { showTimes } from "./clock.js";
import { bindCopies } from "./copy.js";
import { showHeadings } from "./facing.js";
import { light } from "./lamps.js";
import { takeOrders } from "./orders.js";
import { refresh, remember } from "./parts.js";
import { playBack } from "./player.js";
import { showSpots } from "./spots.js";
import { follow } from "./stream.js";
import { showTabs } from "./tabs.js";
import { giveTips } from "./tips.js";
import { showMine } from "./view.js";

const BINDINGS = [
  ["form[data-orders]", takeOrders],
  ["[data-spots]", showSpots],
  ["[data-headings]", showHeadings],
  ["[data-player]", playBack],
  ["[data-copy]", bindCopies],
  ["[data-chat]", holdChat],
  [".board-view-wide", showMine],
];

remember();
bind([document]);
showCards();
giveTips();
for (const tabs of document.querySelectorAll("[data-tabs]")) showTabs(tabs);
for (const stream of document.querySelectorAll("[data-stream]")) follow(stream);

document.addEventListener("parts:fresh", ({ detail }) => {
  bind(detail.names.map((name) => document.querySelector(`[data-part="${CSS.escape(name)}"]`)).filter(Boolean));
});

document.addEventListener("stream:ready", ({ detail }) => {
  const mine = light(detail.waiting_for);
  const { seen } = document.querySelector("[data-stream]").dataset;
  // Lamps are all that changes, unless the turn is complete, or what was done was done by me elsewhere, or this page is behind.
  if (mine || !detail.waiting_for.length || seen !== `running-${detail.turn}`) refresh();
});
document.addEventListener("stream:state", ({ detail }) => {
  for (const stream of document.querySelectorAll("[data-stream]")) stream.dataset.state = detail.state;
  for (const note of document.querySelectorAll("[data-lost]")) note.hidden = detail.state !== "lost";
});
for (const name of ["turn", "chat", "over", "lobby", "noted"]) {
  // Who shows it in its own way prevents what is done by default, and calls refresh() when that is over.
  document.addEventListener(`stream:${name}`, (event) => setTimeout(() => event.defaultPrevented || refresh()));
}

function bind(roots) {
  for (const root of roots) {
    showTimes(root);
    for (const [selector, take] of BINDINGS) for (const element of root.querySelectorAll(selector)) take(element);
  }
}
