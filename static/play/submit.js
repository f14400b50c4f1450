// Orders are sent without leaving the page: once however often one presses, again when the connection is back, and what the server
// says of them is what the page says.

import { emit, listen } from "../site/events.js";
import { need } from "../site/need.js";
import { sound } from "../site/sound.js";
import { gettext, listed } from "../site/words.js";
import { redraw, settled } from "./draft.js";
import { hush, notice, reasons } from "./notice.js";
import { sendTurn } from "./order_calls.js";
import { contents } from "./registers.js";
import { unstash } from "./stash.js";

const UNSENT = gettext("Not submitted: no connection. Your chips are unchanged.");
const UNSENT_HEADING = gettext("Not submitted: no connection.");
const FOREIGN = gettext("Not submitted: this page is out of date. Reload it. Your chips are kept.");

listen("stream:ready", ({ waiting_for: names = [] }) => {
  const said = listed(names);
  for (const place of document.querySelectorAll("[data-waits]")) if (said) place.textContent = said;
});

/** @param {Part} form @param {Registers} registers */
export function sendOrders(form, registers) {
  /** @type {{ sent: string, more: Record<string, string>, pressed: Part | undefined } | null} */
  let again = null; // what could not be sent, and the button that was pressed
  let refusal = false; // whether the notice says why these orders were refused
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    if (registers.missing) return void emit("orders:unfinished", {}, form);
    const pressed = /** @type {Part | null} */ (event.submitter);
    send(pressed?.name ? { [pressed.name]: pressed.value } : {}, pressed ?? undefined); // an arrow of the first heading orders by being pressed
  });
  listen("orders:change", () => {
    if (again || refusal) hush(form);
    refusal = false;
    again = null; // it is not what was to be sent any more
  }, form);
  if ("screen" in form.dataset) { // the way back in the browser's history shows the next player no hand
    addEventListener("pagehide", conceal);
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  }
  addEventListener("online", () => again && form.isConnected && again.sent === contents(form) && send(again.more, again.pressed));

  async function send(more = {}, pressed = form.querySelector("[data-run]") ?? undefined) {
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    hush(form);
    const sent = contents(form);
    pressed?.classList.add("is-busy");
    await settled();
    const answer = await sendTurn(form, "orders", "POST", { instead_of: form.elements.instead_of.value, ...more });
    again = null;
    if (answer?.ok) await taken(); // until then it is being sent: what the stream tells of it need not be asked for
    form.ariaBusy = "false";
    pressed?.classList.remove("is-busy");
    if (answer?.ok) return;
    if (!answer) {
      again = { sent, more, pressed };
      notice(form, "heading" in more ? UNSENT_HEADING : UNSENT, [gettext("Try again"), () => send(more, pressed)]);
    } else await refused(answer, more);
  }

  function conceal() {
    form.style.visibility = "hidden";
  }

  async function taken() {
    unstash(form);
    if ("screen" in form.dataset) {
      conceal(); // the next player must see nothing of this one
      return location.reload();
    }
    for (const told of document.querySelectorAll("[data-refusal], .messages")) told.remove();
    form.classList.remove("is-changed");
    const focused = form.contains(document.activeElement) || document.activeElement === document.body;
    await redraw(form, ["panel", "crew"]);
    if (focused) document.getElementById("panel-title")?.focus({ preventScroll: true });
  }

  /** @param {Answer} answer @param {Record<string, string>} more */
  async function refused({ status, body }, more) {
    if (!body) return notice(form, FOREIGN, [gettext("Reload"), () => location.reload()]);
    if (body.error === "given-elsewhere") {
      const mine = () => send({ ...more, instead_of: body.mark });
      const said = `${body.detail} ${gettext("The chips on this page are not submitted.")}`;
      return notice(form, said, [gettext("Submit these instead"), mine], [gettext("Show submitted orders"), leave]);
    }
    if (status !== 409) return showFaults(body);
    const refusal = gettext("Not submitted: {problem}", { problem: body.detail });
    const said = registers.all.length && !("screen" in form.dataset) ? `${refusal} ${chosen()}` : refusal; // the next player reads it
    unstash(form);
    form.classList.remove("is-changed");
    const part = form.closest("[data-part]");
    const name = part?.dataset.part;
    await redraw(form);
    return notice(need(document, `[data-part="${name}"]`), said);
  }

  function leave() {
    unstash(form);
    return redraw(form);
  }

  function chosen() {
    const names = registers.open.filter(({ chip }) => chip).map(({ chip }) => registers.names.get(chip));
    return names.length ? gettext("Your chips were: {chips}.", { chips: names.join("; ") }) : gettext("You had chosen no chips.");
  }

  /** @param {{ detail: string, problems: OrdersProblem[] }} given */
  function showFaults({ detail, problems }) {
    sound.play("hit");
    refusal = true;
    form.dataset.refused = "";
    registers.mark(problems);
    notice(form, [`${detail} ${gettext("Nothing was submitted.")}`, ...reasons(problems)]);
    emit("orders:refused", {}, form);
  }
}
