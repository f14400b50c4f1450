// Asks now and then whether the page is out of date, and whom the game waits for. Asks nothing while nobody looks.
// Whoever has just given the last orders need not click: the turn is played as soon as it is there. A lobby is freshened in
// place: `freshen` gets the page's address, and says whether that could be done.

const SECONDS = 10;
const SECONDS_IN_LOBBY = 4;
const EAGER = { seconds: 1, times: 25 };

export function feelPulse(news, freshen) {
  const address = new URL(news.dataset.pulse, location.href);
  address.searchParams.set("seen", news.dataset.seen);
  const link = news.querySelector("[data-news-link]");
  let eager = "eager" in news.dataset ? EAGER.times : 0;
  let asking = false;
  let timer = 0;

  async function ask() {
    if (asking || document.hidden) return;
    asking = true;
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      if (answer.ok) await show(await answer.json());
      else if (answer.status === 404) stop();
    } catch {
      // no connection just now: the next time will do
    } finally {
      asking = false;
    }
  }

  function show(pulse) {
    for (const mate of document.querySelectorAll("[data-mate]")) light(mate, pulse.waiting_for);
    if (pulse.left) for (const time of document.querySelectorAll(".deadline [data-until]")) time.textContent = pulse.left;
    if (!pulse.news) return;
    if (freshen) return renew(pulse);
    stop();
    if (eager) return follow();
    for (const other of news.querySelectorAll(".message")) other.hidden = true;
    news.querySelector("[data-news-text]").textContent = pulse.news;
    news.querySelector("[data-news]").hidden = false;
    document.title = `● ${document.title}`;
  }

  async function renew(pulse) {
    const page = new URL(link.href);
    page.hash = "";
    if (!(await freshen(page))) return follow();
    address.searchParams.set("seen", pulse.version);
  }

  // To the same address but for its fragment: it has to be loaded all the same.
  function follow() {
    history.replaceState(null, "", link.href);
    location.reload();
  }

  function wait() {
    timer = setTimeout(async () => {
      if (eager) eager -= 1;
      await ask();
      if (timer) wait();
    }, pause() * 1000);
  }

  function pause() {
    if (eager) return EAGER.seconds;
    return freshen ? SECONDS_IN_LOBBY : SECONDS;
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    document.removeEventListener("visibilitychange", ask);
  }

  link.addEventListener("click", (event) => {
    event.preventDefault();
    follow();
  });
  document.addEventListener("visibilitychange", ask);
  wait();
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
