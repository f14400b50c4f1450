// What is drawn and not yet saved, kept in this browser: by person, draft and window, with the version that it was drawn on. A copy goes
// once the server has it, and all go when their person logs out (static/site/person.js). Those that windows left behind are offered on the next visit.

const OLDEST = 30 * 24 * 60 * 60 * 1000; // milliseconds for which a copy that nobody asks for is kept

export class Copies {
  /** @param {string} draft @param {{ storage: Storage | null, person: number, name?: string, now?: () => number }} given */
  constructor(draft, { storage, person, name = crypto.randomUUID(), now = Date.now }) {
    this.prefix = `ship:${person}:${draft}:`;
    this.key = this.prefix + name;
    this.storage = storage;
    this.now = now;
  }

  // Keep a copy; false where the browser has no room, or keeps nothing.
  /** @param {any} value as JSON @param {any} base what was saved @param {number} version */
  keep(value, base, version) {
    try {
      this.storage?.setItem(this.key, JSON.stringify({ value, base, version, at: this.now() }));
      return this.storage !== null;
    } catch {
      return false;
    }
  }

  drop(key = this.key) {
    this.storage?.removeItem(key);
  }

  // Keep nothing any more.
  close() {
    this.drop();
    this.storage = null;
  }

  // Copies that other windows have left, the last first.
  /** @returns {Copy[]} */
  left() {
    const { storage } = this;
    if (!storage) return [];
    const keys = Object.keys(storage).filter((key) => key.startsWith(this.prefix) && key !== this.key);
    const found = keys.map((key) => ({ key, ...read(storage.getItem(key)) }));
    for (const { key, at } of found) if (!at || at < this.now() - OLDEST) storage.removeItem(key);
    return /** @type {Copy[]} */ (found.filter(({ at }) => at && at >= this.now() - OLDEST)).sort((one, other) => other.at - one.at);
  }
}

/** @param {string | null} text @returns {Partial<Copy>} */
function read(text) {
  try {
    return JSON.parse(text ?? "") ?? {};
  } catch {
    return {};
  }
}

// Take away all drawings that this browser keeps: their person logs out.
export function forgetDrawings() {
  const storage = storageHere();
  for (const key of Object.keys(storage ?? {})) if (key.startsWith("ship:")) storage?.removeItem(key);
}

// The browser's storage, null where it is switched off.
export function storageHere() {
  try {
    localStorage.getItem("");
    return localStorage;
  } catch {
    return null;
  }
}
