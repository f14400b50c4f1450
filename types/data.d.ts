// All `data-` names by which scripts find their way in the server's markup: nothing else is agreed between them. `dataset` knows these
// names alone, and tests/scripts/names.test.js holds that scripts and server use each of them. Empty ones only mark their element.

interface DOMStringMap {
  // --- every page
  challengeWait: string;
  challengeSaid: string;
  challenge: string;
  clip: string;
  columnName: string;
  embed: string;
  settings: string; // on <html>, as JSON: what the reader has set
  errors: string; // what has to be read first, and gets the focus
  theme: string; // on <html>, for style sheets, with motion and cell: settings that are not the first ones
  motion: string;
  cell: string;
  light: string; // a colour of the browser's frame: for which theme it is
  chooseTheme: string; // the switch: which theme it chooses
  timeZone: string; // an empty field for the reader's own
  earned: string; // the note of an achievement
  tip: string; // what an element is
  tips: string; // a group whose tips are told together
  copy: string; // something to be copied
  copyButton: string;
  state: string; // of the stream, of keeping settings, of a robot in the grid

  // --- settings, passkeys, browsers
  settingsForm: string;
  settingsKeep: string;
  settingsSaid: string;
  volumes: string; // which switch the volumes hang on
  passkey: string; // "make" or "show"
  passkeySaid: string;
  options: string; // what to ask the browser for, as JSON
  optionsAt: string; // or where that is told
  push: string; // the key by which the site may send
  pushSaid: string;
  device: string; // a browser that is told
  deviceHere: string;

  // --- a game's page and its parts
  console: string; // what makes a page a game's
  part: string; // the name of a part that is drawn again by itself
  parts: string; // its children are parts that may come and go
  version: string; // of a part: it is replaced when its version is another
  fresh: string; // where a page asks which of its parts have changed
  mark: string; // of a part without a version: another one when it says something else
  same: string; // of a part that an answer leaves out
  scrolls: string; // stays where it was scrolled to
  inUse: string; // is not drawn again now
  stream: string; // where a page hears what is new, and how far it is
  pulse: string;
  cursor: string;
  turn: string;
  waiting: string;
  noted: string;
  seen: string;
  status: string;
  lost: string; // shown while there is no connection
  tabs: string;
  tabList: string;
  menu: string;
  menuButton: string;
  menuJump: string;
  menuKeys: string;
  nextGame: string; // the way to the next game that waits
  closeMenu: string;
  fullScreen: string;
  card: string; // a robot in short
  robotCard: string; // whose link leads to it
  clock: string; // a time, to be shown in the reader's zone
  until: string; // a time, to be counted down to
  counts: string; // it does so
  short: string; // seconds from which on it is called short

  // --- the crew
  mate: string;
  mateTime: string;
  lamp: string;
  lampText: string;
  ready: string; // how many are ready, of how many
  of: string;
  waits: string; // whom the panel waits for

  // --- orders
  advice: string;
  orders: string; // the form, and which turn of which game it is for
  game: string;
  api: string; // where the API has the game
  draftSaved: string; // when, in seconds
  screen: string; // the seat of the player at a screen that several players share
  zone: string; // the reader's time zone
  submitted: string;
  decides: string; // the form of a robot that is powered down
  register: string; // its number
  holds: string; // the chip that is shown in it
  chip: string; // its number
  name: string;
  run: string;
  clear: string;
  hint: string; // what is said beside Run
  told: string; // the same, for those who listen
  notice: string;
  draft: string;
  logOut: string; // a form that logs out
  draftText: string;
  drop: string;
  aid: string;
  foreseen: string;
  warning: string; // what the orders lead to is fatal, or not allowed
  refused: string; // these orders were sent, and not taken
  counting: string; // what was submitted, while something else lies in the registers
  headings: string;
  compass: string; // the same with a program
  askHeading: string; // asks for it again
  spots: string;
  spot: string; // a cell to come back on

  // --- the film of the front page
  daily: string; // the form of a daily run
  dailyLog: string;
  showcase: string;
  showcasePlay: string;

  // --- the board
  board: string;
  x: string;
  y: string;
  edge: string;
  robot: string; // its name
  seat: string;
  heading: string;
  damage: string;
  from: string; // the damage from which on a scar shows; of a line of the log the instant, of an offer the turn
  to: string;
  number: string; // of a checkpoint
  left: string; // how often a checkpoint has to be reached still; in the grid, health
  letter: string; // of a pin, and of the note that it belongs to
  note: string;
  noteText: string;

  // --- turns played back
  player: string;
  kind: string; // of the page
  first: string; // turns there are; of a tab, that it is shown at first; in the grid, what a film begins with
  last: string; // also of the chat, the last line on the page
  films: string; // addresses
  pages: string;
  position: string;
  gamePosition: string; // the bar of the whole game, and what stands on it
  gameMoments: string;
  at: string; // of a moment: its instant in the turn
  place: string; // its place among the game's turns
  look: string; // its robot's picture
  marks: string;
  play: string;
  playLabel: string;
  step: string;
  phase: string;
  speed: string;
  turns: string;
  before: string;
  after: string;
  done: string;
  whole: string;
  caption: string;
  announce: string;
  offer: string; // to watch what was missed
  offerWatch: string;
  refusal: string; // why a form was refused
  allIn: string; // the message that all orders are in
  recap: string; // the card after a turn
  seenTurn: string;
  turnLink: string;
  log: string; // of which turn
  logTurn: string;
  frame: string; // the instant that a line tells
  grid: string;
  row: string; // a robot; in the proof of a starship, a row of its text
  column: string;
  hull: string;
  lives: string;

  // --- the chat
  chat: string;
  chatBox: string;
  chatLines: string;
  chatEnd: string;
  chatEmpty: string;
  chatDown: string;
  chatForm: string;
  chatSays: string;
  chatLeft: string;
  chatRead: string;
  chatText: string;
  chatFiltered: string;
  chatNew: string;
  chatMark: string;
  chatCount: string;
  address: string;
  analysis: string;
  readAddress: string;
  unread: string;
  line: string;
  longest: string;

  // --- forms of games, and the proof of a starship
  create: string;
  assembly: string;
  setUp: string; // a position that is set up
  piece: string; // the number of a robot there
  choosePiece: string; // its button
  placed: string; // what is said of a robot that was placed
  terms: string; // fields that change the others
  columns: string;
  rows: string;
  refresh: string;
  scripted: string; // shown with a script alone
  unscripted: string; // shown without one alone
  quick: string;
  fits: string;
  find: string; // the field in which one searches for a starship
  proof: string;
  shipyard: string; // where the editor of starships is mounted
  tunnel: string; // what a page tells of a run of the wind tunnel
  followed: string; // where the API tells how far it is, while it is under way
  flown: string; // the number of flights so far
  pieces: string; // what it draws with, and what it paints with: addresses
  palette: string;
  inCells: string; // what is wrong with single cells, as JSON
  kept: string; // where a drawing that this browser has kept is offered
  person: string; // the number of who draws
  lastSaved: string; // the number of the last revision that they saved
  unsaved: string; // what the form has is not saved yet

  // --- the page of a draft of a starship
  shipyardEditor: string; // where the editor is mounted; `draft` is the draft's address
  drafts: string; // addresses
  check: string;
  outlook: string;
  wins: string; // the part of a run that tells who wins
  fly: string; // the section with the form, and what is said where it cannot be flown
  flyForm: string;
  grounded: string;
  fact: string; // which one is told

  // --- the page of a tournament
  live: string; // the boards of a round or a search for a game, which the page follows
}
