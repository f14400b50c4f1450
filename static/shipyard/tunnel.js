// Follows a run of the wind tunnel, or a search for a ship: asks the API every two seconds while the page is seen, and fetches what the
// page tells of it when there is more to tell. Without it the page shows how far it was.

import { need } from "../site/need.js";

const SECOND = 1000;
const EVERY = 2 * SECOND;

class Tunnel {
  constructor() {
    this.mark = "";
    this.judged = -1;
    this.tried = -1;
    this.flown = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("pageshow", () => this.wake());
    addEventListener("online", () => this.wake());
  }

  get part() {
    return need(document, "[data-tunnel]");
  }

  wake() {
    clearTimeout(this.timer);
    if (!document.hidden && this.part.dataset.followed) this.timer = setTimeout(() => this.ask(), 0);
  }

  async ask() {
    clearTimeout(this.timer);
    try {
      const answer = await fetch(this.part.dataset.followed, { headers: this.mark ? { "If-None-Match": this.mark } : {} });
      if (answer.ok) {
        this.mark = answer.headers.get("ETag") ?? "";
        await this.tell(await answer.json());
      }
    } catch {
      // There is no connection: it is asked again.
    }
    if (!document.hidden && this.part.dataset.followed) this.timer = setTimeout(() => this.ask(), EVERY);
  }

  // The fixes of a run that is over are followed too.
  /** @param {{status: string, flown: number, progress?: number, ships?: number, report: {flown: number} | null, fixes_under_way?: number}} run */
  async tell({ status, flown, progress, ships, report, fixes_under_way: tried = 0 }) {
    const judged = report?.flown ?? ships ?? 0;
    const isOver = status !== "waiting" && status !== "flying" && !tried;
    if (isOver || (this.judged >= 0 && judged !== this.judged) || (this.tried >= 0 && tried !== this.tried) || status !== this.part.dataset.state) await this.renew();
    else if (this.flown >= 0 && flown !== this.flown) await this.renew("[data-wins]");
    [this.judged, this.tried, this.flown] = [judged, tried, flown];
    if (!this.part.dataset.followed || !this.part.querySelector("progress")) return;
    need(this.part, "progress").setAttribute("value", String(progress ?? flown));
    need(this.part, "[data-flown]").textContent = String(flown);
  }

  // Puts in what the page says now: all of it, or one part.
  async renew(selector = "") {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [before, after] = selector ? [this.part.querySelector(selector), page.querySelector(selector)] : [];
    if (selector) {
      if (before && after) before.replaceWith(document.adoptNode(after));
      return;
    }
    const layer = this.part.querySelector("[name=layer]:checked")?.getAttribute("value");
    this.part.replaceWith(document.adoptNode(need(page, "[data-tunnel]")));
    const same = this.part.querySelector(`[name=layer][value="${layer}"]`);
    if (same instanceof HTMLInputElement) same.checked = true;
  }
}

new Tunnel().wake();
