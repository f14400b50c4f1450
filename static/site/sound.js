// sound.play("step") and the like. What makes sounds and music is fetched for readers who have switched them on.

import { listen } from "./events.js";
import { settings } from "./settings.js";

/** @type {typeof import("./loudspeaker.js") | null} */
let loudspeaker = null;

export const sound = {
  // Says whether it is heard.
  /** @param {Effect} name */
  play: (name) => loudspeaker?.play(name) ?? false,
};

async function fetchWanted() {
  if (!settings.sound) return;
  loudspeaker ??= await import("./loudspeaker.js");
  if (settings.music) await import("./music.js");
}

listen("settings:change", async (change) => {
  const before = loudspeaker;
  await fetchWanted();
  if (!before) loudspeaker?.follow(change); // it was not there yet to hear of this
});
fetchWanted();
