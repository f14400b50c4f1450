// A clock set forward by hand. Timers run in order of their times.
export class HandClock {
  time = 1000;
  #due = new Map();
  #last = 0;

  now = () => this.time;
  after = (pause, work) => {
    this.#due.set((this.#last += 1), { at: this.time + pause, work });
    return this.#last;
  };
  cancel = (timer) => this.#due.delete(timer);

  async pass(milliseconds) {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.#due].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
      if (!next) break;
      this.#due.delete(next[0]);
      this.time = next[1].at;
      next[1].work();
      await settled();
    }
    this.time = end;
    await settled();
  }
}

export const settled = () => new Promise((done) => { setImmediate(done); });
