// The console's menu. Escape opens it when there is nothing else to close; the browser closes it by the same key and puts the
// focus back where it was. The settings in it are kept by site/settings_form.js.

import "../site/settings_form.js";
import { need } from "../site/need.js";
import { gettext } from "../site/words.js";
import "./calls.js";
import "./reach.js";
import { TYPED } from "./keyboard.js";

const OPEN = "dialog[open], details.menu[open], [popover]:popover-open, [aria-expanded=true][aria-haspopup]";

const menu = need(document, "[data-menu]");
let busy = false; // whether something was open as the key went down, before anything closed by it

/** @param {Part} [part] what to show of it */
function open(part) {
  if (!menu.open) menu.showModal();
  if (!part) return;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "start" });
}

/** @param {Part} target */
function types(target) {
  return Boolean(target.closest?.(TYPED));
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") busy = Boolean(document.querySelector(OPEN)) || event.isComposing;
}, { capture: true });

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !busy) {
    event.preventDefault();
    if (types(event.target)) event.target.blur(); // out of the field first; the next one opens
    else open();
  } else if (event.key === "?" && !types(event.target) && (menu.open || !document.querySelector(OPEN))) {
    event.preventDefault();
    open(need(menu, "[data-menu-keys]"));
  }
});

// Full screen: the browser leaves it by Escape, or when another page comes. The menu would cover the board: it closes first.
const full = need(menu, "[data-full-screen]");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", async () => {
  menu.close();
  await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
});
document.addEventListener("fullscreenchange", () => {
  full.textContent = document.fullscreenElement ? gettext("Exit full screen") : gettext("Full screen");
});

for (const button of document.querySelectorAll("[data-menu-button]")) button.hidden = false;
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-menu-button]");
  if (!opener || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open();
});

menu.addEventListener("click", (event) => {
  const jump = event.target.closest("[data-menu-jump]");
  if (jump) {
    event.preventDefault();
    open(need(menu, jump.hash));
  }
  if (event.target === menu || event.target.closest("[data-close-menu]")) menu.close();
});
