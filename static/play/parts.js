// The page's own address fetched again, and what has changed in it put in place of what stood there. A part ([data-part]) of which the
// server says the same as before is not touched, and neither is one in use: that stays until the next time. A part with data-version
// is replaced exactly when its version is another. Children of [data-parts] are parts that may come and go.

import { tell } from "../site/events.js";
import { need } from "../site/need.js";

const PRESS = 2000; // milliseconds: a press that becomes a click is over by then
const SECRET = /(name="csrfmiddlewaretoken" value=")[^"]*/g;
const source = new Map();
/** @type {Promise<boolean> | null} */
let fetching = null;
let pressed = 0; // when the pointer that is down was pressed

// A press becomes a click only on the element on which it began: nothing is replaced in between.
addEventListener("pointerdown", () => { pressed = Date.now(); }, true);
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(end, () => setTimeout(() => { pressed = 0; }), true);

// Note what the server said; before any script has changed a part.
export function remember(root = document) {
  for (const part of root.querySelectorAll("[data-part]")) source.set(part.dataset.part, said(part));
}

// `keep` are the names of parts that are left alone. Says false where the page could not be had.
// Asked for while it is under way, it goes on once more afterwards: what was fetched may be older than what is asked for.
/** @param {{ keep?: string[] }} [options] */
export async function refresh({ keep = [] } = {}) {
  while (fetching) await fetching;
  fetching = renew(new Set(keep));
  try {
    return await fetching;
  } finally {
    fetching = null;
  }
}

/** @param {Set<string>} keep */
async function renew(keep) {
  const page = await load();
  if (!page) return false;
  while (Date.now() - pressed < PRESS) await new Promise((resolve) => { setTimeout(resolve, 50); });
  const scroll = [...document.querySelectorAll("[data-part] [data-scrolls]")].map((box) => ({ name: box.dataset.scrolls, top: box.scrollTop }));
  const focus = whereFocusIs();
  /** @type {string[]} */
  const names = [];
  for (const box of document.querySelectorAll("[data-parts]")) arrange(box, page, keep, names);
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = find(page, part.dataset.part);
    if (fresh && part.isConnected && mayChange(part, fresh, keep)) put(part, fresh, names);
  }
  showHead(page);
  for (const { name, top } of scroll) for (const box of document.querySelectorAll(`[data-scrolls="${name}"]`)) box.scrollTop = top;
  if (focus && !document.activeElement?.closest("[data-part]")) document.querySelector(focus)?.focus({ preventScroll: true });
  if (names.length) tell("parts:fresh", { names });
  return true;
}

async function load() {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("[data-console]") && page;
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
  if (keep.has(part.dataset.part)) return false;
  const versions = [part.dataset.version, fresh.dataset.version];
  if (versions.some(Boolean)) return versions[0] !== versions[1];
  return source.get(part.dataset.part) !== said(fresh) && !isInUse(part);
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

/** @param {Document} page */
function showHead(page) {
  document.title = page.title;
  document.body.className = page.body.className;
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
