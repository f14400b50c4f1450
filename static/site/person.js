// Whose page this is: the number of the person who was logged in when it was made, null for a stranger. If another person logs in in
// this browser, or this one logs out, the open pages of this one load again. Pages say by a channel whose they are.

const page = JSON.parse(document.documentElement.dataset.settings ?? "{}");

/** @type {number | null} */
export const person = page.person ?? null;

// A name for what this window keeps, which no other person's page in it reads.
/** @param {string} name */
export const personKey = (name) => `own:${person ?? ""}:${name}`;

// Whether the page is still that of the person who is logged in, as far as the server can be asked. If not, it loads again.
export async function isSamePerson() {
  if (person === null) return true;
  const answer = await fetch(page.address, { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => null);
  const known = answer?.ok ? (await answer.json().catch(() => null))?.person : person;
  if (answer?.status !== 403 && (known ?? person) === person) return true;
  location.reload();
  return false;
}

// Take away what this browser keeps of the person, who logs out.
export function forget() {
  forgetHere();
  pages?.postMessage({ out: person });
}

function forgetHere() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(personKey(""))) sessionStorage.removeItem(name);
    for (const name of Object.keys(localStorage)) if (name.startsWith("ship:")) localStorage.removeItem(name);
  } catch {
    // storage is switched off: nothing was kept
  }
}

// Pages say whose they are when they are opened, and who logs out.
const pages = "BroadcastChannel" in window ? new BroadcastChannel("person") : null;
pages?.addEventListener("message", ({ data }) => {
  if (data?.out === undefined) data !== person && isSamePerson();
  else if (data.out === person) forgetHere();
});
pages?.postMessage(person);
addEventListener("pageshow", ({ persisted }) => { if (persisted) isSamePerson(); });
