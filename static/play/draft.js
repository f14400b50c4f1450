// Drafts: what is laid is kept on the server a moment after each change, so that it can be finished at another device. The panel says
// so, and never lets it be mistaken for orders. What the server has not got yet, this window holds (stash.js).

import { listen } from "../site/events.js";
import { need } from "../site/need.js";
import { clockTime, gettext } from "../site/words.js";
import { ask } from "./ask.js";
import { notice, reasons } from "./notice.js";
import { sendTurn } from "./order_calls.js";
import { refresh } from "./parts.js";
import { contents } from "./registers.js";
import { leftOver, stash, stashed, unstash } from "./stash.js";

const PAUSE = 700; // milliseconds without a change before a draft is sent
const ELSEWHERE = gettext("You submitted other orders in another window, and those count. The chips on this page are not submitted.");

/** @type {Draft | null} */
let draft = null; // that of the form on the page

/** @param {Part} form @param {Registers} registers */
export function keepDraft(form, registers) {
  draft?.stop();
  draft = new Draft(form, registers);
}

class Draft {
  /** @param {Part} form @param {Registers} registers */
  constructor(form, registers) {
    this.form = form;
    this.registers = registers;
    this.server = contents(form); // what the server has, as a draft or as orders
    this.timer = 0;
    /** @type {Promise<Answer | null> | null} */
    this.sending = null; // a draft on its way
    listen("orders:change", () => this.changed(), form);
    form.querySelector("[data-drop]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.drop();
    });
    this.#bringBack();
  }

  get unsaved() {
    return contents(this.form) !== this.server;
  }

  changed() {
    const { form, registers } = this;
    if (!form.isConnected) return;
    const names = registers.open.map(({ chip }) => (chip ? registers.names.get(chip) : "nothing")).join("; ");
    form.classList.add("is-changed");
    if (this.unsaved) stash(form, { contents: contents(form), names, given: form.elements.instead_of.value });
    else unstash(form);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
  }

  async save(options = {}) {
    clearTimeout(this.timer);
    if (!this.form.isConnected) return;
    if (this.sending || this.form.ariaBusy === "true") {
      this.timer = setTimeout(() => this.save(), PAUSE);
      return;
    }
    if (!this.unsaved) return;
    const sent = contents(this.form);
    this.sending = sendTurn(this.form, "draft", "PUT", {}, options);
    const answer = await this.sending;
    this.sending = null;
    if (!this.form.isConnected || this.form.ariaBusy === "true") return;
    if (answer?.ok) this.saved(sent, answer.body);
    else if (!answer) this.#say(gettext("No connection. Your draft is only in this window, and is not submitted."));
    else this.#say(this.#whyNot(answer.body));
  }

  /** @param {string} sent @param {GameDocument} game */
  saved(sent, game) {
    const saved = savedIn(game);
    this.server = sent;
    this.form.dataset.draftSaved = saved;
    if (!this.unsaved) unstash(this.form);
    const draft = saved && gettext("Draft, saved {time}: not submitted.", { time: clockTime(new Date(Number(saved) * 1000), this.form.dataset.zone) });
    const before = "submitted" in this.form.dataset && gettext("Your submitted orders still count.");
    this.#say(draft ? [draft, before].filter(Boolean).join(" ") : "");
    if (!saved && !this.unsaved) this.form.classList.remove("is-changed");
  }

  stop() {
    clearTimeout(this.timer);
  }

  async drop() {
    this.stop();
    const answer = await sendTurn(this.form, "draft", "DELETE");
    if (!answer?.ok) return this.#say(gettext("No connection. Try again."));
    unstash(this.form);
    return redraw(this.form);
  }

  // The chips of this page before the panel was drawn again, or the page was loaded again.
  #bringBack() {
    const { form, registers } = this;
    const laid = stashed(form);
    const advised = form.closest(".panel")?.querySelector("[data-advice]"); // the coach's orders are wanted now
    if (!laid || advised || laid.contents === contents(form)) return unstash(form);
    registers.fill(new URLSearchParams(laid.contents));
    if (laid.given !== form.elements.instead_of.value) notice(form, ELSEWHERE);
    return undefined;
  }

  /** @param {string} text */
  #say(text) {
    const line = need(this.form, "[data-draft]");
    line.hidden = !text;
    need(line, "[data-draft-text]").textContent = text;
    this.form.closest(".panel")?.classList.toggle("is-draft", Boolean(text));
  }

  /** @param {any} body */
  #whyNot(body) {
    const faults = reasons(body?.problems ?? []).join(" ");
    const problem = faults || body?.detail || gettext("Reload the page.");
    return gettext("Your draft was not saved: {problem}", { problem });
  }
}

// Wait for a draft that is on its way, so that it does not come after the orders that follow it.
export async function settled() {
  await draft?.sending;
}

// Have the panel drawn again, whatever its version says; with it all of the page, unless it is `only` some parts.
/** @param {Part} form @param {string[]} [only] */
export async function redraw(form, only) {
  const part = form.closest("[data-part]");
  if (!part) return location.reload();
  part.dataset.version = "old";
  return (await refresh({ only, unseen: true })) || location.reload();
}

// The same person may have another window or another device: who comes back sees what counts.
async function compare() {
  if (document.hidden || !draft?.form.isConnected || draft.sending || draft.form.ariaBusy === "true") return;
  const { form, server } = draft;
  const answer = await ask(form.dataset.api);
  if (!answer?.ok || !form.isConnected || draft?.form !== form || draft.server !== server || form.ariaBusy === "true") return;
  if (savedIn(answer.body) === form.dataset.draftSaved || draft.unsaved) await refresh();
  else await redraw(form);
}

// When a player's draft was saved, in seconds as the page has it; empty without a draft.
/** @param {GameDocument} game */
function savedIn({ me }) {
  return me?.draft ? String(Date.parse(me.draft.saved_at) / 1000) : "";
}

// The chips chosen for a turn that was played without them.
function announceLeftOver() {
  const form = document.querySelector("form[data-orders]");
  const part = document.querySelector("[data-part=panel]");
  const game = /\/games\/(\d+)\//.exec(location.pathname)?.[1];
  if (!part || !game) return;
  for (const { turn, names } of leftOver(game, form)) {
    notice(part, names
      ? gettext("Your chips for turn {turn} were not submitted: {chips}.", { turn, chips: names })
      : gettext("Your chips for turn {turn} were not submitted.", { turn }));
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) draft?.save({ keepalive: true });
  else compare();
});
addEventListener("focus", compare);
addEventListener("online", () => draft?.save());
listen("parts:fresh", ({ names }) => names.includes("panel") && announceLeftOver());
announceLeftOver();
