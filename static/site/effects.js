// What things sound like: small, dry, of metal, and quiet. Each effect is a list of parts, which sound together.
//
//   length, after      seconds: how long, and how long after the effect's beginning
//   level, attack      how loud at its loudest (0 to 1), and in how many seconds it gets there
//   slide              hertz: from, and if it slides, to
//   wave               of a tone: "sine", "triangle", "square", "sawtooth"
//   noise, sharp       noise instead of a tone: the filter's kind, and its Q

/** @param {number} frequency @param {number} after @param {number} length @param {number} [level] @returns {Sound} */
const note = (frequency, after, length, level = 0.16) => ({ wave: "triangle", slide: [frequency], after, length, level });
/** @param {number} frequency @param {number} after @param {number} [level] @returns {Sound} */
const click = (frequency, after, level = 0.3) => ({ noise: "bandpass", slide: [frequency], sharp: 4, after, length: 0.035, level, attack: 0.002 });

/** @type {Record<string, Sound[]>} */
export const EFFECTS = {
  step: [
    { wave: "triangle", slide: [132, 108], length: 0.13, level: 0.24 },
    { noise: "bandpass", slide: [620, 420], sharp: 2, length: 0.1, level: 0.14 },
  ],
  push: [
    { slide: [120, 52], length: 0.18, level: 0.5, attack: 0.003 },
    { noise: "lowpass", slide: [900, 200], length: 0.08, level: 0.3, attack: 0.002 },
  ],
  beam: [
    { noise: "bandpass", slide: [380, 1250], sharp: 3, length: 0.26, level: 0.22, attack: 0.08 },
    { slide: [196, 294], length: 0.24, level: 0.07, attack: 0.06 },
  ],
  laser: [
    { wave: "sawtooth", slide: [1500, 260], length: 0.17, level: 0.09, attack: 0.003 },
    { slide: [2600, 500], length: 0.12, level: 0.07, attack: 0.003 },
  ],
  hit: [
    { wave: "square", slide: [170, 62], length: 0.13, level: 0.12, attack: 0.002 },
    { noise: "highpass", slide: [2200, 1400], length: 0.07, level: 0.13, attack: 0.002 },
  ],
  destroyed: [
    { noise: "lowpass", slide: [1500, 70], length: 0.8, level: 0.44, attack: 0.004 },
    { slide: [150, 32], length: 0.7, level: 0.45, attack: 0.004 },
    { wave: "sawtooth", slide: [420, 60], length: 0.45, level: 0.07 },
  ],
  repair: [
    click(2400, 0), click(2700, 0.075), click(3000, 0.15),
    { wave: "triangle", slide: [494, 587], after: 0.17, length: 0.2, level: 0.12 },
  ],
  inspect: [note(659, 0, 0.22), note(988, 0.1, 0.34)],
  phase: [{ wave: "triangle", slide: [520, 500], length: 0.06, level: 0.1 }],
  "my-turn": [note(523, 0, 0.2, 0.2), note(659, 0.13, 0.2, 0.2), note(784, 0.26, 0.5, 0.2)],
  win: [
    note(523, 0, 0.2), note(659, 0.13, 0.2), note(784, 0.26, 0.2),
    note(1047, 0.39, 0.9), note(784, 0.39, 0.9, 0.1), note(659, 0.39, 0.9, 0.1),
  ],
  chip: [
    click(2900, 0, 0.28),
    { wave: "triangle", slide: [260, 180], length: 0.05, level: 0.16, attack: 0.002 },
  ],
};
