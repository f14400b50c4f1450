// Tells the page what is new in a game, as events on the document (stream:… in site/events.js). It knows nothing of the page but the
// element [data-stream], whose attributes say how far the page is; what the page knows already it is not told again.
//
// The server's stream tells at once. Where none comes through, the address in data-pulse is asked now and then, and the stream tried again.

import { emit } from "../site/events.js";
import { isSamePerson } from "../site/person.js";
import { ask } from "./ask.js";

const SECOND = 1000;
const OPENING_TIMEOUT = 8 * SECOND; // a stream says something at once; what is silent for longer does not come through
const MAX_FAILURES = 3; // streams that fail one after another until the page asks instead
const REOPEN_AFTER = 60 * SECOND; // until a stream is tried again
const POLL_INTERVAL = 5 * SECOND;
const DOZE_AFTER = 20 * SECOND; // a browser has few connections for a site: who looks elsewhere needs none of them
const HIDDEN_POLL_INTERVAL = 60 * SECOND;
const SLEEP_AFTER = 60 * 60 * SECOND; // hidden for so long, nothing is asked any more

/** @param {Part} element */
export function follow(element) {
  new Stream(element).wake();
}

class Stream {
  /** @param {Part} element */
  constructor(element) {
    this.page = element.dataset;
    this.source = null;
    this.failures = 0;
    this.state = "";
    this.hiddenSince = 0;
    /** @type {Record<string, ReturnType<typeof setTimeout> | null>} */
    this.timers = {};
    document.addEventListener("visibilitychange", () => (document.hidden ? this.doze() : this.wake()));
    addEventListener("online", () => this.wake());
    addEventListener("pagehide", () => this.rest());
    addEventListener("pageshow", ({ persisted }) => persisted && this.wake());
  }

  // Catch up, whatever was before.
  wake() {
    if (this.hiddenSince && !this.source) isSamePerson();
    this.hiddenSince = 0;
    this.rest();
    this.failures = 0;
    if (document.hidden) this.doze();
    this.open();
  }

  doze() {
    this.hiddenSince ||= Date.now();
    this.after("doze", DOZE_AFTER, () => {
      this.rest();
      this.after("ask", HIDDEN_POLL_INTERVAL, () => this.ask());
    });
  }

  rest() {
    this.close();
    for (const name of Object.keys(this.timers)) this.after(name, 0, null);
  }

  /** @param {string} name @param {number} wait @param {(() => void) | null} act */
  after(name, wait, act) {
    clearTimeout(this.timers[name] ?? undefined);
    this.timers[name] = act && setTimeout(act, wait);
  }

  // --- The stream

  open() {
    this.close();
    const address = new URL(this.page.stream, location.href);
    address.searchParams.set("after", this.page.cursor);
    const source = new EventSource(address);
    this.source = source;
    let fresh = true; // what comes first is what happened meanwhile, and then how things are
    let turned = false;
    /** @param {string} name @param {(data: any) => void} act */
    const on = (name, act) =>
      source.addEventListener(name, ({ data, lastEventId }) => {
        this.page.cursor = lastEventId;
        act(JSON.parse(data));
      });
    const settled = () => {
      fresh = false;
      this.after("opening", 0, null);
      this.after("ask", 0, null);
      this.failures = 0;
      this.is("live");
    };
    on("turn", (turn) => {
      turned = fresh;
      emit("stream:turn", turn);
    });
    on("chat", (line) => emit("stream:chat", line));
    on("ready", (ready) => {
      this.ready(ready, { quietly: fresh && turned });
      settled();
    });
    on("over", (over) => {
      this.over("over", over);
      settled();
    });
    on("lobby", () => {
      emit("stream:lobby", {});
      settled();
    });
    on("end", () => this.end());
    source.addEventListener("error", () => this.fail(source));
    this.after("opening", OPENING_TIMEOUT, () => this.fail(source));
  }

  // The reader may have been logged out meanwhile: a public game would go on under the last person's page.
  async reopen() {
    if (await isSamePerson()) this.open();
  }

  close() {
    this.source?.close();
    this.source = null;
    this.after("opening", 0, null);
  }

  /** @param {EventSource} source */
  fail(source) {
    if (source !== this.source) return;
    this.close();
    this.failures += 1;
    if (this.failures < MAX_FAILURES) {
      this.after("open", (this.failures - Math.random() / 2) * SECOND, () => this.reopen());
      if (this.failures > 1 && this.state === "live") this.is("lost"); // streams end by themselves now and then
    } else {
      this.after("open", REOPEN_AFTER, () => this.reopen());
      if (!this.timers["ask"] || this.failures === MAX_FAILURES) this.ask();
    }
  }

  // The reader has lost the right to look, or logged out. Without it, the page says so when it loads again.
  async end() {
    this.rest();
    if (!(await isSamePerson())) return;
    this.after("open", SECOND, () => this.open());
    await this.ask();
  }

  // --- Asking instead

  async ask() {
    if (this.hiddenSince && Date.now() - this.hiddenSince > SLEEP_AFTER) return;
    this.after("ask", this.hiddenSince ? HIDDEN_POLL_INTERVAL : POLL_INTERVAL, () => this.ask());
    const address = new URL(this.page.pulse, location.href);
    address.searchParams.set("seen", this.page.seen);
    const answer = await ask(address);
    if (answer?.status === 404) {
      this.rest();
      return location.reload(); // which says that there is nothing to see
    }
    if (this.state === "live" && this.source) return; // the stream was quicker
    const pulse = answer?.ok && answer.body;
    if (pulse && this.state === "lost") this.after("open", SECOND, () => this.open()); // the server is back
    this.is(pulse ? "polling" : "lost");
    if (pulse) this.emitChanges(pulse);
  }

  /** @param {Pulse} pulse */
  emitChanges({ cursor, version, status, turn, played, waiting_for, noted, winner }) {
    const [seq, line] = cursor.split("-").map(Number);
    const [read, heard] = this.page.cursor.split("-").map(Number);
    this.page.cursor = cursor;
    if (seq > read) emit("stream:turn", { turn: played, seq });
    if (line > heard) emit("stream:chat", { id: line });
    if (status === "running") this.ready({ turn, waiting_for, noted }, { quietly: seq > read });
    else if (status !== "open") this.over(status, { winner });
    else if (version !== this.page.seen) {
      this.page.seen = version;
      emit("stream:lobby", {});
    }
  }

  // --- What is new to the page

  /** @param {Ready} ready @param {{ quietly: boolean }} how */
  ready(ready, { quietly }) {
    const { turn, waiting, noted } = this.page;
    [this.page.turn, this.page.waiting, this.page.noted] = [String(ready.turn), ready.waiting_for.join(), ready.noted ?? noted];
    if (quietly) return;
    if (turn !== this.page.turn || waiting !== this.page.waiting) emit("stream:ready", ready);
    if (noted !== undefined && noted !== this.page.noted) emit("stream:noted", {});
  }

  /** @param {string} status @param {{ winner?: string | null }} over */
  over(status, over) {
    const before = this.page.status;
    this.page.status = status;
    if (before !== "over" && before !== "cancelled") emit("stream:over", over);
  }

  /** @param {"live" | "polling" | "lost"} state */
  is(state) {
    if (state === this.state) return;
    this.state = state;
    emit("stream:state", { state });
  }
}
