// What one plays with on a game's page: orders, and the film of a turn. A module of its own, so that the browser can answer a touch
// before it and after it.

import { bind } from "./bind.js";
import { showHeadings } from "./facing.js";
import { takeOrders } from "./orders.js";
import { playBack } from "./player.js";
import { showSpots } from "./spots.js";

bind([
  ["form[data-orders]", takeOrders],
  ["[data-spots]", showSpots],
  ["[data-headings]", showHeadings],
  ["[data-player]", playBack],
]);
