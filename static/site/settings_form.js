// The form of settings, on its page and in the menu: each change is kept at once, so that there is nothing to press.

import { listen } from "./events.js";
import { need } from "./need.js";
import { change, chosen, isSetting } from "./settings.js";
import "./sound.js"; // which lets the reader hear what sound and volumes are like

/** @param {Part} form */
export function bindSettings(form) {
  for (const name of Object.keys(chosen).filter(isSetting)) show(form, name);
  need(form, "[data-settings-keep]").remove();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!isSetting(target.name)) return;
    need(form, "[data-settings-said]").textContent = ""; // of the change before this one
    const sound = target.name === "music" && target.checked ? { sound: true } : {}; // music without sound would be silence
    change({ ...sound, [target.name]: valueOf(target) });
  });
  listen("settings:change", ({ name }) => show(form, name));
  listen("settings:kept", ({ state, says }) => {
    const said = need(form, "[data-settings-said]");
    said.textContent = says;
    said.dataset.state = state;
  });
}

/** @param {Part} field */
function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  return isSetting(field.name) && typeof chosen[field.name] === "number" ? Number(field.value) : field.value;
}

/** @param {Part} form @param {keyof Settings} name */
function show(form, name) {
  for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
    if (field.type === "checkbox") field.checked = Boolean(chosen[name]);
    else if (field.type === "radio") field.checked = field.value === String(chosen[name]);
    else field.value = String(chosen[name]);
  }
  if (name !== "sound" && name !== "music") return;
  for (const volumes of form.querySelectorAll("[data-volumes]")) {
    volumes.classList.toggle("is-off", !chosen.sound || !chosen[/** @type {"sound" | "music"} */ (volumes.dataset.volumes)]);
  }
}

for (const form of document.querySelectorAll("[data-settings-form]")) bindSettings(form);
