// Asks now and then whether the page is out of date, and whom the game waits for. Asks nothing while nobody looks.

const SECONDS = 10;

export function feelPulse(news) {
  const address = new URL(news.dataset.pulse, location.href);
  address.searchParams.set("seen", news.dataset.seen);
  let asking = false;
  let timer = 0;

  async function ask() {
    if (asking || document.hidden) return;
    asking = true;
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      if (answer.ok) show(await answer.json());
      else if (answer.status === 404) stop();
    } catch {
      // no connection just now: the next time will do
    } finally {
      asking = false;
    }
  }

  function show(pulse) {
    for (const mate of document.querySelectorAll("[data-mate]")) light(mate, pulse.waiting_for);
    if (!pulse.news) return;
    news.querySelector("[data-news-text]").textContent = pulse.news;
    const message = news.querySelector("[data-news]");
    if (!message.hidden) return;
    for (const other of news.querySelectorAll(".message")) other.hidden = true;
    message.hidden = false;
    document.title = `● ${document.title}`;
    stop();
  }

  function stop() {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  }

  const link = news.querySelector("[data-news-link]");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    location.replace(link.href); // the same address but for the fragment: it has to be loaded all the same
    location.reload();
  });
  timer = setInterval(ask, SECONDS * 1000);
  document.addEventListener("visibilitychange", ask);
}

function light(mate, waitingFor) {
  const lamp = mate.querySelector("[data-lamp]");
  if (!lamp || lamp.classList.contains("is-out")) return;
  const waiting = waitingFor.includes(mate.dataset.mate);
  lamp.classList.toggle("is-waiting", waiting);
  lamp.classList.toggle("is-ready", !waiting);
  const text = mate.querySelector("[data-lamp-text]");
  if (text) text.textContent = waiting ? "not ready" : "ready";
}
