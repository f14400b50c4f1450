// Saves a drawing while it is drawn, so that nothing is lost: some seconds after the last change, and on leaving. It never overwrites
// what somebody else saved: the two are merged. What cannot be saved is tried again, and kept in this browser meanwhile.
//
// It knows neither page nor network: both are given, with the clock, so that each of its ways is tested without them.

import { isSameDrawn, merged } from "./merge.js";

const PAUSE = 3000; // milliseconds without a change
const LONGEST = 15000; // after the first change, also while more come
const BUSY = 300; // until a stroke may be over
const RETRIES = [2, 5, 10, 20, 40, 60]; // seconds
const RESTS = ["waiting", "refused", "asks", "gone", "out"]; // states in which nothing is planned but what they have planned

export class Saver {
  /** @type {SaverState} */ state = { name: "saved" };
  /** @type {Promise<boolean> | null} */ #sending = null;
  /** @type {SavedDraft | null} */ #heard = null; // what another window has saved, while that cannot be looked at
  /** @type {unknown} */ #timer = null;
  #since = 0; // when what is not saved began
  #tries = 0;

  /** @param {SaverOptions} options */
  constructor({ saved, put, ask, show, tell, kept, copies, isBusy = () => false, clock = browserClock }) {
    this.version = saved.version;
    this.base = saved.value; // what the server has
    this.value = saved.value; // what is drawn
    this.put = put;
    this.ask = ask;
    this.show = show;
    this.tell = tell;
    this.kept = kept;
    this.copies = copies;
    this.isBusy = isBusy;
    this.clock = clock;
    this.isCopied = true;
  }

  get isUnsaved() {
    return !isSameDrawn(this.value, this.base);
  }

  // Something was drawn, or typed.
  /** @param {Drawn} value */
  change(value) {
    this.value = value;
    this.#copy();
    if (this.#sending) return; // what follows is planned then
    if (!this.isUnsaved) return this.#next();
    this.#since ||= this.clock.now();
    if (["waiting", "asks", "gone", "out"].includes(this.state.name)) return; // it is tried again anyway, or a person decides
    this.#become({ name: "changed" });
    this.#plan(Math.max(0, Math.min(PAUSE, this.#since + LONGEST - this.clock.now())));
  }

  // Save now; whether that went well.
  /** @returns {Promise<boolean>} */
  save() {
    if (this.#sending) return this.#sending;
    this.#cancel();
    if (!this.isUnsaved) return Promise.resolve(true);
    return this.#run(() => this.#send());
  }

  // The page is left, and may not come back.
  leave() {
    if (["changed", "waiting", "met"].includes(this.state.name)) this.save();
  }

  // Save until nothing is left that is not; whether that went well.
  async settle() {
    while (this.isUnsaved || this.#sending) if (!(await this.save())) return false;
    return true;
  }

  // Somebody else has saved the draft.
  /** @param {SavedDraft} theirs */
  hear(theirs) {
    if (theirs.version <= this.version || theirs.version <= (this.#heard?.version ?? 0)) return;
    this.#heard = theirs;
    if (!this.#sending) this.#next();
  }

  /** @param {() => Promise<boolean>} work */
  #run(work) {
    this.#sending = work().finally(() => {
      this.#sending = null;
      this.#next();
    });
    return this.#sending;
  }

  // What follows when something was sent, or met.
  #next() {
    const theirs = this.#heard;
    this.#heard = null;
    if (theirs && theirs.version > this.version) return this.#run(() => this.#meet(theirs));
    if (this.isUnsaved) {
      if (!RESTS.includes(this.state.name)) this.#plan(this.state.name === "met" ? 0 : PAUSE);
      return;
    }
    this.copies.drop();
    this.#since = 0;
    this.#cancel();
    this.#become({ name: "saved" });
  }

  async #send() {
    const sent = this.value;
    this.#become({ name: "saving" });
    const answer = await this.put(sent, this.version);
    const { status = 0 } = answer ?? {};
    if (answer && status > 0 && status < 429) this.#tries = 0;
    if (answer?.draft && status === 200) {
      this.version = answer.draft.version;
      this.base = sent;
      this.#since = this.isUnsaved ? this.clock.now() : 0;
      this.#copy();
      this.#become({ name: "changed" });
      this.kept(answer.draft, sent === this.value);
      return true;
    }
    if (answer?.draft && status === 412) return this.#meet(answer.draft);
    if (status === 404) this.#become({ name: "gone" });
    else if (status === 401 || status === 403) this.#become({ name: "out" });
    else if (!answer || status === 429 || status >= 500) this.#retry(answer?.wait ?? 0);
    else this.#become(this.value === sent ? { name: "refused", detail: answer.detail ?? "" } : { name: "changed" });
    return false;
  }

  // Take together what was saved elsewhere and what is drawn here. People are asked where both changed the same.
  /** @param {SavedDraft} theirs @returns {Promise<boolean>} */
  async #meet(theirs) {
    while (this.isBusy()) await new Promise((go) => { this.clock.after(BUSY, () => go(null)); });
    let found = merged(this.base, this.value, theirs.value);
    /** @type {"mine" | "theirs"} */
    let side = "mine";
    const asked = found.clashes.length > 0;
    if (asked) {
      this.#become({ name: "asks" });
      const chosen = await this.ask(found, theirs);
      if (!chosen) return false;
      side = chosen;
      found = merged(this.base, this.value, theirs.value); // it may be another by now
    }
    this.version = theirs.version;
    this.base = theirs.value;
    this.value = found[side];
    this.#copy();
    this.show(this.value);
    this.#become({ name: "met", asked });
    return true;
  }

  /** @param {number} least seconds */
  #retry(least) {
    const pause = Math.max(least, RETRIES[Math.min(this.#tries, RETRIES.length - 1)] ?? 60);
    this.#tries += 1;
    this.#become({ name: "waiting", until: this.clock.now() + pause * 1000 });
    this.#plan(pause * 1000);
  }

  #copy() {
    if (this.isUnsaved) this.isCopied = this.copies.keep(this.value, this.base, this.version);
    else this.copies.drop();
  }

  /** @param {number} pause */
  #plan(pause) {
    this.#cancel();
    this.#timer = this.clock.after(pause, () => {
      if (this.isBusy()) this.#plan(BUSY);
      else this.save();
    });
  }

  #cancel() {
    if (this.#timer !== null) this.clock.cancel(this.#timer);
    this.#timer = null;
  }

  /** @param {SaverState} state */
  #become(state) {
    this.state = state;
    this.tell(state);
  }
}

/** @type {Clock} */
const browserClock = {
  now: () => Date.now(),
  after: (pause, work) => setTimeout(work, pause),
  cancel: (timer) => clearTimeout(/** @type {number} */ (timer)),
};
