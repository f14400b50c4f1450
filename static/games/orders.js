// Turns the lists of the orders' form into sockets, and the chips of the hand into keys: click a chip, and it goes into the
// first empty register, or into the one chosen; click it again, or its register, and it comes back. The lists stay what the
// form sends.

const PAUSE = "P";

export function takeOrders(form) {
  if (form.querySelector("fieldset").disabled) return showOnly(form);
  const registers = [...form.querySelectorAll("[data-register]")]
    .map((place) => ({ place, list: place.querySelector("select") }))
    .filter(({ list }) => list);
  const keys = new Map();
  let target = null;
  if (registers.length) makeLive();
  else hint("");

  function makeLive() {
    form.classList.add("is-live");
    for (const register of registers) {
      const socket = document.createElement("button");
      socket.type = "button";
      socket.className = "register-socket";
      socket.addEventListener("click", () => (register.list.value ? empty(register) : aim(register)));
      register.place.append(socket);
      register.socket = socket;
      register.list.tabIndex = -1;
    }
    [...form.querySelectorAll("[data-chip]")].forEach((item, index) => {
      const key = document.createElement("button");
      key.type = "button";
      key.className = "chip-key";
      key.append(...item.childNodes);
      key.addEventListener("click", () => toggle(item.dataset.chip));
      const shortcut = item.dataset.chip === PAUSE ? PAUSE : String(index + 1);
      key.setAttribute("aria-keyshortcuts", shortcut);
      const number = document.createElement("span");
      number.className = "key-hint";
      number.textContent = shortcut;
      number.setAttribute("aria-hidden", "true");
      item.append(key, number);
      keys.set(item.dataset.chip, key);
    });
    const clear = form.querySelector("[data-clear]");
    clear.hidden = false;
    clear.addEventListener("click", (event) => {
      event.preventDefault();
      for (const register of registers) register.list.value = "";
      target = null;
      show();
    });
    document.addEventListener("keydown", press);
    form.addEventListener("change", show);
    addEventListener("pageshow", show); // a browser that goes back fills in lists after this script has run
    show();
  }

  function toggle(chip) {
    const holder = registers.find(({ list }) => list.value === chip);
    if (holder) return empty(holder);
    const free = target ?? registers.find(({ list }) => !list.value);
    if (!free) return hint("All registers are filled: click one to empty it.");
    free.list.value = chip;
    forgive(free);
    target = null;
    show();
  }

  function empty(register) {
    register.list.value = "";
    forgive(register);
    show();
  }

  function aim(register) {
    target = target === register ? null : register;
    show();
  }

  function forgive({ place, list }) {
    place.classList.remove("is-wrong");
    place.querySelector(".register-wrong")?.remove();
    list.removeAttribute("aria-invalid");
  }

  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input:not([type=checkbox]):not([type=radio]), select, textarea")) return;
    if (/^[1-9]$/.test(event.key)) {
      const chip = [...keys.keys()][Number(event.key) - 1];
      if (chip && chip !== PAUSE) toggle(chip);
    } else if (event.key.toUpperCase() === PAUSE && keys.has(PAUSE)) {
      toggle(PAUSE);
    } else if (event.key === "Backspace") {
      const last = registers.findLast(({ list }) => list.value);
      if (last) empty(last);
    } else if (event.key === "Escape") {
      target = null;
      show();
    } else {
      return;
    }
    event.preventDefault();
  }

  function show() {
    for (const register of registers) {
      const { place, list, socket } = register;
      const chip = list.value;
      place.querySelector(".chip:not(.is-locked)")?.remove();
      if (chip) socket.before(copy(keys.get(chip).querySelector(".chip")));
      place.classList.toggle("is-empty", !chip);
      place.classList.toggle("is-target", register === target);
      const name = `Register ${place.dataset.register}`;
      const said = list.selectedOptions[0]?.textContent;
      socket.setAttribute("aria-label", chip ? `${name}: ${said}. Take it out.` : `${name}: empty. Put the next chip here.`);
    }
    const used = new Set(registers.map(({ list }) => list.value));
    for (const [chip, key] of keys) {
      key.classList.toggle("is-chosen", used.has(chip));
      key.setAttribute("aria-pressed", String(used.has(chip)));
    }
    const missing = registers.filter(({ list }) => !list.value).length;
    hint(missing ? `${missing} ${missing === 1 ? "register" : "registers"} to fill` : "");
  }

  function hint(text) {
    const place = form.querySelector("[data-hint]");
    if (place) place.textContent = text;
  }
}

// Orders that cannot be changed any more: the chips stand in their registers.
function showOnly(form) {
  form.classList.add("is-live");
  for (const place of form.querySelectorAll("[data-register]")) {
    const chip = place.querySelector("select")?.value;
    const shown = chip && form.querySelector(`[data-chip="${CSS.escape(chip)}"] .chip`);
    if (!shown) continue;
    place.append(copy(shown));
    shown.classList.add("is-chosen");
  }
}

function copy(chip) {
  const copied = chip.cloneNode(true);
  copied.setAttribute("aria-hidden", "true");
  return copied;
}
