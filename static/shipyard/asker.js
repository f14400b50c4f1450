// Asks the server about what is drawn, a moment after the last change, and one question at a time. What comes late, about an older
// drawing, is dropped. Without an answer it says so, and asks again.

const PAUSE = 300; // milliseconds without a change
const AGAIN = 15000; // until it asks again where there was no answer

/** @type {Clock} */
const CLOCK = { now: Date.now, after: (pause, work) => setTimeout(work, pause), cancel: (timer) => clearTimeout(/** @type {number} */ (timer)) };

export class Asker {
  /** @type {Drawn | null} */ #value = null;
  /** @type {unknown} */ #timer = null;
  #asks = false;

  /** @param {{ ask: (value: Drawn) => Promise<{ status: number, wait: number, body: any } | null>, tell: (state: OutlookState) => void, clock?: Clock }} given */
  constructor({ ask, tell, clock = CLOCK }) {
    this.ask = ask;
    this.tell = tell;
    this.clock = clock;
  }

  /** @param {Drawn} value */
  change(value) {
    this.#value = value;
    this.tell({ name: "old" });
    this.#plan(PAUSE);
  }

  // Ask at once: the browser is online again.
  again() {
    if (this.#timer) this.#plan(0);
  }

  /** @param {number} pause */
  #plan(pause) {
    this.clock.cancel(this.#timer);
    this.#timer = this.clock.after(pause, () => {
      this.#timer = null;
      if (!this.#asks) this.#look();
    });
  }

  async #look() {
    const value = this.#value;
    if (!value) return;
    this.#asks = true;
    const answer = await this.ask(value);
    this.#asks = false;
    if (value !== this.#value) return this.#timer ? undefined : this.#plan(0);
    if (answer?.status === 200) return this.tell({ name: "known", outlook: answer.body });
    this.tell({ name: "unknown" });
    const passes = !answer || answer.status === 429 || answer.status >= 500;
    if (passes) this.#plan(answer?.wait ? answer.wait * 1000 : AGAIN);
  }
}
