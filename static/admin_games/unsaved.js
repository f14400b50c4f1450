// Warns before a form is left that has changes which were not sent. Logging out takes drawings away that this browser keeps.

import { forgetDrawings } from "../shipyard/copies.js";

const form = document.querySelector("#content-main form[method=post]:has(.submit-row)");
let goes = false;
let isChanged = document.querySelector(".errornote, [data-unsaved]") !== null; // it was refused, or comes from a draft

form?.addEventListener("input", ({ target }) => { if (target.name) isChanged = true; }); // what has no name is not sent
form?.addEventListener("change", ({ target }) => { if (target.name) isChanged = true; });
form?.addEventListener("submit", () => { goes = true; });
addEventListener("pageshow", () => { goes = false; });
addEventListener("beforeunload", (event) => { if (isChanged && !goes) event.preventDefault(); });
document.querySelector("form[data-log-out]")?.addEventListener("submit", forgetDrawings);
