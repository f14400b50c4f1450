// The deadline in the reader's own time zone, and how much time is left, which counts down by itself. It is not a live region: whoever
// listens to the page is told when they ask, and not every minute.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function showTimes(root = /** @type {ParentNode} */ (document)) {
  for (const time of root.querySelectorAll("time[data-clock]")) {
    time.textContent = new Date(time.dateTime).toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
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
    time.classList.toggle("is-short", seconds < (Number(time.dataset.short) || HOUR));
    if (seconds > 0) setTimeout(tick, seconds < 10 * MINUTE ? 1000 : 20_000);
  }
}

// As the server says it, but that the last minutes have seconds.
/** @param {number} seconds */
export function left(seconds) {
  if (seconds <= 0) return "time is up";
  if (seconds < 10 * MINUTE) return `${Math.floor(seconds / MINUTE)}:${String(Math.floor(seconds % MINUTE)).padStart(2, "0")} left`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min left`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min left`;
  const days = Math.floor(seconds / DAY);
  const counted = days === 1 ? "1 day" : `${days} days`;
  return days < 3 ? `${counted} ${Math.floor((seconds % DAY) / HOUR)} h left` : `${counted} left`;
}
