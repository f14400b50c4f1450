// The chat's filter: the server folds rude lines, as the reader's settings say. Here they are opened where the filter is off for a
// stranger, whose settings this browser alone has, and where the reader has just switched it.

import { listen } from "../site/events.js";
import { settings } from "../site/settings.js";

/** @param {ParentNode} root */
export function unfold(root) {
  if (!settings.chat_filter) fold(root, false);
}

/** @param {ParentNode} root @param {boolean} on */
function fold(root, on) {
  for (const line of root.querySelectorAll("[data-chat-filtered]")) line.open = !on;
}

listen("settings:change", ({ name }) => name === "chat_filter" && fold(document, settings.chat_filter));
unfold(document);
