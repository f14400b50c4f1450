// The board while a turn is played back: robots go from pose to pose. What a pose is, the server has worked out; here is
// geometry and taste. The markup is that of the drawings: g.robot > g.stance > g.pose, parts shown by class.

const CELL = 32;
const EASE = "cubic-bezier(.35, 0, .25, 1)";
const SVG = "http://www.w3.org/2000/svg";
const AHEAD = [[0, -1], [1, 0], [0, 1], [-1, 0]];

const centre = ([x, y]) => [x * CELL + CELL / 2, y * CELL + CELL / 2];
const place = (at) => { const [x, y] = centre(at); return `translate(${x}px, ${y}px)`; };
const shown = (element, yes) => (yes ? element.removeAttribute("display") : element.setAttribute("display", "none"));

export class Stage {
  // `before` is the drawing at the start of the turn, `after` that at its end; `poses` are those at the start.
  constructor(before, after, poses) {
    this.drawing = before.cloneNode(true);
    this.after = after;
    this.robots = new Map();
    for (const group of this.drawing.querySelectorAll(".robot")) {
      const parts = { group, stance: group.querySelector(".stance"), pose: group.querySelector(".pose"), angle: 0 };
      this.robots.set(group.dataset.robot, parts);
    }
    this.#placeCrystal(Object.keys(poses).find((name) => poses[name].crystal));
    this.shots = this.drawing.appendChild(document.createElementNS(SVG, "g"));
    this.shots.setAttribute("class", "shots");
    this.#borrowDefinitions();
    for (const [name, pose] of Object.entries(poses)) this.put(name, pose);
  }

  // The power crystal moves like a robot, but does not turn; it may not have been there at the start.
  #placeCrystal(name) {
    let group = this.drawing.querySelector(".crystal");
    if (!group && this.after.querySelector(".crystal")) {
      group = this.after.querySelector(".crystal").cloneNode(true);
      this.drawing.querySelector(".robots").before(group);
    }
    if (group && name) this.robots.set(name, { group, stance: group.firstElementChild, pose: null, angle: 0 });
  }

  // Put a robot where a pose has it, at once.
  put(name, pose) {
    const robot = this.robots.get(name);
    if (!robot) return;
    const { group, stance } = robot;
    shown(group, pose.at);
    if (!pose.at) return;
    group.style.transform = place(pose.at);
    if (!robot.pose) return;
    const [dx, dy, scale] = pose.stance ?? [0, 0, 1];
    stance.style.transform = `translate(${dx}px, ${dy}px) scale(${scale})`;
    robot.angle += shortest((pose.heading ?? 0) * 90 - robot.angle);
    robot.pose.style.transform = `rotate(${robot.angle}deg)`;
    const states = { real: !pose.virtual, virtual: pose.virtual, down: pose.down, up: !pose.down && pose.heading !== null, undecided: pose.heading === null };
    for (const [state, holds] of Object.entries(states)) {
      for (const part of group.querySelectorAll(`.when-${state}`)) shown(part, holds);
    }
    for (const part of group.querySelectorAll("[data-from]")) shown(part, pose.damage >= Number(part.dataset.from));
  }

  // Show one instant, starting from the poses before it; resolves when it is over.
  async play(frame, poses, milliseconds) {
    const moves = [];
    for (const [name, pose] of Object.entries(frame.poses ?? {})) moves.push(this.#move(name, poses[name], pose, milliseconds));
    for (const bump of frame.bumps ?? []) moves.push(this.#bump(bump, poses[bump.robot], milliseconds));
    for (const shot of frame.shots ?? []) moves.push(this.#shoot(shot, milliseconds));
    this.settle(frame, milliseconds);
    await Promise.all(moves.flat().map((animation) => animation.finished));
    this.shots.replaceChildren();
    for (const [name, pose] of Object.entries(frame.poses ?? {})) this.put(name, pose);
  }

  // What stays as a frame has left it: doors, and hull that was welded.
  settle(frame, milliseconds = 0) {
    if (frame.doors) this.#shut(frame.doors, milliseconds);
    for (const [number, left] of Object.entries(frame.left ?? {})) this.#weld(number, left);
  }

  // Mark the robots that a frame is about, where nothing moves.
  mark(frame) {
    const acting = new Set([...Object.keys(frame.poses ?? {}), ...(frame.shots ?? []).map((shot) => shot.robot)]);
    for (const [name, { group }] of this.robots) group.classList.toggle("is-acting", acting.has(name));
    this.shots.replaceChildren();
    for (const shot of frame.shots ?? []) this.#shoot(shot, 0);
  }

  #move(name, from, to, milliseconds) {
    const robot = this.robots.get(name);
    if (!robot || !from.at) return [];
    if (!to.at) {
      const gone = { duration: milliseconds * 1.4, easing: "ease-in", fill: "forwards" };
      return [robot.stance.animate([{}, { transform: "rotate(200deg) scale(0)", opacity: 0 }], { ...gone, fill: "none" })];
    }
    const timing = { duration: milliseconds, easing: EASE };
    const turned = robot.angle + shortest((to.heading ?? 0) * 90 - robot.angle);
    const moves = [robot.group.animate([{ transform: place(from.at) }, { transform: place(to.at) }], timing)];
    if (!robot.pose) return moves;
    moves.push(robot.pose.animate([{ transform: `rotate(${robot.angle}deg)` }, { transform: `rotate(${turned}deg)` }], timing));
    if (to.damage > from.damage) {
      moves.push(robot.stance.animate([{ opacity: 1 }, { opacity: 0.25 }, { opacity: 1 }, { opacity: 0.25 }, { opacity: 1 }], { duration: milliseconds * 1.3 }));
    }
    return moves;
  }

  #bump({ robot: name, heading }, from, milliseconds) {
    const robot = this.robots.get(name);
    if (!robot || !from?.at) return [];
    const [x, y] = centre(from.at);
    const [dx, dy] = AHEAD[heading];
    const there = `translate(${x + dx * 5}px, ${y + dy * 5}px)`;
    return [robot.group.animate([{ transform: place(from.at) }, { transform: there, offset: 0.4 }, { transform: place(from.at) }], { duration: milliseconds })];
  }

  #shoot({ from, to, hit }, milliseconds) {
    const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
    const beams = ["shot", "shot-core"].map((name) => this.#draw("line", name, { x1, y1, x2, y2 }));
    if (hit) beams.push(this.#draw("circle", "shot-hit", { cx: x2, cy: y2, r: 4.5 }));
    return beams.map((beam) => beam.animate([{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], { duration: milliseconds * 1.3 }));
  }

  #draw(kind, name, attributes) {
    const element = this.shots.appendChild(document.createElementNS(SVG, kind));
    element.setAttribute("class", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  #shut(cells, milliseconds) {
    const closed = new Set(cells.map(String));
    for (const bay of this.drawing.querySelectorAll(".bay")) {
      const shut = closed.has(`${bay.dataset.x},${bay.dataset.y}`);
      for (const leaf of bay.querySelectorAll(".leaf")) {
        leaf.style.transition = milliseconds ? `transform ${milliseconds}ms ${EASE}` : "none";
        leaf.style.transform = shut ? "translate(0px)" : "";
      }
    }
  }

  // Of the drawings of a checkpoint there are two: that at the start, and that at the end, once it looks like that.
  #weld(number, left) {
    const find = (drawing) => drawing.querySelector(`.checkpoint[data-number="${CSS.escape(number)}"]`);
    const [here, then] = [find(this.drawing), find(this.after)];
    if (here && then && Number(then.dataset.left) === left) here.replaceWith(then.cloneNode(true));
  }

  #borrowDefinitions() {
    const definitions = this.drawing.querySelector("defs");
    for (const definition of this.after.querySelectorAll("defs > *")) {
      if (!definitions.querySelector(`#${CSS.escape(definition.id)}`)) definitions.append(definition.cloneNode(true));
    }
  }
}

function shortest(degrees) {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}
