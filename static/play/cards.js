// A click on a robot, in the crew or on the board, shows it in short. Without a script the crew's links lead to a page.

import { gettext } from "../site/words.js";

export function showCards() {
  const links = new Map();
  for (const link of document.querySelectorAll("a[data-robot-card]")) {
    links.set(link.dataset.robotCard, link);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      open(link.href);
    });
  }
  for (const board of document.querySelectorAll("[data-board]")) {
    board.addEventListener("click", (event) => {
      const robot = event.target.closest(".robot[data-seat]");
      const link = robot && links.get(robot.dataset.seat);
      if (link) open(link.href);
    });
  }
}

/** @param {string} address */
async function open(address) {
  const page = await fetch(address).then((answer) => (answer.ok ? answer.text() : ""), () => "");
  const card = new DOMParser().parseFromString(page, "text/html").querySelector("[data-card]");
  if (!card) {
    location.href = address;
    return;
  }
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.className = "card-dialog";
  dialog.setAttribute("aria-labelledby", "card-title");
  const close = Object.assign(document.createElement("button"), { className: "button button-quiet button-small card-close", textContent: gettext("Close") });
  dialog.append(card, close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
