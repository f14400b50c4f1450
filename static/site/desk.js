// The mixing desk of all that the page sounds: one context, the master volume, and a fader each for effects and music.
// Silent until the reader has switched sound on, and as long as the browser wants a click or a key first.

import { settings } from "./settings.js";

const GESTURES = ["pointerup", "keydown", "click"];
const FADERS = { volume: "all", effects_volume: "effects", music_volume: "music" };

let made = null; // { context, all, effects, music }

// The desk while it runs, or null.
export const desk = () => (made?.context.state === "running" ? made : null);

// Half of the way of a slider is to sound half as loud, which is a quarter.
const loudness = (percent) => (percent / 100) ** 2;

// By a gesture, as browsers demand it: have the desk made and running.
async function wake() {
  if (!settings.sound || desk()) return;
  if (!made) {
    const context = new AudioContext({ latencyHint: "interactive" });
    const limiter = new DynamicsCompressorNode(context, { threshold: -18, ratio: 6 });
    made = { context };
    for (const [name, fader] of Object.entries(FADERS)) made[fader] = new GainNode(context, { gain: loudness(settings[name]) });
    made.effects.connect(made.all);
    made.music.connect(made.all);
    made.all.connect(limiter).connect(context.destination);
  }
  await made.context.resume().catch(() => {});
  if (desk()) document.dispatchEvent(new CustomEvent("desk:ready"));
}

for (const gesture of GESTURES) document.addEventListener(gesture, wake, { capture: true, passive: true });

document.addEventListener("settings:change", async ({ detail: { name } }) => {
  if (name === "sound" && !settings.sound) {
    await made?.context.suspend();
  } else if (name === "sound" || name in FADERS) {
    await wake();
    if (name in FADERS && made) made[FADERS[name]].gain.value = loudness(settings[name]);
  }
  document.dispatchEvent(new CustomEvent("desk:change", { detail: { name } }));
});
