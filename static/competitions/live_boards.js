// Keeps the boards of a round as they are now: asks for the page once a minute while it is seen. Without it they are as they were.

const EVERY = 60 * 1000; // milliseconds

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function wait() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(renew, EVERY);
}

async function renew() {
  const shown = document.querySelector("[data-live]");
  if (!shown) return;
  try {
    const answer = await fetch(location.pathname);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = answer.ok && page.querySelector("[data-live]");
    if (now && now.innerHTML !== shown.innerHTML && !shown.contains(document.activeElement)) shown.replaceWith(now);
  } catch {
    // There is no connection: it is asked again.
  }
  wait();
}

document.addEventListener("visibilitychange", wait);
wait();
