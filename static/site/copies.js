// Pages of an account with something on them that is to be copied.

import { bindCopies } from "../games/copy.js";

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
