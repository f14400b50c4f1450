// The mixer of all that the page sounds: one context, the master volume, and a fader each for effects and music.
// Silent until the reader has switched sound on, and as long as the browser wants a click or a key first.

import { emit, listen } from "./events.js";
import { settings } from "./settings.js";

const GESTURES = ["pointerup", "keydown", "click"];
const FADERS = /** @type {const} */ ({ volume: "all", effects_volume: "effects", music_volume: "music" });

/** @param {string} name @returns {name is keyof typeof FADERS} */
const isFader = (name) => name in FADERS;

/** @typedef {{ context: AudioContext, all: GainNode, effects: GainNode, music: GainNode }} Mixer */

/** @type {Mixer | null} */
let made = null;

// The mixer while it runs, or null.
export const mixer = () => (made?.context.state === "running" ? made : null);

// Half of the way of a slider is to sound half as loud, which is a quarter.
/** @param {number} percent */
const loudness = (percent) => (percent / 100) ** 2;

// By a gesture, as browsers demand it: have the mixer made and running.
async function wake() {
  if (!settings.sound || mixer()) return;
  if (!made) {
    const context = new AudioContext({ latencyHint: "interactive" });
    const limiter = new DynamicsCompressorNode(context, { threshold: -18, ratio: 6 });
    /** @param {keyof typeof FADERS} name */
    const fader = (name) => new GainNode(context, { gain: loudness(settings[name]) });
    made = { context, all: fader("volume"), effects: fader("effects_volume"), music: fader("music_volume") };
    made.effects.connect(made.all);
    made.music.connect(made.all);
    made.all.connect(limiter).connect(context.destination);
  }
  await made.context.resume().catch(() => {});
  if (mixer()) emit("mixer:ready", {});
}

for (const gesture of GESTURES) document.addEventListener(gesture, wake, { capture: true, passive: true });

// A setting that sounds is another now.
/** @param {{ name: keyof Settings }} change */
export async function follow({ name }) {
  if (name === "sound" && !settings.sound) {
    await made?.context.suspend();
  } else if (name === "sound" || isFader(name)) {
    await wake();
    if (isFader(name) && made) made[FADERS[name]].gain.value = loudness(settings[name]);
  }
  emit("mixer:change", { name });
}

listen("settings:change", follow);
if (navigator.userActivation?.hasBeenActive) wake(); // the gesture came before this module
