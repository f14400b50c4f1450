// The chat of a game: sends without leaving the page, adds lines as they come, notes what was seen, marks what is new. The lines
// themselves are the server's markup. Nothing that was typed goes before it has arrived: not by a refusal, nor by a lost connection.

import { listen } from "../site/events.js";
import { whenLaidOut } from "../site/laid.js";
import { need } from "../site/need.js";
import { personKey } from "../site/person.js";
import { gettext, ngettext } from "../site/words.js";
import { ask } from "../play/ask.js";
import { unfold } from "./filter.js";

const NEAR = 40; // pixels from the end: still reading along
const PLENTY = 100; // characters left from which on they are counted

/** @type {Chat | null} */
let chat = null;

/** @param {Part} root */
export function holdChat(root) {
  chat?.let_go();
  chat = new Chat(root);
}

listen("stream:chat", ({ id }, event) => {
  if (!chat) return;
  event.preventDefault();
  chat.hear(id);
});
document.addEventListener("visibilitychange", () => chat?.look());

class Chat {
  /** @type {Part} */ form; // who may not write has none
  /** @type {Part} */ field;
  /** @type {Part} */ says;
  /** @type {Part} */ left;

  /** @type {Promise<boolean> | null} */ catching = null; // lines on their way
  /** @type {HTMLElement | undefined} */ herald;
  /** @type {{ get: () => string, set: (text: string) => void }} */ kept; // what is being written, held by this window
  doubtful = ""; // what was sent, and may not have arrived
  sending = false;
  seen = false; // whether the end is in sight

  /** @param {Part} root */
  constructor(root) {
    this.root = root;
    /** @param {string} name */
    const part = (name) => need(root, `[data-chat-${name}]`);
    this.box = part("box");
    this.lines = part("lines");
    this.end = part("end");
    this.nothing = part("empty");
    this.down = part("down");
    this.last = Number(root.dataset.last);
    this.unread = Number(root.dataset.unread);
    root.querySelector("[data-chat-read]")?.remove();
    this.atEnd = new IntersectionObserver(([end]) => end && this.see(end.isIntersecting), { threshold: 0 });
    this.atEnd.observe(this.end);
    this.down.addEventListener("click", () => this.toEnd());
    this.atFirst = whenLaidOut(this.box, () => this.toEnd());
    unfold(root);
    const form = root.querySelector("[data-chat-form]");
    if (form) this.takeText(form);
  }

  let_go() {
    this.atEnd.disconnect();
    this.atFirst.disconnect();
  }

  // --- Lines that come ---

  async hear(id = Infinity) {
    if (id <= this.last) return true;
    return this.catchUp();
  }

  async catchUp() {
    while (this.catching) await this.catching;
    this.catching = this.fetchLines();
    try {
      return await this.catching;
    } finally {
      this.catching = null;
    }
  }

  async fetchLines() {
    const address = new URL(this.root.dataset.address, location.href);
    for (;;) {
      address.searchParams.set("after", String(this.last));
      const { ok, body: said } = (await ask(address)) ?? {};
      if (!ok || !said) return false;
      this.add(said);
      if (!said.more) return true;
    }
  }

  /** @param {{ lines: string, last: number, more?: boolean }} given @param {{ mine?: boolean }} [given] */
  add({ lines, last }, { mine = false } = {}) {
    const fresh = this.unknown(lines);
    if (!fresh.length) return;
    const along = this.isNearEnd();
    const seen = mine || (this.seen && !document.hidden);
    const others = fresh.filter((line) => !line.classList.contains("is-mine"));
    if (seen || this.unread) for (const line of fresh) line.querySelector("[data-chat-new]")?.remove();
    if (mine || (!seen && !this.unread)) this.lines.querySelector("[data-chat-new]")?.remove();
    this.lines.append(...fresh);
    unfold(this.lines);
    this.nothing.hidden = true;
    this.last = Math.max(this.last, last);
    this.unread += others.length;
    this.showMark();
    if (along || mine) this.toEnd();
    else this.down.hidden = false;
    if (others.length && !this.box.checkVisibility()) this.announce(others);
    this.arrived(fresh);
    if (seen) this.note();
  }

  /** @param {string} markup */
  unknown(markup) {
    const holder = document.createElement("template");
    holder.innerHTML = markup;
    return [...holder.content.querySelectorAll("[data-line]")].filter((line) => Number(line.dataset.line) > this.last);
  }

  isNearEnd() {
    return this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < NEAR;
  }

  toEnd() {
    this.box.scrollTop = this.box.scrollHeight;
    this.down.hidden = true;
  }

  // --- What was seen ---

  /** @param {boolean} seen */
  see(seen) {
    this.seen = seen;
    if (seen) this.down.hidden = true;
    this.look();
  }

  // A chat that was hidden is at its end again once it is shown.
  look() {
    if (this.seen && !document.hidden) this.note();
    else if (!this.seen && this.unread === 0 && this.box.checkVisibility() && this.isNearEnd()) this.toEnd();
  }

  async note() {
    if (!this.unread) return;
    const [last, unread] = [this.last, this.unread];
    this.unread = 0;
    this.showMark();
    if (!this.root.dataset.readAddress) return;
    const body = new URLSearchParams({ line: String(last), csrfmiddlewaretoken: token() });
    const answer = await ask(this.root.dataset.readAddress, { method: "POST", body });
    if (!answer?.ok) this.unread += unread; // said again with the next line, or when the page is looked at again
  }

  showMark() {
    for (const mark of document.querySelectorAll("[data-chat-mark]")) {
      mark.hidden = this.unread === 0;
      need(mark, "[data-chat-count]").textContent = String(this.unread);
    }
    if (this.herald && !this.unread) this.herald.textContent = "";
  }

  // Says what is new to those who listen, where the chat itself cannot since it is not shown.
  /** @param {Part[]} lines */
  announce(lines) {
    const latest = /** @type {Part} */ (lines.at(-1));
    this.herald ??= document.body.appendChild(Object.assign(document.createElement("p"), { className: "unseen", role: "status" }));
    const [name, text] = ["strong", "details:not([open]) > summary, .chat-text"].map((each) => need(latest, each).textContent);
    this.herald.textContent = lines.length === 1
      ? gettext("Chat, {name}: {text}", { name, text })
      : ngettext("{number} new chat message", "{number} new chat messages", lines.length);
  }

  // --- What is written ---

  /** @param {Part} form */
  takeText(form) {
    this.form = form;
    this.field = form.elements.text;
    [this.says, this.left] = ["says", "left"].map((name) => need(this.root, `[data-chat-${name}]`));
    const key = personKey(`chat:${new URL(form.action).pathname}`);
    this.kept = {
      get: () => sessionStorage.getItem(key) ?? "",
      /** @param {string} text */
      set: (text) => (text.trim() ? sessionStorage.setItem(key, text) : sessionStorage.removeItem(key)),
    };
    if (!this.field.value) this.field.value = this.kept.get();
    this.measure();
    this.field.addEventListener("input", () => {
      this.measure();
      this.say(""); // of the text before it was changed
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  measure() {
    const left = Number(this.field.dataset.longest) - [...this.field.value.trim()].length;
    this.kept.set(this.field.value);
    this.left.textContent = left < 0
      ? gettext("{number} too many", { number: -left })
      : left < PLENTY ? gettext("{number} left", { number: left }) : "";
    this.left.classList.toggle("is-over", left < 0);
  }

  async send() {
    const text = this.field.value;
    if (this.sending || !text.trim()) return;
    this.sending = true;
    this.say("");
    try {
      await this.post(text);
    } finally {
      this.sending = false;
    }
  }

  /** @param {string} text */
  async post(text) {
    const body = new URLSearchParams({ text, after: String(this.last), csrfmiddlewaretoken: token() });
    this.doubtful = text;
    const answer = await ask(this.form.action, { method: "POST", body });
    const said = answer?.body;
    if (answer?.ok && said) {
      this.forget(text);
      this.add(said, { mine: true });
      if (said.more) this.catchUp();
    } else if (said?.detail) {
      this.doubtful = "";
      this.say(said.detail);
    } else if (this.doubtful) {
      this.say(gettext("Not sent: you are offline. Your text is still here. Send it again when you are back online."));
      this.catchUp();
    }
  }

  // What is being sent may arrive before its answer, and though the answer is lost.
  /** @param {Part[]} lines */
  arrived(lines) {
    if (!this.doubtful) return;
    /** @param {string} text */
    const same = (text) => text.replace(/\s+/g, " ").trim();
    const found = lines.some((line) => line.classList.contains("is-mine") && same(need(line, "[data-chat-text]").textContent) === same(this.doubtful));
    if (!found) return;
    this.forget(this.doubtful);
    this.say("");
  }

  /** @param {string} text */
  forget(text) {
    this.doubtful = "";
    if (this.field.value === text) this.field.value = ""; // else someone has written on meanwhile
    this.measure();
  }

  /** @param {string} text */
  say(text) {
    this.says.textContent = text;
  }
}

function token() {
  return document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}
