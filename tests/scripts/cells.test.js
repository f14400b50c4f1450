import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { textOf } = await import("../../static/play/cells.js");

test("a cell is read out in whole sentences, without the letter of its pin", () => {
  const lines = [["", "Column 2, row 4"], ["a", "Your airlock. A robot comes back here."], ["Alice", "facing east"]];
  assert.equal(textOf(lines), "Column 2, row 4. Your airlock. A robot comes back here. Alice: facing east");
});
