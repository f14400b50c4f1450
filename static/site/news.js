// The page on how one is told: addresses that are to be copied.

import { bindCopies } from "../games/copy.js";

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
