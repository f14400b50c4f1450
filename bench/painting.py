"""Measures the editor of starships: how many frames a second it draws while a full board is painted over.

    python -m bench.painting                     30 × 30 cells, at http://localhost:8000
    python -m bench.painting --side 60           another board
    python -m bench.painting --site http://…     another site

Needs the site of ``make run`` with DEBUG, Chromium and playwright. The editor is mounted alone in a page.
Beside frames, it tells what the page's own thread spends on each: milliseconds of processor time, which
other programs on the machine change less.
"""

import argparse
import json
import os
import shutil

from playwright.sync_api import sync_playwright

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu"]
SECONDS = 5
DENSE = [
    "b1:NE+wN",
    "d24+wE+cE",
    "t:red",
    ".+wW+p135W",
    "g+",
    "o",
    ".+r24S",
    "h2",
    ".+wS+l1S",
    "~",
    "b2:E",
    "f",
]

MOUNT = """async (rows) => {
  const { mount } = await import("/static/shipyard/editor.js");
  const load = async (name) => (await fetch(`/starships/${name}/`)).json();
  const [pieces, palette] = await Promise.all([load("pieces"), load("palette")]);
  document.body.replaceChildren();
  globalThis.editor = mount(document.body, { document: { rows }, pieces, palette });
  const tile = [...document.querySelectorAll(".yard-tile")].find((each) => each.title === "Thruster");
  tile.click();
  await new Promise((done) => setTimeout(done, 500));
}"""

PAINT = """async ({ side, seconds }) => {
  const surface = document.querySelector(".yard-grid");
  const box = surface.getBoundingClientRect();
  surface.setPointerCapture = () => {};
  const send = (kind, part) => {
    const row = Math.floor(part * side);
    const along = (part * side) % 1;
    const clientX = box.left + (row % 2 ? 1 - along : along) * (box.width - 2) + 1;
    const clientY = box.top + ((row + 0.5) / side) * box.height;
    const pointer = { pointerId: 1, pointerType: "mouse", bubbles: true };
    surface.dispatchEvent(new PointerEvent(kind, { ...pointer, clientX, clientY }));
  };
  send("pointerdown", 0);
  const times = [];
  const start = performance.now();
  await new Promise((done) => requestAnimationFrame(function paint(now) {
    times.push(now);
    const part = (performance.now() - start) / (seconds * 1000);
    if (part >= 1) return done();
    send("pointermove", part);
    requestAnimationFrame(paint);
  }));
  send("pointerup", 0.9999);
  const gaps = times.slice(1).map((time, index) => time - times[index]).sort((one, other) => one - other);
  return {
    frames: times.length / seconds,
    median: gaps[gaps.length >> 1],
    slowest: gaps[Math.floor(gaps.length * 0.99)],
  };
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure painting in the editor of starships.")
    parser.add_argument("--site", default="http://localhost:8000")
    parser.add_argument("--side", type=int, default=30)
    given = parser.parse_args()
    rows = [
        " ".join(DENSE[(x * 5 + y * 7) % len(DENSE)] for x in range(given.side)) for y in range(given.side)
    ]
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, chromium_sandbox=False)
        page = browser.new_page(viewport={"width": 1440, "height": 1000}, bypass_csp=True)
        page.goto(f"{given.site}/starships/")
        for name in ("site/ship.css", "shipyard/editor.css"):
            page.add_style_tag(url=f"{given.site}/static/{name}")
        meter = page.context.new_cdp_session(page)
        meter.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent() -> dict[str, float]:
            found = meter.send("Performance.getMetrics")["metrics"]
            return {each["name"]: each["value"] for each in found}

        page.evaluate(MOUNT, rows)
        before = spent()
        done = page.evaluate(PAINT, {"side": given.side, "seconds": SECONDS})
        after = spent()
        for name in ("Script", "RecalcStyle", "Layout", "Task"):
            gone = after[f"{name}Duration"] - before[f"{name}Duration"]
            done[f"{name.lower()}_ms"] = round(1000 * gone / (done["frames"] * SECONDS), 2)
        print(json.dumps(done))
        browser.close()


if __name__ == "__main__":
    main()
