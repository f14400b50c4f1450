// The sections below the crew as tabs: one is shown, the arrow keys go from one to the next. Without a script they are sections, and
// what stands above them are links to them.

import { need } from "../site/need.js";

/** @param {Part} box */
export function showTabs(box) {
  const list = need(box, "[data-tab-list]");
  const tabs = [...list.querySelectorAll("a[href^='#']")];
  /** @param {Part} tab */
  const panelOf = (tab) => document.getElementById(tab.hash.slice(1));
  if (list.getAttribute("role") !== "tablist") {
    list.setAttribute("role", "tablist");
    for (const tab of tabs) {
      tab.setAttribute("role", "tab");
      tab.id = `tab-${tab.hash.slice(1)}`;
      tab.setAttribute("aria-controls", tab.hash.slice(1));
    }
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (!tab) return;
      event.preventDefault();
      choose(tab);
    });
    list.addEventListener("keydown", (event) => {
      const here = tabs.findIndex((tab) => tab.contains(event.target));
      const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key];
      if (here < 0 || to === undefined) return;
      event.preventDefault();
      const tab = /** @type {Part} */ (tabs.at(to % tabs.length));
      tab.focus();
      choose(tab);
    });
    addEventListener("hashchange", () => arrive());
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (link && !event.defaultPrevented) arrive(link.hash); // before the browser goes there, also if it is there already
    });
  }
  if (!arrive()) choose(tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs.find((tab) => "first" in tab.dataset) ?? tabs[0]);

  // An address with #chat or #turn-3 in it leads to the tab in which that is.
  function arrive(hash = location.hash) {
    const there = hash.length > 1 && document.getElementById(hash.slice(1));
    const tab = there && tabs.find((each) => panelOf(each)?.contains(there));
    if (tab) choose(tab);
    return Boolean(tab);
  }

  /** @param {Part} chosen */
  function choose(chosen) {
    for (const tab of tabs) {
      const panel = panelOf(tab);
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      if (!panel) continue;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = 0;
      panel.hidden = tab !== chosen;
    }
  }
}
