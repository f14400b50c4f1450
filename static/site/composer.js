// What the music plays: calm, slow, and never the same minute twice. It knows numbers alone; music.js makes them sound.
//
//   for (const bar of compose()) …    without end; a bar is { length, notes: [{ voice, at, length, pitch, level }] }
//
// Times are seconds, `at` from the bar's start; a pitch is a MIDI number; voices are "drone", "pad" and "bell".

/** @type {number[][]} */
const MODES = [ // steps of scales without a sharp edge, from the ground tone
  [0, 2, 3, 5, 7, 9, 10], // Dorian
  [0, 2, 4, 6, 7, 9, 11], // Lydian
  [0, 2, 4, 5, 7, 9, 10], // Mixolydian
];
const MOVES = [3, -3, 2, -2, 1, 5]; // from one chord to the next, in degrees of the scale
const RESTLESS = 6; // semitones: a tritone over the ground tone of a chord pulls onward, so no chord has one
const GROUNDS = [-5, -2, 2, 3, 5]; // how far the ground tone moves between sections, in semitones
const LOW = 57; // the lowest pitch of the pad
const HIGH = 76; // above it bells begin

/** @returns {Generator<Bar, never>} */
export function* compose(random = Math.random) {
  /** @template Each @param {Each[]} list */
  const pick = (list) => list[Math.floor(random() * list.length)];
  /** @param {number} least @param {number} most */
  const between = (least, most) => least + random() * (most - least);
  let ground = 36 + Math.floor(random() * 8);
  for (;;) {
    const scale = pick(MODES);
    let degree = 0;
    for (let bars = 6 + Math.floor(random() * 7); bars > 0; bars -= 1) {
      yield bar(ground, scale, degree, pick, between);
      do degree = (degree + pick(MOVES) + 7) % 7; while (!calm(scale, degree));
    }
    ground += pick(GROUNDS);
    if (ground > 44) ground -= 12;
    if (ground < 33) ground += 12;
  }
}

// The tone that many degrees of the scale above the ground tone.
/** @param {number[]} scale @param {number} degree */
const tone = (scale, degree) => scale[degree % 7] + 12 * Math.floor(degree / 7);

/** @param {number[]} scale @param {number} degree */
const calm = (scale, degree) => tone(scale, degree + 4) - tone(scale, degree) !== RESTLESS;

/**
 * @param {number} ground
 * @param {number[]} scale
 * @param {number} degree
 * @param {<Each>(list: Each[]) => Each} pick
 * @param {(least: number, most: number) => number} between
 * @returns {Bar}
 */
function bar(ground, scale, degree, pick, between) {
  const length = between(8, 12);
  const root = ground + tone(scale, degree);
  const chord = [0, 4, 2].map((step) => root - tone(scale, degree) + tone(scale, degree + step));
  const ninth = root - tone(scale, degree) + tone(scale, degree + 8);
  if (ninth - root === 14 && chord[2] - root === 4) chord.push(ninth); // else it rubs against the root or the third
  /** @type {Note[]} */
  const notes = [{ voice: "drone", at: 0, length: length + 3, pitch: root > 43 ? root - 12 : root, level: 0.5 }];
  for (const pitch of chord) {
    notes.push({ voice: "pad", at: between(0, 1.2), length: length + between(1, 3), pitch: lift(pitch, LOW), level: between(0.28, 0.4) });
  }
  const bells = Math.floor(between(0, 5));
  for (let each = 0; each < bells; each += 1) {
    const pitch = lift(pick(chord), HIGH) + pick([0, 0, 12]);
    notes.push({ voice: "bell", at: between(0.5, length - 1), length: 5, pitch, level: between(0.08, 0.2) });
  }
  return { length, notes };
}

// The same tone in the octave that begins at `least`.
/** @param {number} pitch @param {number} least */
const lift = (pitch, least) => least + ((((pitch - least) % 12) + 12) % 12);
