// The page of a draft: the editor takes the place of the drawing. What is drawn is saved, checked and told to other windows. Without
// this script, or while the page shows what was refused, forms do all of it.

import { Asker } from "./asker.js";
import { ClashDialog } from "./clash_dialog.js";
import { Copies, storageHere } from "./copies.js";
import { make } from "./dom.js";
import { DraftCalls } from "./draft_calls.js";
import { followFacts } from "./draft_facts.js";
import { DraftForm } from "./draft_form.js";
import { loadPieces, mount } from "./editor.js";
import { isSameDrawn, merged } from "./merge.js";
import { SaveLine } from "./save_line.js";
import { Saver } from "./saver.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";
import { dateAndTime, gettext } from "../site/words.js";

const TYPED = 250; // milliseconds without a key before the drawing follows the text
const CHECKED = 300; // without a change before it is checked

const GOES = 10000; // until what asks for nothing goes by itself

const place = document.querySelector("[data-shipyard-editor]");
const state = document.getElementById("draft-state");
if (place && state) begin(place, JSON.parse(state.textContent ?? ""));

/** @param {Part} place @param {SavedDraft & { suits: string[] }} saved */
async function begin(place, saved) {
  const found = await loadPieces(place).catch(() => null);
  if (!found) return; // the forms do all the same
  const [pieces, palette] = /** @type {[Pieces, Palette]} */ (found);
  const cells = need(document, "#cells form");
  const fly = need(document, "[data-fly]");
  const form = new DraftForm(cells, saved.value);
  const facts = followFacts(palette.rulesets);
  const calls = new DraftCalls({ draft: place.dataset.draft, drafts: place.dataset.drafts, check: place.dataset.check, outlook: place.dataset.outlook, token: cells.elements.csrfmiddlewaretoken.value });
  const copies = new Copies(place.dataset.draft, { storage: storageHere(), person: JSON.parse(document.documentElement.dataset.settings ?? "{}").person ?? 0 });
  const channel = new BroadcastChannel(`ship:${place.dataset.draft}`);
  const line = new SaveLine({ retry: () => saver.save(), keep: () => moveOn() });
  const notices = make("div", { className: "messages ship-notices", role: "status" });
  const dialog = new ClashDialog({ pieces, palette, keepBoth: () => beginAnother(saver.value) });
  let { suits } = saved;
  let isChecked = true; // what is drawn now
  let typed = 0;
  let pausing = 0;
  let asked = new AbortController();

  const saver = new Saver({
    saved,
    copies,
    put: (value, version) => calls.put(value, version),
    ask: (found, { version }) => dialog.ask(found, gettext("Version {number} was saved in another window or on another device. These changes conflict:", { number: version })),
    show: (value) => take(value, gettext("Changes from elsewhere")),
    tell: (state) => {
      line.isCopied = saver?.isCopied ?? true;
      line.show(state);
      if (state.name === "met" && !state.asked) note(gettext("Version {number} was saved elsewhere. Its changes are merged with yours.", { number: saver.version }));
    },
    kept: (draft, isLast) => {
      channel.postMessage(draft);
      facts.saved(draft.version);
      if (isLast && !isChecked) judge(draft.problems, suits, saver.value.ruleset);
    },
    isBusy: () => editor.isPainting,
  });

  place.replaceChildren();
  document.querySelector("main")?.append(notices);
  const editor = mount(place, {
    document: saved.value.document, pieces, palette, ruleset: saved.value.ruleset, problems: saved.problems, inBar: line.element, beside: fly, outlook: true,
    onchange: ({ rows }) => {
      clearTimeout(typed);
      changed(form.draw(rows));
    },
  });
  document.querySelector("#problems")?.toggleAttribute("hidden", true); // the editor has them
  facts.judge(saved.problems, saved.suits, saved.value.ruleset);
  const outlook = new Asker({ ask: (value) => calls.outlook(value), tell: (state) => editor.showOutlook(state) });
  outlook.change(form.value);
  offer();

  /** @param {Drawn} value */
  function changed(value) {
    saver.change(value);
    facts.show(value);
    editor.choose(value.ruleset);
    check();
  }

  // Show what comes from elsewhere, as a step that can be undone.
  /** @param {Drawn} value @param {string} name */
  function take(value, name) {
    clearTimeout(typed);
    form.fill(value);
    editor.pause(null);
    editor.show(value.document, name);
    editor.choose(value.ruleset);
    facts.show(value);
    facts.saved(saver.version);
    check();
  }

  function check() {
    clearTimeout(pausing);
    asked.abort();
    isChecked = false;
    outlook.change(form.value);
    pausing = setTimeout(async () => {
      asked = new AbortController();
      const { signal } = asked;
      const value = form.value;
      const answer = await calls.check(value, signal);
      if (!answer || signal.aborted) return;
      isChecked = true;
      ({ suits } = answer);
      judge(answer.problems, suits, value.ruleset);
    }, CHECKED);
  }

  /** @param {ShipProblem[]} problems @param {string[]} suits @param {string} ruleset */
  function judge(problems, suits, ruleset) {
    editor.showProblems(problems);
    facts.judge(problems, suits, ruleset);
  }

  // --- The form

  cells.addEventListener("input", ({ target }) => {
    clearTimeout(typed);
    if (target !== cells.elements.rows) return changed(form.read());
    typed = setTimeout(follow, TYPED);
  });
  cells.addEventListener("submit", (event) => {
    event.preventDefault();
    follow();
    saver.save();
  });

  function follow() {
    clearTimeout(typed);
    editor.pause(form.refusal);
    if (form.isEmpty) return;
    const value = form.read();
    if (!form.refusal) editor.show(value.document);
    if (!isSameDrawn(value, saver.value)) changed(value);
  }

  // --- Leaving, and coming back

  document.addEventListener("visibilitychange", () => (document.hidden ? saver.leave() : look()));
  addEventListener("pagehide", () => saver.leave());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) look(); });
  addEventListener("online", () => { saver.save(); outlook.again(); });
  addEventListener("offline", () => line.show(saver.state));
  addEventListener("beforeunload", (event) => { if (saver.isUnsaved && !saver.isCopied) event.preventDefault(); });
  channel.addEventListener("message", ({ data }) => saver.hear(data));
  document.addEventListener("keydown", (event) => {
    if (!keysOf(event).includes("s") || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    follow();
    saver.save();
  });

  // Whether the draft is another by now: this window may have slept.
  async function look() {
    const draft = await calls.get();
    if (draft) saver.hear(draft);
    if (["waiting", "out"].includes(saver.state.name)) saver.save();
  }

  for (const link of document.querySelectorAll(".page-head a")) link.addEventListener("click", leaveBy);

  // Pages of this draft show it as it is here.
  /** @param {Event} event */
  async function leaveBy(event) {
    const link = /** @type {Part} */ (event.currentTarget);
    if (!saver.isUnsaved) return;
    event.preventDefault();
    await saver.settle();
    link.removeEventListener("click", leaveBy);
    link.click();
    link.addEventListener("click", leaveBy);
  }

  // Logging out takes all copies away, so what is drawn is saved first. Where that fails, a person has to ask twice.
  let asksAgain = false;
  let goes = false;
  for (const form of document.querySelectorAll("form[data-log-out]")) {
    form.addEventListener("submit", async (event) => {
      if (goes || !saver.isUnsaved) return copies.close();
      event.preventDefault();
      if (!(await saver.settle()) && !asksAgain) {
        asksAgain = true;
        return note(gettext("Your last changes aren’t saved. To log out and lose them, log out again."));
      }
      goes = true;
      form.requestSubmit(); // and with that event all copies go, also those of other windows
    });
  }

  // --- Flying

  need(fly, "form").addEventListener("submit", async (event) => {
    event.preventDefault();
    follow();
    if (fly.ariaBusy === "true") return;
    fly.ariaBusy = "true";
    if (await saver.settle()) need(fly, "form").submit();
    else note(gettext("The ship wasn’t saved, so it can’t fly. The reason is above the drawing."));
    fly.ariaBusy = "false";
  });

  // --- Copies

  // Offer what an earlier visit could not save.
  function offer() {
    for (const copy of copies.left()) {
      if (isSameDrawn(copy.value, saver.value) || isSameDrawn(copy.value, copy.base)) {
        copies.drop(copy.key);
        continue;
      }
      const time = dateAndTime(new Date(copy.at));
      note(gettext("Your last changes weren’t saved ({time}). This browser has a copy.", { time }), [
        [gettext("Restore"), () => bringBack(copy)],
        [gettext("Discard"), () => copies.drop(copy.key)],
      ]);
    }
  }

  /** @param {Copy} copy */
  async function bringBack(copy) {
    const found = merged(copy.base, copy.value, saver.value);
    const side = found.clashes.length ? await dialog.ask({ ...found }, gettext("The ship has changed since this browser made its copy. These changes conflict:")) : "mine";
    if (!side) return offer();
    take(found[side], gettext("Restore"));
    saver.change(found[side]);
    copies.drop(copy.key);
  }

  // Where the draft is gone, draw on with what is here as another one.
  async function moveOn() {
    const { id, detail } = await calls.create(saver.value);
    if (!id) return note(detail || gettext("The server isn’t responding. Try again."));
    copies.drop();
    location.assign(addressOf(id));
  }

  // Save a drawing as another draft; why that cannot be, or "".
  /** @param {Drawn} value */
  async function beginAnother(value) {
    const { id, detail } = await calls.create(value);
    if (!id) return detail || gettext("The server isn’t responding. Try again.");
    note(gettext("This window’s ship is now a new draft."), [[gettext("Open it"), () => location.assign(addressOf(id))]]);
    return "";
  }

  /** @param {number} id of a draft */
  const addressOf = (id) => location.pathname.replace(/\d+/, String(id));

  /** @param {string} sentence @param {[string, () => void][]} [deeds] */
  function note(sentence, deeds = []) {
    const close = /** @type {[string, () => void]} */ ([gettext("Close"), () => {}]);
    const one = make("div", { className: "message message-info" }, make("p", {}, sentence),
      ...(deeds.length ? deeds : [close]).map(([name, deed]) => make("button", { type: "button", className: "button button-quiet button-small", onclick: () => { one.remove(); deed(); } }, name)));
    for (const other of notices.children) if (other.textContent === one.textContent) other.remove();
    notices.append(one);
    if (!deeds.length) setTimeout(() => one.remove(), GOES);
  }
}
