// What has changed in the page is fetched, and put in place of what stood there. A part ([data-part]) of which the server says the same
// as before is not touched, and neither is one in use: that stays until the next time. A part with data-version is replaced exactly when
// its version is another. Children of [data-parts] are parts that may come and go.
//
// A game's page asks at the address in data-fresh, and says by their marks which parts it has: the server leaves those out, and answers
// 304 where all is as it was. Other pages are fetched whole.

import { emit } from "../site/events.js";
import { need } from "../site/need.js";

const PRESS_TIME = 2000; // milliseconds: a press that becomes a click is over by then
const SECRET = /(name="csrfmiddlewaretoken" value=")[^"]*/g;
const source = new Map();
/** @type {Promise<boolean> | null} */
let fetching = null;
let pressed = 0; // when the pointer that is down was pressed
let tag = ""; // of the server's last answer, where all of the page is as it said
let owed = false; // something has changed while nobody looked

// A press becomes a click only on the element on which it began: nothing is replaced in between.
addEventListener("pointerdown", () => { pressed = Date.now(); }, true);
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(end, () => setTimeout(() => { pressed = 0; }), true);

// Note what the server said; before any script has changed a part.
export function remember(root = document) {
  for (const part of root.querySelectorAll("[data-part]")) source.set(part.dataset.part, said(part));
}

// `keep` are the names of parts that are left alone, `only` those that are asked for, of those with a mark; `note` is a form to be sent,
// which is answered with the parts as they are then. Says false where they could not be had.
// Asked for while it is under way, it goes on once more afterwards: what was fetched may be older than what is asked for.
// A page that is hidden asks when it is looked at, unless it is to be `unseen`.
/** @param {Asked} [asked] */
export async function refresh(asked = {}) {
  if (document.hidden && !asked.unseen && !asked.note) {
    owed = true;
    return true;
  }
  while (fetching) await fetching;
  fetching = renew(asked);
  try {
    return await fetching;
  } finally {
    fetching = null;
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !owed) return;
  owed = false;
  refresh();
});

/** @param {Asked} asked */
async function renew(asked) {
  const whole = !asked.only && !asked.keep;
  const answer = await load(asked, whole);
  if (answer?.status === 304) return true;
  const page = answer?.ok && parsed(await answer.text());
  if (!page) return false;
  tag = (whole && answer.headers.get("ETag")) || "";
  const keep = new Set(asked.keep);
  while (Date.now() - pressed < PRESS_TIME) await new Promise((resolve) => { setTimeout(resolve, 50); });
  const scroll = [...document.querySelectorAll("[data-part] [data-scrolls]")].map((box) => ({ name: box.dataset.scrolls, top: box.scrollTop }));
  const focus = whereFocusIs();
  /** @type {string[]} */
  const names = [];
  for (const box of document.querySelectorAll("[data-parts]")) arrange(box, page, keep, names);
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = find(page, part.dataset.part);
    if (fresh && part.isConnected && mayChange(part, fresh, keep)) put(part, fresh, names);
  }
  showHead(page, asked);
  for (const { name, top } of scroll) for (const box of document.querySelectorAll(`[data-scrolls="${name}"]`)) box.scrollTop = top;
  if (focus && !document.activeElement?.closest("[data-part]")) document.querySelector(focus)?.focus({ preventScroll: true });
  if (names.length) emit("parts:fresh", { names });
  return true;
}

/** @param {Asked} asked @param {boolean} whole */
async function load({ only, note }, whole) {
  const { fresh } = need(document, "[data-console]").dataset;
  const address = new URL(note?.address ?? fresh ?? location.pathname + location.search, location.href);
  if (fresh) address.searchParams.set("has", marks().join());
  if (only) address.searchParams.set("only", only.join());
  const headers = { Accept: "text/html", ...(whole && tag && !note && { "If-None-Match": tag }) };
  return fetch(address, { headers, ...(note && { method: "POST", body: note.body }) }).catch(() => null);
}

/** @param {string} text */
function parsed(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("[data-console]") && page;
}

function marks() {
  return [...document.querySelectorAll("[data-part][data-mark], [data-part][data-version]")].map(({ dataset }) => `${dataset.part}:${dataset.version ?? dataset.mark}`);
}

// The children of a box become those that the fresh page has, in its order; those that need not change are the old ones.
/** @param {Part} box @param {Document} page @param {Set<string>} keep @param {string[]} names */
function arrange(box, page, keep, names) {
  const index = [...document.querySelectorAll("[data-parts]")].indexOf(box);
  const fresh = page.querySelectorAll("[data-parts]")[index];
  if (!fresh) return;
  const wanted = children(fresh).map((child) => child.dataset.part);
  const there = new Map(children(box).map((child) => [child.dataset.part, child]));
  if (wanted.join() === [...there.keys()].join()) return;
  for (const [name, old] of there) if (!wanted.includes(name) && !keep.has(name)) old.remove();
  let before = null;
  for (const child of children(fresh).reverse()) {
    const name = child.dataset.part;
    const old = there.get(name);
    if (!old && isSame(child)) continue;
    if (!old) {
      source.set(name, said(child));
      names.push(name);
    }
    const placed = old ?? document.importNode(child, true);
    if (placed.nextElementSibling !== before || !placed.isConnected) box.insertBefore(placed, before);
    before = placed;
  }
}

/** @param {Part} part @param {Part} fresh @param {Set<string>} keep */
function mayChange(part, fresh, keep) {
  if (keep.has(part.dataset.part) || isSame(fresh)) return false;
  const versions = [part.dataset.version, fresh.dataset.version];
  if (versions.some(Boolean)) return versions[0] !== versions[1];
  if (source.get(part.dataset.part) === said(fresh)) return false;
  if (!isInUse(part)) return true;
  tag = ""; // the page is not as the server says
  return false;
}

// The server leaves out what the page has, and what was not asked for.
/** @param {Part} fresh */
function isSame(fresh) {
  return "same" in fresh.dataset;
}

/** @param {Part} part @param {Part} fresh @param {string[]} names */
function put(part, fresh, names) {
  const name = part.dataset.part;
  source.set(name, said(fresh));
  for (const inner of fresh.querySelectorAll("[data-part]")) source.set(inner.dataset.part, said(inner));
  const placed = document.importNode(fresh, true);
  // What tabs have hidden stays hidden.
  for (const attribute of ["hidden", "role", "tabindex", "aria-labelledby"]) {
    if (part.hasAttribute(attribute)) placed.setAttribute(attribute, part.getAttribute(attribute) ?? "");
  }
  part.replaceWith(placed);
  names.push(name);
}

// Someone writes in it, has unfolded something in it, drags from it.
/** @param {Part} part */
function isInUse(part) {
  const focus = document.activeElement;
  const writes = focus?.matches("input:not([type=checkbox], [type=radio], [type=range], [type=hidden]), textarea, select") && part.contains(focus);
  return Boolean(writes) || part.matches("[open]") || part.querySelector("details[open], .is-dragging, [data-in-use]") !== null;
}

// A selector for what has the focus, to be found in the part that replaces its own.
function whereFocusIs() {
  const focus = document.activeElement;
  const part = focus?.closest("[data-part]");
  if (!focus || !part) return null;
  if (focus.id) return `#${CSS.escape(focus.id)}`;
  const mark = ["name", "href", "data-robot-card", "data-step", "data-play"].find((each) => focus.hasAttribute(each));
  return mark ? `[data-part="${part.dataset.part}"] ${focus.localName}[${mark}="${CSS.escape(focus.getAttribute(mark) ?? "")}"]` : null;
}

// Where some parts alone were asked for, the others are not as far as the answer says.
/** @param {Document} page @param {Asked} asked */
function showHead(page, { only }) {
  document.title = page.title;
  document.body.className = page.body.className;
  if (only) return;
  const [stream, fresh] = [document, page].map((each) => each.querySelector("[data-stream]"));
  if (stream && fresh) for (const { name, value } of fresh.attributes) stream.setAttribute(name, value);
  const [heading, newHeading] = [document, page].map((each) => need(each, "h1"));
  if (heading.textContent !== newHeading.textContent) heading.textContent = newHeading.textContent;
}

/** @param {Document} page @param {string} name */
function find(page, name) {
  return page.querySelector(`[data-part="${CSS.escape(name)}"]`);
}

/** @param {Part} part */
function said(part) {
  return part.outerHTML.replace(SECRET, "$1");
}

/** @param {Element} box */
const children = (box) => /** @type {Part[]} */ ([...box.children]);
