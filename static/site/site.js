// What every page can do with a script and does without: the theme switch, the menu that closes, the time zone, the note of
// what was earned that goes without loading the page again.

import { listen } from "./events.js";
import { need } from "./need.js";
import { forget } from "./person.js";
import { change, chosen } from "./settings.js";

/** @param {string} theme */
function showTheme(theme) {
  for (const button of document.querySelectorAll("[data-choose-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.chooseTheme === theme));
  }
}

for (const group of document.querySelectorAll(".theme-switch")) {
  group.hidden = false;
  group.addEventListener("click", (event) => {
    const theme = event.target.closest("[data-choose-theme]")?.dataset.chooseTheme;
    if (theme) change({ theme });
  });
}
showTheme(chosen.theme);
listen("settings:change", ({ name, chosen: theme }) => name === "theme" && showTheme(theme));

// What is drawn, laid or written and not sent yet goes when its person logs out.
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.matches("form[data-log-out]")) forget();
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!menu) return;
  event.preventDefault(); // nothing else is to happen by this key
  menu.open = false;
  need(menu, "summary").focus();
});

document.querySelector("[data-errors]")?.focus(); // also if the address has a fragment, which wins over autofocus

for (const field of document.querySelectorAll("input[data-time-zone]")) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

for (const note of document.querySelectorAll("[data-earned]")) {
  const form = need(note, "form");
  const send = () => fetch(form.action, { method: "POST", body: new FormData(/** @type {any} */ (form)), redirect: "manual" }).catch(() => null);
  const seen = note.closest("[data-part]") ? null : send(); // a film may hide it in a game
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await (seen ?? send());
    if (answer?.type === "opaqueredirect") note.remove();
    else form.submit();
  });
}
