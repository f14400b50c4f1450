import assert from "node:assert/strict";
import { test } from "node:test";

import { left } from "../../static/play/clock.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

test("remaining time is shown in suitable units", () => {
  const said = [
    [0, "time is up"],
    [-5, "time is up"],
    [9, "0:09 left"],
    [5 * MINUTE + 3.9, "5:03 left"],
    [10 * MINUTE, "10 min left"],
    [59 * MINUTE + 59, "59 min left"],
    [HOUR, "1 h 0 min left"],
    [23 * HOUR + 59 * MINUTE, "23 h 59 min left"],
    [DAY, "1 day 0 h left"],
    [2 * DAY + 5 * HOUR, "2 days 5 h left"],
    [3 * DAY - 1, "2 days 23 h left"],
    [3 * DAY, "3 days left"],
    [10 * DAY + 20 * HOUR, "10 days left"],
  ];
  for (const [seconds, text] of said) assert.equal(left(seconds), text);
});
