// What the server tells scripts, and what modules hand each other: the shapes of documents. Each names where it is made.

type Cell = [x: number, y: number];
type Size = Pick<DOMRect, "width" | "height">;
type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** What a reader has set: UserSettings of accounts. */
interface Settings {
  aid: boolean;
  speed: number;
  motion: string;
  theme: string;
  cell_size: string;
  sound: boolean;
  volume: number;
  effects_volume: number;
  music: boolean;
  music_volume: number;
  chat_filter: boolean;
}

/** Who has orders in: an event of the stream, and the pulse of a page to which no stream comes through. */
interface Ready {
  turn: number;
  waiting_for: string[];
  noted?: string;
}

/** How far a game is, for pages to which no stream comes through. */
interface Pulse extends Ready {
  cursor: string;
  version: string;
  status: string;
  played: number;
  winner: string | null;
}

/** A turn as it is played back: games/films/pages/films.py. */
interface FilmDocument {
  turn: number;
  film: { start: Record<string, Pose>; crew?: Record<string, Status>; frames: Frame[] };
  board: string;
  words: [start: string, end: string];
  log: string;
  grid: string;
}

/** One instant of it: games/films/pages/film.py. */
interface Frame {
  phase: number;
  poses?: Record<string, Pose>;
  shots?: Shot[];
  bumps?: { robot: string; heading: number }[];
  marks?: Mark[];
  labels?: { kind: string; text: string; at: Cell; heading?: number }[];
  arms?: [x: number, y: number, edge: string][];
  crushers?: Cell[];
  cues?: Effect[];
  acting?: string[];
  driving?: string;
  faces?: Record<string, string>;
  checkpoints?: Record<string, string>;
  crew?: Record<string, Status>;
  hull?: Record<string, number>;
  doors?: Cell[];
  links?: string;
  yours?: string | string[]; // one text in films that a browser still has from before
  hit?: boolean;
}

interface Shot { from: Cell; to: Cell; hit: boolean; robot: boolean }
interface Mark { kind: string; at: Cell }
type Stance = [dx: number, dy: number, scale: number, letter?: number];

/** Where a robot is, and how; the power crystal has a place alone. */
interface Pose {
  at: Cell | null;
  heading: number | null;
  damage: number;
  virtual?: boolean;
  down?: boolean;
  crystal?: boolean;
  stance?: Stance;
}

/** A robot in the grid. */
interface Status { health: number; lives: number | null; open: number[]; locked: number[]; state: string }

/** What the board shows between two instants. */
interface Scene {
  poses: Record<string, Pose>;
  doors: Cell[];
  checkpoints: Record<string, string>;
  links: string | null;
  crew: Record<string, Status>;
  hull: Record<string, number>;
  faces: Record<string, string>;
  lit: boolean;
}

type Effect = string;

/** A note of the music: static/site/composer.js. */
interface Note { voice: "drone" | "pad" | "bell"; at: number; length: number; pitch: number; level: number }
interface Bar { length: number; notes: Note[] }

/** A register of the orders' form: static/play/registers.js. */
interface Register {
  place: Part;
  number: number;
  list: Part | null;
  socket: Part;
  readonly chip: string;
}
type OpenRegister = Register & { list: Part };

/** Orders for a turn, as the API takes them: games/play/api.py. */
interface OrdersDocument {
  registers?: (number | "P" | null)[];
  equipment?: true | number[];
  heading?: string;
  place?: number[];
  unlock?: number[];
  power_down?: true;
  stay_down?: true;
  instead_of?: string;
  screen?: number;
}

/** What scripts read of a game as the API tells it: games/play/game_view.py. */
interface GameDocument { me: { draft: { saved_at: string } | null } | null }

/** Why orders are refused: games/errors.py. */
interface OrdersProblem { detail: string; register?: number }

// Classes that modules hand each other.
type Film = import("../static/play/film.js").Film;
type Panel = import("../static/play/orders.js").Panel;
type Registers = import("../static/play/registers.js").Registers;

/** What a part of an effect sounds like: static/site/effects.js. */
interface Sound {
  wave?: OscillatorType;
  noise?: BiquadFilterType;
  slide: number[];
  sharp?: number;
  after?: number;
  length: number;
  level: number;
  attack?: number;
}

/** What is asked of a page that is fetched again: static/play/parts.js. */
interface Asked { keep?: string[]; only?: string[]; note?: { address: string; body: FormData } | null; unseen?: boolean }

/** What the server answers to a form: static/play/ask.js. */
interface Answer { ok: boolean; status: number; body: any }

/** Orders that this window holds: static/play/stash.js. */
interface Laid { contents: string; names: string; given: string }

/** A bubble: what it is about, and what it says (static/play/tips.js). */
interface Tip {
  key: Element | string;
  box(): DOMRect;
  lines(): string[][];
  drawing?: Part; // of a cell of the board
  cell?: Cell;
}
