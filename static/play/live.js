// The last of a game's modules: everything on the page is taken, and it hears of what happens.

import { emit } from "../site/events.js";
import { giveSigns } from "./presence.js";
import { follow } from "./stream.js";

for (const stream of document.querySelectorAll("[data-stream]")) {
  follow(stream);
  giveSigns(stream);
}
emit("page:ready", {}); // what was pressed before (early.js) is done now
