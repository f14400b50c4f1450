// A game's page: what is pleasant about it with a script. Without one the page shows and takes the same.

import { showCards } from "./cards.js";
import { takeOrders } from "./orders.js";
import { playBack } from "./player.js";
import { freshen } from "./lobby.js";
import { feelPulse } from "./pulse.js";
import { showSpots } from "./spots.js";

for (const form of document.querySelectorAll("form[data-orders]")) takeOrders(form);
for (const group of document.querySelectorAll("[data-spots]")) showSpots(group);
for (const player of document.querySelectorAll("[data-player]")) playBack(player);
for (const news of document.querySelectorAll("[data-pulse]")) feelPulse(news, "lobby" in news.dataset ? freshen : null);
showCards();

for (const field of document.querySelectorAll("[data-copy]")) {
  const button = field.querySelector("[data-copy-button]");
  const text = field.querySelector("input");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.value);
    button.textContent = "Copied";
  });
  text.addEventListener("focus", () => text.select());
}

// A board wider than the screen is shown from where my robot is.
for (const view of document.querySelectorAll(".board-view-wide")) {
  const mine = document.querySelector(".mate.is-me")?.dataset.mate;
  const robot = mine && view.querySelector(`.robot[data-robot="${CSS.escape(mine)}"]`);
  if (!robot || view.scrollWidth <= view.clientWidth) continue;
  const [box, frame] = [robot.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollLeft += box.left - frame.left - frame.width / 2;
  view.scrollTop += box.top - frame.top - frame.height / 2;
}
