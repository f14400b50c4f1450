// Sounds, made in the browser, and heard through the mixer. What belongs to the picture is not heard from a hidden tab. A call to the reader ("my-turn") is no effect: it knows the master volume alone.

import { mixer } from "./mixer.js";
import { EFFECTS } from "./effects.js";
import { listen } from "./events.js";
import { settings } from "./settings.js";

export { follow } from "./mixer.js";

const BACKGROUND_SOUNDS = new Set(["my-turn"]); // heard from hidden tabs as well
const MIN_INTERVAL = 0.04; // seconds: the same thing at the same time is one sound
const MAX_VOICES = 16; // sounds at once, at most

let voices = 0;
const last = new Map(); // when each was played, by the context's clock

// Play one of EFFECTS, if it may be heard; true if it is.
/** @param {Effect} name */
export function play(name) {
  if (!settings.sound || !EFFECTS[name] || (document.hidden && !BACKGROUND_SOUNDS.has(name))) return false;
  const running = mixer();
  if (!running || voices >= MAX_VOICES) return false;
  const now = running.context.currentTime;
  if (now - (last.get(name) ?? -1) < MIN_INTERVAL) return false;
  last.set(name, now);
  voices += 1;
  const seconds = perform(name, running.context, BACKGROUND_SOUNDS.has(name) ? running.all : running.effects, now);
  setTimeout(() => { voices -= 1; }, seconds * 1000);
  return true;
}

// Build a sound's nodes in any context, an offline one too, so that it begins at `at`; answers how long it lasts.
/** @param {Effect} name @param {BaseAudioContext} context @param {AudioNode} out @param {number} at */
export function perform(name, context, out, at) {
  let end = 0;
  for (const part of EFFECTS[name]) {
    const { after = 0, length } = part;
    const begin = at + after;
    const source = part.noise ? rustle(context, part, begin) : tone(context, part, begin);
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0, begin);
    loudness.gain.linearRampToValueAtTime(part.level, begin + (part.attack ?? 0.006));
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    source.connect(loudness).connect(out);
    end = Math.max(end, after + length);
  }
  return end;
}

// A tone of `wave`, which slides from the first of its frequencies to the last.
/** @param {BaseAudioContext} context @param {Sound} given @param {number} begin */
function tone(context, { wave = "sine", slide, length }, begin) {
  const source = new OscillatorNode(context, { type: wave });
  glide(source.frequency, slide, begin, length);
  source.start(begin);
  source.stop(begin + length);
  return source;
}

// Noise through a filter, whose frequency slides.
/** @param {BaseAudioContext} context @param {Sound} given @param {number} begin */
function rustle(context, { noise, slide, sharp = 1, length }, begin) {
  const source = new AudioBufferSourceNode(context, { buffer: whiteNoise(context), loop: true });
  const filter = new BiquadFilterNode(context, { type: noise, Q: sharp });
  glide(filter.frequency, slide, begin, length);
  source.start(begin);
  source.stop(begin + length);
  return source.connect(filter);
}

/** @param {AudioParam} parameter @param {number[]} given @param {number} begin @param {number} length */
function glide(parameter, [from, to = from], begin, length) {
  parameter.setValueAtTime(from, begin);
  parameter.exponentialRampToValueAtTime(to, begin + length);
}

const buffers = new WeakMap();

/** @param {BaseAudioContext} context */
function whiteNoise(context) {
  if (!buffers.has(context)) {
    const buffer = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
    buffers.set(context, buffer);
  }
  return buffers.get(context);
}

// The reader who moves a volume, or switches sound on, hears what it is like.
listen("mixer:change", ({ name }) => {
  if (["sound", "volume", "effects_volume"].includes(name)) play("inspect");
});
