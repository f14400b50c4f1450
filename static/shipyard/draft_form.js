// The form of a draft: its cells as text, its name, its story, and what it is for. It says what is drawn, and is filled with it.

import { isTooLarge } from "./board.js";
import { tooLarge } from "./editor.js";
import { gettext } from "../site/words.js";

export class DraftForm {
  /** @param {Part} form @param {Drawn} value */
  constructor(form, value) {
    this.form = form;
    this.value = value;
    this.fill(value);
  }

  /** @param {Drawn} value */
  fill(value) {
    this.value = value;
    const { document, ruleset, players } = value;
    const { rows, name, description } = this.form.elements;
    /** @type {[Part, unknown][]} */
    const filled = [[rows, document.rows.join("\n")], [name, document["name"] ?? ""], [description, document["description"] ?? ""], [this.form.elements.ruleset, ruleset], [this.form.elements.players, players]];
    for (const [field, text] of filled) if (field.value !== String(text)) field.value = String(text);
  }

  // Take rows from the drawing.
  /** @param {string[]} rows */
  draw(rows) {
    this.value = { ...this.value, document: { ...this.value.document, rows } };
    this.form.elements.rows.value = rows.join("\n");
    return this.value;
  }

  // What stands in the form now. Without a cell, or with a number that is none, what was there before counts.
  read() {
    const { rows, name, description, ruleset, players } = this.form.elements;
    const typed = rowsIn(rows.value);
    const number = Number(players.value);
    this.value = {
      document: { ...this.value.document, name: name.value.trim(), description: description.value, rows: typed.length ? typed : this.value.document.rows },
      ruleset: ruleset.value,
      players: players.validity.valid && players.value ? number : this.value.players,
    };
    return this.value;
  }

  // Why what is typed cannot be drawn; null where it can be.
  get refusal() {
    if (this.isEmpty) return gettext("A ship needs at least one cell. Enter one below to continue drawing.");
    return isTooLarge(rowsIn(this.form.elements.rows.value)) ? tooLarge() : null;
  }

  get isEmpty() {
    return !rowsIn(this.form.elements.rows.value).some((row) => row.trim());
  }
}

// The rows of a text, without the empty lines around them.
/** @param {string} text */
function rowsIn(text) {
  const inner = text.replace(/^[\r\n]+|[\r\n]+$/g, "");
  return inner ? inner.split(/\r?\n/) : [];
}
