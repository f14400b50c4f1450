// A board by itself, beside which nothing is played: it says what is in its cells.

import { giveTips } from "./tips.js";

giveTips();
