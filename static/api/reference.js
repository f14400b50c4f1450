// What a fragment of the API's reference names: a call or a shape, opened, or followed from the overview to its part.

function showNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLAnchorElement) location.replace(named.href);
  const folded = named?.closest("details");
  if (!named || !folded || folded.open) return;
  folded.open = true; // older browsers open no details for a fragment
  named.scrollIntoView();
}
addEventListener("hashchange", showNamed);
showNamed();
