// The parts of a browser that the scripts' logic needs: elements with classes, data and children, found by simple selectors.
// It has no layout and draws nothing: tests/browser covers that.

export class Element extends EventTarget {
  constructor(tag = "div", { data = {}, classes = [], children = [], ...fields } = {}) {
    super();
    this.localName = tag;
    this.dataset = { ...data };
    this.classNames = new Set(classes);
    this.attributes = new Map();
    this.childNodes = [];
    this.isConnected = true;
    this.textContent = "";
    this.append(...children);
    Object.assign(this, fields);
  }

  get classList() {
    const names = this.classNames;
    return {
      add: (...given) => given.forEach((name) => names.add(name)),
      remove: (...given) => given.forEach((name) => names.delete(name)),
      toggle: (name, on = !names.has(name)) => (on ? names.add(name) : names.delete(name)),
      contains: (name) => names.has(name),
    };
  }

  append(...nodes) {
    for (const node of nodes) {
      node.parentElement?.childNodes.splice(node.parentElement.childNodes.indexOf(node), 1);
      node.parentElement = this;
      this.childNodes.push(node);
    }
  }

  appendChild(node) { this.append(node); return node; }
  before() {}
  after() {}
  remove() { this.parentElement?.childNodes.splice(this.parentElement.childNodes.indexOf(this), 1); this.parentElement = null; }
  getBoundingClientRect() { return { x: 0, y: 0, width: 0, height: 0 }; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  removeAttribute(name) { this.attributes.delete(name); }
  cloneNode() { return new Element(this.localName, { classes: [...this.classNames] }); }
  focus() { document.activeElement = this; }
  blur() { document.activeElement = document.body; }
  contains(other) { return this === other || this.childNodes.some((child) => child.contains(other)); }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null; }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
  querySelectorAll(selector) { return this.childNodes.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]); }

  // Accepts "tag", ".class", "[data-name]" and "[data-name=value]", single or joined, or a list of these.
  matches(selector) {
    return selector.split(",").some((each) => {
      const parts = (each.split(">").at(-1) ?? "").trim().match(/[\w-]+|\.[\w-]+|\[[^\]]+\]|:[\w-]+(\([^)]*\))?/g) ?? [];
      let seen = 0;
      return parts.every((part) => { seen += 1; return this.#fits(part, seen === 1); });
    });
  }

  #fits(part, first) {
    if (part.startsWith(".")) return this.classNames.has(part.slice(1));
    if (part.startsWith(":")) return part.startsWith(":not");
    const [, name, value] = /^\[(?:data-)?([\w-]+)(?:="?([^"\]]*)"?)?\]$/.exec(part) ?? [];
    if (!name) return first && this.localName === part;
    const key = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    if (!part.startsWith("[data-")) return this.attributes.has(name) && (value === undefined || this.attributes.get(name) === value);
    return key in this.dataset && (value === undefined || this.dataset[key] === value);
  }
}

// Open an empty page for a reader with these settings, logged in if a number is given. Returns its body.
export function openPage({ settings = {}, person = null, path = "/games/1/" } = {}) {
  const given = { values: settings, person, address: "/settings/" };
  const root = new Element("html", { lang: "en", data: { settings: JSON.stringify(given) } });
  const body = new Element("body");
  root.append(body);
  const page = Object.assign(new EventTarget(), {
    documentElement: root,
    body,
    activeElement: body,
    hidden: false,
    createElement: (tag) => new Element(tag),
    createElementNS: (_, tag) => new Element(tag),
    querySelector: (selector) => root.querySelector(selector),
    querySelectorAll: (selector) => root.querySelectorAll(selector),
  });
  const window = new EventTarget();
  Object.assign(globalThis, {
    document: page,
    window: {},
    location: new URL(path, "http://robo.test"),
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
    addEventListener: window.addEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
    CSS: { escape: (text) => text },
    FormData: Fields,
  });
  return body;
}

// The data that a form sends: its enabled fields.
class Fields {
  #fields = [];

  constructor(form) {
    for (const { name, value, type, checked } of form?.elements ?? []) {
      if (name && (!["checkbox", "radio"].includes(type) || checked)) this.#fields.push([name, value]);
    }
  }

  set(name, value) { this.#fields.push([name, value]); }
  [Symbol.iterator]() { return this.#fields[Symbol.iterator](); }
}

// Press a key at the focus. Returns the event.
export function press(key, { at = document.activeElement, ...held } = {}) {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, repeat: false, ...held });
  Object.defineProperty(event, "target", { value: at });
  document.dispatchEvent(event);
  return event;
}

// The form of orders: registers with their chips, null for locked ones, and the hand.
export function ordersForm({ registers = ["", "", "", "", ""], hand = [], data = {}, ...fields } = {}) {
  const places = registers.map((chip, index) => {
    const place = new Element("li", { data: { register: String(index + 1) } });
    if (chip !== null) place.append(new Element("select", { name: `register-${index + 1}`, value: chip, selectedIndex: 0 }));
    else place.append(new Element("span", { classes: ["chip"] }));
    return place;
  });
  const keys = hand.map((chip) => new Element("li", { data: { chip, name: `Chip ${chip}` }, children: [new Element("span", { classes: ["chip"] })] }));
  const form = new Element("form", { data: { game: "1", turn: "2", version: "running-2-hand", api: "/api/v1/games/1", ...data }, children: [...places, ...keys], ...fields });
  form.elements = Object.assign(form.querySelectorAll("select"), { csrfmiddlewaretoken: { value: "token" } });
  form.ariaBusy = "false";
  form.requestSubmit = () => form.dispatchEvent(new Event("run"));
  document.body.append(form);
  return form;
}
