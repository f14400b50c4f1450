// The search in the starships to choose from: asks while one types, and leaves all else as it is. No buttons are needed then.

const PAUSE = 300; // milliseconds without another letter

const field = document.querySelector("[data-find]");

field?.removeAttribute("name"); // what is searched for is sent by the script alone
for (const button of document.querySelectorAll("[data-unscripted]")) button.hidden = true;

export const words = () => field?.value ?? "";

/** @param {() => void} ask */
export function whenSearched(ask) {
  let waiting = 0;
  const soon = (/** @type {number} */ pause) => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, pause);
  };
  field?.addEventListener("input", () => soon(PAUSE));
  field?.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    soon(0);
  });
}
