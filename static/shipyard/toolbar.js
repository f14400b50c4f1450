// The bar above the cells: tools, undo, symmetry, what can be done with a selection, help. Below them: the size of the board, and zoom.

import { LARGEST } from "./board.js";
import { iconButton, make } from "./dom.js";
import { SYMMETRIES } from "./symmetry.js";
import { need } from "../site/need.js";
import { gettext, pgettext } from "../site/words.js";

/** @param {ShipEditor} editor @param {Element} [more] what the page puts at the end of the bar */
export function makeToolbar(editor, more) {
  const modes = /** @type {[string, string, string][]} */ ([
    ["draw", "draw", gettext("Draw")],
    ["fill", "fill", gettext("Fill")],
    ["erase", "erase", gettext("Erase")],
    ["select", "select", gettext("Select and move")],
  ]).map(([mode, picture, name]) => iconButton(picture, name, () => editor.use(mode), { "data-mode": mode, "aria-pressed": "false" }));
  const undo = iconButton("undo", gettext("Undo"), () => editor.undo());
  const redo = iconButton("redo", gettext("Redo"), () => editor.redo());
  const symmetries = /** @type {Record<string, string>} */ ({
    none: gettext("No symmetry"),
    sides: gettext("Mirror left and right"),
    ends: gettext("Mirror top and bottom"),
    half: gettext("Half turn"),
    mirrors: gettext("Both mirrors"),
    quarters: gettext("Quarter turns"),
  });
  const symmetry = make("select", { className: "yard-symmetry", "aria-label": gettext("Symmetry while painting"), onchange: () => editor.setSymmetry(symmetry.value) },
    ...SYMMETRIES.map((value) => make("option", { value }, symmetries[value] ?? value)));
  const selected = [
    iconButton("cut", gettext("Cut"), () => editor.copyOut(true)),
    iconButton("copy", gettext("Copy"), () => editor.copyOut(false)),
    iconButton("clear", gettext("Clear"), () => editor.clear()),
    iconButton("crop", gettext("Crop the ship to the selection"), () => editor.crop()),
  ];
  const paste = iconButton("paste", gettext("Paste"), () => editor.pasteIn());
  const turns = [
    iconButton("left", pgettext("drawing", "Turn left"), () => editor.turn("left")),
    iconButton("right", pgettext("drawing", "Turn right"), () => editor.turn("right")),
    iconButton("sides", gettext("Mirror left and right"), () => editor.turn("sides")),
    iconButton("ends", gettext("Mirror top and bottom"), () => editor.turn("ends")),
  ];
  const size = make("summary", { className: "yard-text-button" });
  const sides = /** @type {[string, string][]} */ ([["north", gettext("Top")], ["east", gettext("Right")], ["south", gettext("Bottom")], ["west", gettext("Left")]]);
  const lines = sides.map(([side, name]) => ({
    name,
    isAcross: side === "east" || side === "west",
    less: iconButton("smaller", gettext("Remove a row or column: {side}", { side: name }), () => editor.resize({ [side]: -1 })),
    more: iconButton("larger", gettext("Add a row or column: {side}", { side: name }), () => editor.resize({ [side]: 1 })),
  }));
  const sizes = make("details", { className: "yard-menu" }, size, make("div", { className: "yard-menu-box yard-sides" },
    ...lines.map(({ name, less, more }) => make("div", { className: "yard-side", role: "group", "aria-label": name }, make("span", {}, name), less, more)),
    make("p", { className: "yard-limit" }, gettext("Up to {most} rows and columns", { most: LARGEST }))));
  const zoom = [
    iconButton("smaller", gettext("Smaller cells"), () => editor.view.zoom(-1)),
    iconButton("fit", gettext("Show the whole ship"), () => editor.view.fit()),
    iconButton("larger", gettext("Larger cells"), () => editor.view.zoom(1)),
  ];
  const help = make("details", { className: "yard-menu is-last" }, make("summary", { className: "yard-text-button" }, gettext("Help")), makeHelp());
  // Of the menus one is open, and none once a person goes on elsewhere.
  for (const menu of [sizes, help]) {
    menu.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget && !menu.contains(/** @type {Node} */ (relatedTarget))) menu.open = false; });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
  }
  /** @param {string} name @param {Part[]} buttons @param {string} [more] */
  const group = (name, buttons, more = "") => make("div", { className: `yard-tools ${more}`, role: "group", "aria-label": name }, ...buttons);
  const element = make("div", { className: "yard-bar" },
    group(gettext("Tools"), modes), group(gettext("Undo and redo"), [undo, redo]), symmetry,
    group(gettext("Selection"), [...selected.slice(0, 2), paste, ...selected.slice(2)], "is-for-parts"), group(gettext("Turn and mirror"), turns, "is-for-parts"), more ?? null, help);
  const foot = make("div", { className: "yard-tools" }, sizes, group(gettext("Zoom"), zoom));

  function show() {
    element.dataset["mode"] = editor.mode;
    for (const button of modes) button.setAttribute("aria-pressed", String(button.dataset["mode"] === editor.mode));
    undo.disabled = !editor.history.past.length;
    redo.disabled = !editor.history.future.length;
    undo.title = editor.history.past.at(-1) ? gettext("Undo: {name}", { name: editor.history.past.at(-1)?.name ?? "" }) : gettext("Undo");
    for (const button of selected) button.disabled = !editor.selection;
    paste.disabled = !editor.clip;
    symmetry.value = editor.symmetry;
    for (const option of symmetry.querySelectorAll("option")) option.disabled = option.value === "quarters" && editor.board.width !== editor.board.height;
    for (const { isAcross, less, more } of lines) {
      const there = isAcross ? editor.board.width : editor.board.height;
      less.disabled = there === 1;
      more.disabled = there === LARGEST;
    }
    size.textContent = gettext("{width} × {height} cells", { width: editor.board.width, height: editor.board.height });
  }
  function showHelp() {
    help.open = true;
    need(help, ".yard-help").focus();
  }
  return { element, foot, show, showHelp };
}

function makeHelp() {
  const mouse = [
    [gettext("Click or drag"), gettext("Paint a cell, or an edge if you click near it")],
    [gettext("Right button"), gettext("Erase")],
    [gettext("Alt + click"), gettext("Pick the element in the cell")],
    [gettext("Ctrl + wheel"), gettext("Zoom")],
    [gettext("One finger; two fingers"), gettext("Paint; move and zoom")],
    [gettext("Long press"), gettext("Pick the element in the cell")],
  ];
  const keys = [
    ["↑ → ↓ ←", gettext("Go to another cell; with Shift, select")],
    [gettext("Space bar"), gettext("Paint. Extend a beam with the arrow keys until you press the space bar")],
    ["W ↑", gettext("Add or remove a rail on an edge")],
    ["1 – 5", gettext("Turn a phase on or off")],
    [gettext("Delete key"), gettext("Erase")],
    ["P, F", gettext("Pick, fill")],
    ["R, M", gettext("Turn, mirror; with Shift, the other way")],
    ["/", gettext("Search the palette")],
    ["Ctrl + Z, Y", gettext("Undo, redo")],
    ["Ctrl + C, X, V", gettext("Copy, cut, paste")],
    ["+, -, 0", gettext("Zoom; show the whole ship")],
    [gettext("Escape"), gettext("Cancel a stroke or the selection")],
    ["?", gettext("Show this help")],
  ];
  /** @param {(string | undefined)[][]} lines */
  const list = (lines) => make("dl", {}, ...lines.map(([key, what]) => make("div", {}, make("dt", {}, key ?? ""), make("dd", {}, what ?? ""))));
  return make("div", { className: "yard-menu-box yard-help", tabIndex: 0, role: "group", "aria-label": gettext("Help") }, make("h3", {}, gettext("Mouse and touch")), list(mouse), make("h3", {}, gettext("Keys")), list(keys));
}

