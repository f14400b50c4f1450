// A board that is larger than its frame scrolls in it: by keyboard as well, and from where my robot is.

import { listen } from "../site/events.js";
import { whenLaidOut } from "../site/laid.js";
import { gettext } from "../site/words.js";
import { showMine } from "./view.js";

function reach({ moved = false } = {}) {
  for (const view of document.querySelectorAll("[data-board]")) {
    const scrolls = view.scrollWidth > view.clientWidth || view.scrollHeight > view.clientHeight;
    if (!scrolls) continue;
    view.tabIndex = 0;
    view.setAttribute("role", "group");
    view.setAttribute("aria-label", gettext("Board, can be scrolled"));
    if (moved) showMine(view);
  }
}

listen("settings:change", ({ name }) => name === "cell_size" && reach({ moved: true }));
listen("parts:fresh", () => reach());
addEventListener("resize", () => reach());
for (const view of document.querySelectorAll("[data-board]")) whenLaidOut(view, () => reach({ moved: true }));
