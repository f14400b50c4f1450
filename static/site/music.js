// Music for as long as one plays: composed on the way (composer.js), played with Web Audio, faded out where no one looks.

import { compose } from "./composer.js";
import { mixer } from "./mixer.js";
import { listen } from "./events.js";
import { settings } from "./settings.js";

const FADE = 4; // seconds in which it comes and goes
const AHEAD = 3; // seconds that are laid out before they are heard, so that a busy page does not stutter
/** @type {Record<Note["voice"], OscillatorType[]>} */
const WAVES = { drone: ["sine"], pad: ["triangle", "sine"], bell: ["sine"] };
const DETUNE = 5; // cents between the waves of one tone
const ATTACK = { drone: 4, pad: 3, bell: 0.02 }; // seconds
const RELEASE = { drone: 4, pad: 4, bell: 4.98 };
const QUIET = 1 / 6; // of what a note's level says, so that all notes together leave room for the effects

/** @typedef {{ context: AudioContext, out: GainNode, entry: AudioNode, bars: Generator<Bar, never>, next: number, timer: number }} Playing */

/** @type {Playing | null} */
let playing = null;

// Build a bar's nodes in any context, an offline one too, so that it begins at `at`.
/** @param {Bar} bar @param {AudioContext} context @param {AudioNode} out @param {number} at */
export function perform({ notes }, context, out, at) {
  for (const { voice, at: after, length, pitch, level } of notes) {
    const begin = at + after;
    const gain = new GainNode(context, { gain: 0 });
    const full = level * QUIET;
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(full, begin + ATTACK[voice]);
    gain.gain.setValueAtTime(full, begin + length - RELEASE[voice]);
    if (voice === "bell") gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    else gain.gain.linearRampToValueAtTime(0, begin + length);
    gain.connect(out);
    for (const [index, type] of WAVES[voice].entries()) {
      const source = new OscillatorNode(context, { type, detune: index * DETUNE, frequency: 440 * 2 ** ((pitch - 69) / 12) });
      source.connect(gain);
      source.start(begin);
      source.stop(begin + length);
    }
  }
}

// What every note goes through: a soft edge, and the echo of a large hall.
/** @param {AudioContext} context @param {AudioNode} out */
export function hall(context, out) {
  const soft = new BiquadFilterNode(context, { type: "lowpass", frequency: 1400, Q: 0.3 });
  const echo = new DelayNode(context, { delayTime: 0.62, maxDelayTime: 1 });
  const fading = new GainNode(context, { gain: 0.42 });
  soft.connect(out);
  soft.connect(echo).connect(fading).connect(echo);
  fading.connect(out);
  return soft;
}

/** @param {import("./mixer.js").Mixer} mixer */
function start({ context, music }) {
  const out = new GainNode(context, { gain: 0 });
  out.gain.linearRampToValueAtTime(1, context.currentTime + FADE);
  out.connect(music);
  playing = { context, out, entry: hall(context, out), bars: compose(), next: context.currentTime + 0.1, timer: 0 };
  layOut(playing);
}

/** @param {Playing} playing */
function layOut(playing) {
  const { context, entry, bars } = playing;
  if (playing.next < context.currentTime) playing.next = context.currentTime + 0.1; // the machine slept
  while (playing.next < context.currentTime + AHEAD) {
    const bar = bars.next().value;
    perform(bar, context, entry, playing.next);
    playing.next += bar.length;
  }
  playing.timer = setTimeout(layOut, 1000, playing);
}

/** @param {Playing} playing */
function stop({ context, out, timer }) {
  clearTimeout(timer);
  const now = context.currentTime;
  out.gain.cancelScheduledValues(now);
  out.gain.setValueAtTime(out.gain.value, now);
  out.gain.linearRampToValueAtTime(0, now + FADE / 2);
  setTimeout(() => out.disconnect(), FADE * 500 + 100);
}

function follow() {
  const ready = settings.sound && settings.music && !document.hidden ? mixer() : null;
  if (ready && !playing) start(ready);
  else if (!ready && playing) {
    stop(playing);
    playing = null;
  }
}

listen("mixer:ready", follow);
listen("mixer:change", follow);
document.addEventListener("visibilitychange", follow);
follow();
