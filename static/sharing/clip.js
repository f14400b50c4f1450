// Follows the making of a clip: fetches the page again every two seconds while it is seen, until the clip is there.

import { need } from "../site/need.js";

const EVERY = 2000; // milliseconds

async function follow() {
  const part = need(document, "[data-clip]");
  if (!document.hidden) {
    const answer = await fetch(location.href).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const fresh = page?.querySelector("[data-clip]");
    if (fresh && !fresh.hasAttribute("data-under-way")) return location.reload();
    if (fresh) {
      need(part, "[role=status]").textContent = need(fresh, "[role=status]").textContent;
      need(part, "progress").value = need(fresh, "progress").value;
    }
  }
  return setTimeout(follow, EVERY);
}

setTimeout(follow, EVERY);
