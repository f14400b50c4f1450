// Over the drawing, what a ship is like before any flight. Each part has a form of its own, so that no one needs the colours: ways are
// lines with a dot where a phase ends, lines of fire are barbed, cells that are open to shots have a ring, those out of reach are
// hatched, and those of a finding are framed.

/** @param {ShipOutlook} outlook @param {Set<string>} shown @param {number} size of a cell, in user units */
export function marksOf({ starts, legs, lines, shelter, unreachable, findings }, shown, size) {
  const parts = [];
  if (shown.has("unreachable")) parts.push(...(unreachable ?? []).map(([x, y]) => `<rect class="is-unreachable" x="${x * size}" y="${y * size}" width="${size}" height="${size}"/>`));
  if (shown.has("shelter") && shelter) {
    const bare = new Set(shelter.bare.map(String));
    for (const cell of shelter.cells) parts.push(spotMark(cell, size, bare.has(String(cell)) ? "is-bare" : "is-sheltered"));
  }
  if (shown.has("lines")) parts.push(...lines.map(({ cells }) => doubled("is-fire", pathOf(cells, size, 0))));
  if (shown.has("ways")) {
    for (const [index, way] of [...(starts ?? []), ...(legs ?? [])].entries()) {
      if (way.cells.length) parts.push(wayMark(way, size, ((index % 5) - 2) * (size / 12), starts?.includes(way) ? "is-start" : "is-leg"));
    }
  }
  for (const finding of findings ?? []) if (shown.has(keyOf(finding))) parts.push(...finding.cells.map((cell) => framed(cell, size, `is-finding is-${finding.severity}`)));
  return parts.join("");
}

// What a finding is known by, also after the next stroke.
/** @param {BoardFinding} finding */
export const keyOf = ({ kind, message }) => `${kind}: ${message}`;

/** @param {Cell} cell @param {number} size @param {string} kind */
const framed = ([x, y], size, kind) => {
  const box = `x="${x * size + 2}" y="${y * size + 2}" width="${size - 4}" height="${size - 4}" rx="3"`;
  return `<g class="${kind}"><rect class="is-rim" ${box}/><rect class="is-line" ${box}/></g>`;
};

// Ways that share cells lie side by side.
/** @param {ShipWay} way @param {number} size @param {number} shift @param {string} kind */
function wayMark({ cells, stops }, size, shift, kind) {
  const dots = stops.map((stop) => cells[stop]).filter((cell) => cell !== undefined)
    .map((cell) => { const [x, y] = middle(cell, size, shift); return `<circle cx="${x}" cy="${y}" r="${size / 11}"/>`; });
  return `<g class="is-way ${kind}">${doubled("", pathOf(cells, size, shift))}${dots.join("")}</g>`;
}

// A line with a rim, to be seen on anything.
/** @param {string} kind @param {string} data */
const doubled = (kind, data) => `<g class="${kind}"><path class="is-rim" d="${data}"/><path class="is-line" d="${data}"/></g>`;

/** @param {Cell[]} cells @param {number} size @param {number} shift */
const pathOf = (cells, size, shift) => cells.map((cell, index) => `${index ? "L" : "M"}${middle(cell, size, shift).join(" ")}`).join("");

/** @param {Cell} cell @param {number} size @param {number} shift */
const middle = ([x, y], size, shift) => [(x + 0.5) * size + shift, (y + 0.5) * size + shift];

/** @param {Cell} cell @param {number} size @param {string} kind */
function spotMark(cell, size, kind) {
  const [x, y] = /** @type {[number, number]} */ (middle(cell, size, 0));
  if (kind === "is-bare") return `<circle class="is-rim is-bare" cx="${x}" cy="${y}" r="${size * 0.36}"/><circle class="is-bare is-line" cx="${x}" cy="${y}" r="${size * 0.36}"/>`;
  const side = size * 0.62;
  return `<rect class="is-sheltered" x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}" rx="${size / 8}"/>`;
}
