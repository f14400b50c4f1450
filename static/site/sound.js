// Sounds and music, for readers who have switched them on: sound.play("step") and the like. What makes them sound is fetched when it
// is wanted first, so that it weighs on no other page; until then nothing is heard.

import { hear } from "./events.js";
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

hear("settings:change", async (change) => {
  const before = loudspeaker;
  await fetchWanted();
  if (!before) loudspeaker?.follow(change); // it was not there yet to hear of this
});
fetchWanted();
