// Undo and redo without end. A command is all that changed between two boards: cells before and after, or the boards where the size did.

/** @typedef {{ name: string, cells: [index: number, before: string, after: string][] | null, before: Board | null, after: Board | null }} Command */

export class History {
  /** @type {Command[]} */ past = [];
  /** @type {Command[]} */ future = [];

  // Keep a step from one board to another; false if they are the same.
  /** @param {string} name @param {Board} before @param {Board} after */
  add(name, before, after) {
    const command = commandOf(name, before, after);
    if (!command) return false;
    this.past.push(command);
    this.future = [];
    return true;
  }

  // The board as it was before the last command; null without one.
  /** @param {Board} board @returns {{ board: Board, name: string } | null} */
  undo(board) {
    const command = this.past.pop();
    if (!command) return null;
    this.future.push(command);
    return { board: command.before ?? replaced(board, command.cells ?? [], 1), name: command.name };
  }

  /** @param {Board} board @returns {{ board: Board, name: string } | null} */
  redo(board) {
    const command = this.future.pop();
    if (!command) return null;
    this.past.push(command);
    return { board: command.after ?? replaced(board, command.cells ?? [], 2), name: command.name };
  }
}

/** @param {string} name @param {Board} before @param {Board} after @returns {Command | null} */
function commandOf(name, before, after) {
  if (before.width !== after.width || before.height !== after.height) return { name, cells: null, before, after };
  const cells = before.cells.flatMap((token, index) => {
    const now = after.cells[index] ?? token;
    return token === now ? [] : [/** @type {[number, string, string]} */ ([index, token, now])];
  });
  return cells.length ? { name, cells, before: null, after: null } : null;
}

/** @param {Board} board @param {[number, string, string][]} changes @param {1 | 2} which @returns {Board} */
function replaced(board, changes, which) {
  const cells = [...board.cells];
  for (const change of changes) cells[change[0]] = change[which];
  return { ...board, cells };
}
