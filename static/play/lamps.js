// Who is ready, in place: the lamps of the crew and their sum change at once, without anything being fetched.

import { gettext } from "../site/words.js";

// Says whether mine has changed.
/** @param {string[]} waitingFor */
export function light(waitingFor) {
  let mine = false;
  for (const mate of document.querySelectorAll("[data-mate]")) {
    const lamp = mate.querySelector("[data-lamp]");
    if (!lamp || lamp.classList.contains("is-out")) continue;
    const waiting = waitingFor.includes(mate.dataset.mate);
    mine ||= mate.matches(".is-me") && waiting !== lamp.classList.contains("is-waiting");
    lamp.classList.toggle("is-waiting", waiting);
    lamp.classList.toggle("is-ready", !waiting);
    const text = mate.querySelector("[data-lamp-text]");
    if (text) text.textContent = waiting ? gettext("not ready") : gettext("ready");
    const time = mate.querySelector("[data-mate-time]");
    if (time) time.hidden = !waiting;
  }
  for (const count of document.querySelectorAll("[data-ready]")) {
    const { of } = count.dataset;
    count.textContent = gettext("{number} of {all} ready", { number: Number(of) - waitingFor.length, all: of });
  }
  return mine;
}
