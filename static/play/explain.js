// A page on which nothing is played: its board says what is in its cells, its lamps what they mean.

import { giveTips } from "./tips.js";

giveTips();
