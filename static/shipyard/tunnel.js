// Follows a run of the wind tunnel, or a search for a ship: asks the API every two seconds while the page is seen, and fetches what the
// page tells of it when there is more to tell. Without it the page shows how far it was.

import { need } from "../site/need.js";

const SECOND = 1000;
const EVERY = 2 * SECOND;

class Tunnel {
  constructor() {
    this.mark = "";
    this.judged = -1;
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

  /** @param {{status: string, flown: number, progress?: number, ships?: number, report: {flown: number} | null}} run */
  async tell({ status, flown, progress, ships, report }) {
    const judged = report?.flown ?? ships ?? 0;
    const underWay = status === "waiting" || status === "flying";
    if (!underWay || (this.judged >= 0 && judged !== this.judged) || status !== this.part.dataset.state) await this.renew();
    this.judged = judged;
    if (!this.part.dataset.followed) return;
    need(this.part, "progress").setAttribute("value", String(progress ?? flown));
    need(this.part, "[data-flown]").textContent = String(flown);
  }

  // Puts in what the page says now.
  async renew() {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const layer = this.part.querySelector("[name=layer]:checked")?.getAttribute("value");
    this.part.replaceWith(document.adoptNode(need(page, "[data-tunnel]")));
    const same = this.part.querySelector(`[name=layer][value="${layer}"]`);
    if (same instanceof HTMLInputElement) same.checked = true;
  }
}

new Tunnel().wake();
