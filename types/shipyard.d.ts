// What the editor of starships is given, and what its modules hand each other.

/** A starship/1 document: docs/formats.md. */
interface StarshipDocument {
  rows: string[];
  [key: string]: unknown;
}

/** How a numeral is put on its badge: rules/drawing/pieces.py. */
interface BadgePieces { plates: string[]; digits: string[][][]; stroke: [string, string] }

/** What boards are drawn from: rules/drawing/pieces.py. */
interface Pieces {
  cell: number;
  symbols: string;
  ink: Record<string, string>;
  floors: Record<string, string>;
  features: Record<string, string>;
  locator: string;
  torn: string;
  number: BadgePieces;
  repairs: BadgePieces;
  rays: Record<string, number[]>;
}

/** What starships are built from: games/fleet/pages/drawings.py. */
interface Palette {
  groups: { name: string; elements: PaletteElement[] }[];
  rulesets: { key: string; name: string; address: string }[];
  words: Record<string, string>;
}
interface PaletteElement {
  name: string;
  token: string;
  also: string; // other names, to search by
  choices: Record<string, string>;
  meaning: string;
  known: Record<string, { meaning: string; clause: string }>;
}

/** What is wrong with a starship; rows and columns are counted from 1. A fix replaces whole cells. */
interface ShipProblem {
  detail: string;
  row?: number | null;
  column?: number | null;
  cells?: { row: number; column: number }[]; // all its cells, if there are several
  severity?: string; // "error" or "warning"
  fix?: { label: string; cells: { row: number; column: number; token: string }[] } | null;
}

/** One side of a cell. */
type Edge = "N" | "E" | "S" | "W";

/** A cell, read from its token: static/shipyard/cells.js. Phases are digits, `rails` and `couplings` edges. */
interface ShipCell {
  readonly floor: string;
  readonly known: boolean; // whether that is a floor at all
  readonly checkpoint: { readonly number: number; readonly damage: number } | null;
  readonly crusher: string;
  readonly rails: string;
  readonly slides: Readonly<Record<string, string>>;
  readonly couplings: string;
  readonly arms: Readonly<Record<string, string>>;
  readonly emitters: Readonly<Record<string, string>>;
  readonly rest: readonly string[]; // features that are not known
}

/** A board: its cells are tokens, in reading order. It never changes: a change makes another. */
interface Board { readonly width: number; readonly height: number; readonly cells: readonly string[] }

/** A part of a board, in cells. */
interface Area { x: number; y: number; width: number; height: number }

/** Where something is painted: a cell, and the edge of it that is meant, if any. */
interface Spot { x: number; y: number; edge: Edge | null }

/** How a turn or a mirror changes places and edges: static/shipyard/symmetry.js. */
interface Motion { at(x: number, y: number): Cell; edges: Record<string, Edge>; mirrors: boolean }

/** What is painted with: an element's token, and what was chosen for its names. */
interface Brush { name: string; token: string; values: Record<string, string> }

/** What an editor is given when it is mounted: static/shipyard/editor.js. */
interface EditorOptions {
  document: StarshipDocument;
  pieces: Pieces;
  palette: Palette;
  ruleset?: string;
  problems?: ShipProblem[];
  onchange?: (document: StarshipDocument) => void;
  inBar?: Element; // put at the end of the bar
  beside?: Element; // put first beside the cells
  outlook?: boolean; // whether there is a panel for what the ship is like before any flight
}

/** All that is saved of a draft. */
interface Drawn { document: StarshipDocument; ruleset: string; players: number }

/** A draft as the server has it, with what is wrong with it. */
interface SavedDraft { version: number; value: Drawn; problems: ShipProblem[] }

/** What two sides changed, each in another way: a cell, the size, a text (static/shipyard/merge.js). */
interface Clash { key: string; x?: number; y?: number; mine: string; theirs: string }

/** Two drawings taken together, by who has the last word where they clash. */
interface Merger { clashes: Clash[]; mine: Drawn; theirs: Drawn }

/** What this browser keeps until the server has it: static/shipyard/copies.js. */
interface Copy { key: string; value: any; base: any; version: number; at: number }

/** The server's answer: `wait` is in seconds, and `draft` is there if it was saved, or is another by now. */
interface SaveAnswer { status: number; detail?: string; wait?: number; draft?: SavedDraft | null }

/** How saving stands: static/shipyard/saver.js. */
interface SaverState {
  name: "saved" | "changed" | "saving" | "waiting" | "refused" | "asks" | "gone" | "out" | "met";
  detail?: string; // why it was refused
  until?: number; // when it is tried again
  asked?: boolean; // whether a person has chosen what is kept of what met
}

interface Clock { now(): number; after(pause: number, work: () => void): unknown; cancel(timer: unknown): void }

interface SaverOptions {
  saved: SavedDraft;
  put(value: Drawn, version: number): Promise<SaveAnswer | null>; // null where there is no answer
  ask(found: Merger, theirs: SavedDraft): Promise<"mine" | "theirs" | null>; // null if nothing was chosen
  show(value: Drawn): void; // what was taken together
  tell(state: SaverState): void;
  kept(draft: SavedDraft, isLast: boolean): void; // what was saved, and whether that is what is drawn now
  copies: { keep(value: Drawn, base: Drawn, version: number): boolean; drop(): void };
  isBusy?: () => boolean; // in the middle of a stroke
  clock?: Clock;
}

/** What a ship is like before any flight: POST shipyard/outlook of docs/api.md. */
interface ShipWay { origin: Cell; checkpoint: number; phases: number | null; cells: Cell[]; stops: number[] }
interface ShipOutlook {
  ruleset: string;
  starts: ShipWay[] | null;
  legs: ShipWay[] | null;
  behind: number;
  lines: { checkpoint: number; cells: Cell[] }[];
  shelter: { share: number; limit: number; cells: Cell[]; bare: Cell[] } | null;
  unreachable: Cell[] | null;
  findings: BoardFinding[] | null;
}
/** A fault that the wind tunnel finds without a flight: "red" proves that robots cannot play. */
interface BoardFinding { kind: string; severity: string; message: string; advice: string; cells: Cell[] }
/** Whether that is known of what is drawn now: static/shipyard/asker.js. */
interface OutlookState { name: "old" | "known" | "unknown"; outlook?: ShipOutlook }

// Classes that modules hand each other.
type ShipEditor = import("../static/shipyard/editor.js").Editor;
type BoardDraft = import("../static/shipyard/board.js").Draft;
