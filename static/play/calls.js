// Calls the reader when the game waits for their move again while the page is open, seen or not.

import { listen } from "../site/events.js";
import { sound } from "../site/sound.js";

const waiting = () => document.querySelector(".panel.is-mine form:is([data-orders], [data-decides])")?.action ?? "";

let before = waiting(); // the turn that waited for me; a page that is just opened need not call

listen("parts:fresh", () => {
  const now = waiting();
  if (now && now !== before) sound.play("my-turn");
  before = now;
});
