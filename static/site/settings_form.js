// The form of settings, on its page and in the menu: each change is kept at once, so that there is nothing to press.

import { change, chosen } from "./settings.js";
import "./music.js";
import "./sound.js"; // which lets the reader hear what sound and volumes are like

export function bindSettings(form) {
  for (const name of Object.keys(chosen)) show(form, name);
  form.querySelector("[data-settings-keep]").remove();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (!(target.name in chosen)) return;
    const sound = target.name === "music" && target.checked ? { sound: true } : {}; // music without sound would be silence
    change({ ...sound, [target.name]: valueOf(target) });
  });
  document.addEventListener("settings:change", ({ detail }) => show(form, detail.name));
  document.addEventListener("settings:kept", ({ detail }) => {
    const said = form.querySelector("[data-settings-said]");
    said.textContent = detail.says;
    said.dataset.state = detail.state;
  });
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  return typeof chosen[field.name] === "number" ? Number(field.value) : field.value;
}

function show(form, name) {
  for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
    if (field.type === "checkbox") field.checked = chosen[name];
    else if (field.type === "radio") field.checked = field.value === String(chosen[name]);
    else field.value = chosen[name];
  }
  if (name !== "sound" && name !== "music") return;
  for (const volumes of form.querySelectorAll("[data-volumes]")) {
    volumes.classList.toggle("is-off", !chosen.sound || !chosen[volumes.dataset.volumes]);
  }
}

for (const form of document.querySelectorAll("[data-settings-form]")) bindSettings(form);
