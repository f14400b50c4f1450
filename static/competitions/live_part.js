// Keeps a part of the page as it is now: the boards of a round, or a search for a game. Asks for the page once a minute while it is seen,
// and when its reader returns. A part that is over shows its template. Without the script, it stays as it was.

const EVERY = 60 * 1000; // milliseconds
const SOON = 1000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {number} time */
function wait(time) {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(renew, time);
}

async function renew() {
  const shown = document.querySelector("[data-live]");
  if (!shown) return;
  const over = /** @type {HTMLTemplateElement | null} */ (shown.querySelector("template"));
  try {
    const answer = await fetch(location.pathname);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = answer.ok && page.querySelector("[data-live]");
    const known = page.querySelector("[data-log-out]"); // else they logged out in another tab, and the search goes on
    if (over && answer.ok && !answer.redirected && known && !now) {
      shown.replaceChildren(over.content); // read out, since the part is a status
      return;
    }
    if (!over && now && now.innerHTML !== shown.innerHTML && !shown.contains(document.activeElement)) shown.replaceWith(now);
  } catch {
    // There is no connection: it is asked again.
  }
  wait(EVERY);
}

document.addEventListener("visibilitychange", () => wait(SOON));
wait(EVERY);
