// The events that modules send each other: their names, and what each carries. `emit` and `listen` (static/site/events.js) take no others.

interface Events {
  // --- what the reader has set
  "settings:change": { name: keyof Settings; value: any; chosen: any }; // a setting is another now, by whatever hand
  "settings:kept": { state: "kept" | "unsent" | "refused"; says: string }; // how keeping settings went
  "mixer:ready": {}; // the page may sound from now on
  "mixer:change": { name: keyof Settings }; // the mixer has followed a setting

  // --- the page
  "page:ready": {}; // the modules of a game's page have come
  "parts:fresh": { names: string[] }; // these parts were drawn again

  // --- what is new in the game
  "stream:turn": { turn: number; seq: number }; // a turn was resolved
  "stream:ready": Ready; // who has orders in, and who has not
  "stream:chat": { id: number }; // there is a line in the chat
  "stream:over": { winner?: string | null }; // the game has ended
  "stream:lobby": {}; // something about an open game has changed
  "stream:noted": {}; // a player has changed something about a game under way
  "stream:state": { state: "live" | "polling" | "lost" }; // how the page hears of all this

  // --- orders: told on their form
  "orders:change": {}; // what lies in the registers, or another order, has changed
  "orders:foreseen": {}; // what the orders lead to is known
  "orders:refused": {}; // the server does not take the orders
  "orders:unfinished": {}; // Run was pressed while registers are empty

  // --- the proof of a starship: told on its section
  "proof:shown": {}; // another proof is shown

  // --- turns played back
  "film:start": { turn: number }; // a film comes onto the board
  "film:still": { turn: number }; // an instant of it is shown, and no other follows by itself
  "film:watched": { turn: number }; // it was played to its end; a listener that plays on prevents the default
  "film:jump": { turn: number }; // the reader has chosen another turn
  "film:end": { turn: number }; // the board shows what the page says again
}
