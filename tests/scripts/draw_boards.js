// Draws boards as the editor does, from standard input to standard output, for tests/games/fleet/pages/test_pieces.py.

import { boardOf } from "../../static/shipyard/board.js";
import { checkpointOf, fittingsOf, floorOf, railsOf, raysOf } from "../../static/shipyard/drawing.js";
import { groundOf } from "../../static/shipyard/ground.js";

const parts = [];
for await (const part of process.stdin) parts.push(part);
const { pieces, boards, margin } = JSON.parse(Buffer.concat(parts).toString());

const drawn = boards.map((rows) => {
  const board = boardOf(rows);
  return {
    ground: groundOf(board, pieces.cell, margin),
    floors: board.cells.map((token) => floorOf(pieces, token)),
    checkpoints: board.cells.map((token) => checkpointOf(pieces, token)),
    fittings: board.cells.map((token) => fittingsOf(pieces, token)),
    rails: railsOf(board, pieces.cell),
    rays: raysOf(board, pieces),
  };
});
process.stdout.write(JSON.stringify(drawn));
