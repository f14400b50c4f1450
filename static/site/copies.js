// Pages of an account with something on them that is to be copied.

import { bindCopies } from "./clipboard.js";

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
