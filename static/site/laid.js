// Does something once an element is laid out, right after the browser has done so: measuring it costs nothing then. What is hidden is
// laid out when it is shown.
/** @param {Element} element @param {() => void} then */
export function whenLaidOut(element, then) {
  const watch = new ResizeObserver(() => {
    watch.disconnect();
    then();
  });
  watch.observe(element);
  return watch;
}
