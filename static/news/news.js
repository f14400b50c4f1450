// The page on how one is told: addresses that are to be copied, and this browser among those that show news.

import { bindCopies } from "../site/clipboard.js";
import { need } from "../site/need.js";
import { bindPush } from "./push.js";

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
bindPush(need(document, "[data-push]"));
