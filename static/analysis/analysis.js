// Follows an analysis: asks the API every two seconds while the page is seen, and fetches the page again when more turns are reviewed.
// Without it, the page shows how far the analysis was.

import { need } from "../site/need.js";

const EVERY = 2000;

class Follower {
  constructor() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("pageshow", () => this.wake());
    addEventListener("online", () => this.wake());
  }

  get part() {
    return /** @type {HTMLElement} */ (need(document, "[data-analysis]"));
  }

  wake(after = 0) {
    clearTimeout(this.timer);
    if (!document.hidden && this.part.dataset.followed) this.timer = setTimeout(() => this.ask(), after);
  }

  async ask() {
    try {
      const answer = await fetch(this.part.dataset.followed ?? "");
      if (answer.ok) {
        const { status, reviewed } = await answer.json();
        if (`${status}-${reviewed}` !== this.part.dataset.state) await this.renew();
      }
    } catch {
      // There is no connection: it is asked again.
    }
    this.wake(EVERY);
  }

  // Puts in what the page says now. Turns that the reader has opened stay open.
  async renew() {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = document.adoptNode(need(page, "[data-analysis]"));
    for (const open of this.part.querySelectorAll("details[open]")) {
      const turn = open.getAttribute("data-turn");
      next.querySelector(`details[data-turn="${turn}"]`)?.setAttribute("open", "");
    }
    this.part.replaceWith(next);
  }
}

new Follower().wake();
