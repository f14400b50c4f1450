// The lobby stays as it is by now: its parts are fetched anew and put in place of the old ones, but for a part in which
// something is being filled in. Says false where there is no lobby any more: then the page has to be loaded.

export async function freshen(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.querySelector("[data-lobby]")) return false;
  const title = document.querySelector("h1");
  const board = document.querySelector("[data-board]");
  const [newTitle, newBoard] = [page.querySelector("h1"), page.querySelector("[data-board]")];
  if (title.textContent !== newTitle.textContent) title.replaceWith(newTitle);
  if (board.innerHTML !== newBoard.innerHTML) board.replaceWith(newBoard);
  const fresh = new Map([...page.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const old = new Map([...document.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  if ([...fresh.keys()].join() !== [...old.keys()].join()) return false;
  for (const [name, part] of old) if (!isInUse(part)) part.replaceWith(fresh.get(name));
  return true;
}

function isInUse(part) {
  return part.contains(document.activeElement) || part.matches("[open]") || part.querySelector("details[open]") !== null;
}
