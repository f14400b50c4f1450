// A field with something to be copied, and its button.

export function bindCopies(field) {
  const button = field.querySelector("[data-copy-button]");
  const text = field.querySelector("input");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.value);
    button.textContent = "Copied";
  });
  text.addEventListener("focus", () => text.select());
}
