// Another ruleset or number of computers: the server says what fits, and the page shows that.

import { need } from "../site/need.js";
import { whenSearched, words } from "./find.js";

const form = need(document, "[data-quick]");
const parts = () => form.querySelectorAll("[data-fits]");
let asked = 0; // counts what was asked for, so that only the latest answer is shown

form.addEventListener("change", ({ target }) => {
  if (target.name === "ruleset" || target.name === "computers") refresh();
});
whenSearched(refresh);

async function refresh() {
  const mine = ++asked;
  const choices = new URLSearchParams(/** @type {any} */ (new FormData(/** @type {any} */ (form))));
  choices.delete("csrfmiddlewaretoken");
  choices.append("find", words());
  for (const part of parts()) part.setAttribute("aria-busy", "true");
  const answer = await fetch(`${form.action}?${choices}`).catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (mine !== asked) return;
  if (text) show(new DOMParser().parseFromString(text, "text/html"));
  for (const part of parts()) part.removeAttribute("aria-busy");
}

/** @param {Document} page */
function show(page) {
  const focus = document.activeElement?.id;
  for (const part of parts()) {
    const fresh = page.querySelector(`[data-fits="${part.dataset.fits}"]`);
    if (fresh) part.innerHTML = fresh.innerHTML;
  }
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}
