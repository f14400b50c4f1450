// Passkeys: asks the browser for one, and sends what it says with the form. Without a script they cannot be used.
//
// form[data-passkey="make"|"show"] with data-options (what to ask for, as JSON) or data-options-at (where that is told),
// a field `credential`, a button, and [data-passkey-said] for what went wrong.

import { need } from "./need.js";
import { gettext } from "./words.js";

const BINARY = ["challenge", "id"]; // what comes as text and is wanted as bytes

/** @param {string} text */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function text(buffer) {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {any} value @param {string} [name] @returns {any} */
function unpacked(value, name) {
  if (Array.isArray(value)) return value.map((item) => unpacked(item));
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === "rp" ? inner : unpacked(inner, key)]),
    );
  }
  return name && BINARY.includes(name) && typeof value === "string" ? bytes(value) : value;
}

/** @param {any} credential */
function packed(credential) {
  const { response } = credential;
  /** @type {any} */
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) answer[name] = text(response[name]);
  }
  if (response.getTransports) answer.transports = response.getTransports();
  return {
    type: credential.type,
    id: credential.id,
    rawId: text(credential.rawId),
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: answer,
  };
}

/** @param {Part} form */
async function optionsOf(form) {
  if (form.dataset.options) return JSON.parse(form.dataset.options);
  const answer = await fetch(form.dataset.optionsAt, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.json()).request_options;
}

/** @param {Part} form */
async function ask(form) {
  const options = unpacked(await optionsOf(form));
  if (form.dataset.passkey === "show") return navigator.credentials.get(options);
  const alone = form.elements.passwordless.checked;
  Object.assign(options.publicKey.authenticatorSelection, {
    residentKey: alone ? "required" : "discouraged",
    requireResidentKey: alone,
    ...(alone && { userVerification: "required" }),
  });
  return navigator.credentials.create(options);
}

/** @type {Record<string, string>} */
const SENTENCES = {
  InvalidStateError: gettext("This device already has a passkey for your account."),
  NotAllowedError: gettext("No passkey was used. Press the button to try again."),
  SecurityError: gettext("Passkeys work only at this site’s own address, over HTTPS."),
};

/** @param {Part} form */
function bind(form) {
  const button = need(form, "button");
  const said = need(form, "[data-passkey-said]");
  form.hidden = false;
  if (!window.PublicKeyCredential) {
    if (form.dataset.optionsAt) form.hidden = true;
    else said.textContent = gettext("This browser does not support passkeys, or does not allow them at this address.");
    return;
  }
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "";
    try {
      form.elements.credential.value = JSON.stringify(packed(await ask(form)));
      form.submit();
    } catch (error) {
      said.textContent = SENTENCES[error instanceof Error ? error.name : ""] ?? gettext("The passkey did not work. Try again.");
      button.disabled = false;
    }
  });
}

for (const form of document.querySelectorAll("form[data-passkey]")) bind(form);
