// The deadline in the reader's own time zone, and how much time is left, which counts down by itself. It is not a live region: anyone who
// listens to the page is told when they ask, and not every minute.

import { dayAndTime, gettext, ngettext } from "../site/words.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function showTimes(root = /** @type {ParentNode} */ (document)) {
  for (const time of root.querySelectorAll("time[data-clock]")) {
    time.textContent = dayAndTime(new Date(time.dateTime));
  }
  for (const time of root.querySelectorAll("time[data-until]")) count(time);
}

/** @param {Part} time */
function count(time) {
  if (time.dataset.counts) return;
  time.dataset.counts = "";
  tick();

  function tick() {
    if (!time.isConnected) return;
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
    const text = left(seconds);
    if (time.textContent !== text) time.textContent = text;
    time.classList.toggle("is-up", seconds <= 0);
    time.classList.toggle("is-short", seconds < (Number(time.dataset.short) || HOUR));
    if (seconds > 0) setTimeout(tick, seconds < 10 * MINUTE ? 1000 : 20_000);
  }
}

// As the server says it, but that the last minutes have seconds.
/** @param {number} seconds */
export function left(seconds) {
  if (seconds <= 0) return gettext("time is up");
  const minutes = Math.floor(seconds / MINUTE);
  if (minutes < 10) return gettext("{time} left", { time: `${minutes}:${String(Math.floor(seconds % MINUTE)).padStart(2, "0")}` });
  if (seconds < HOUR) return gettext("{minutes} min left", { minutes });
  const hours = Math.floor(seconds / HOUR);
  if (seconds < DAY) return gettext("{hours} h {minutes} min left", { hours, minutes: minutes % 60 });
  const days = Math.floor(seconds / DAY);
  if (days < 3) return ngettext("{number} day {hours} h left", "{number} days {hours} h left", days, { hours: hours % 24 });
  return ngettext("{number} day left", "{number} days left", days);
}
