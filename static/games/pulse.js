// Asks now and then what is new in a game, and tells it by the events of a stream. Asks nothing while nobody looks.

const SECONDS = 4;

export function feelPulse(stream) {
  const address = new URL(stream.dataset.pulse, location.href);
  let waiting = null;
  let timer = 0;

  async function ask() {
    if (document.hidden) return;
    address.searchParams.set("seen", stream.dataset.seen);
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (answer?.status === 404) stop();
    if (answer?.ok) tell(await answer.json());
  }

  function tell(pulse) {
    const status = pulse.version.split("-")[0];
    if (pulse.version !== stream.dataset.seen) {
      stream.dataset.seen = pulse.version;
      if (status === "open") say("lobby", {});
      else if (status === "running") say("turn", { turn: Number(pulse.version.split("-")[1]) });
      else say("over", {});
    } else if (waiting !== null && waiting !== pulse.waiting_for.join()) {
      say("ready", { waiting_for: pulse.waiting_for });
    }
    waiting = pulse.waiting_for.join();
    if (status === "over" || status === "cancelled") stop();
  }

  function say(name, detail) {
    document.dispatchEvent(new CustomEvent(`stream:${name}`, { detail, cancelable: true }));
  }

  function stop() {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  }

  timer = setInterval(ask, SECONDS * 1000);
  document.addEventListener("visibilitychange", ask);
}
