"""Measure the starship editor: the cost of a frame while someone paints over a full board.

    python -m bench.painting                     30 × 30 cells, at http://localhost:8000
    python -m bench.painting --side 60           another board
    python -m bench.painting --site http://…     another site
    python -m bench.painting phone               ways of painting with one of these words in the name

It needs the site of ``make run`` with DEBUG, Chromium and playwright. The editor is alone on a page. A
pointer crosses every cell of the board in 300 frames. On 30 × 30 cells and at 60 frames a second, that is 180
cells a second, as fast as a hand can move.

For each way of painting, it prints the frames per second. Because other programs on the machine affect that
figure, it also prints milliseconds of processor time from the browser's trace: the work of the page's own
thread for a frame (median and 95th percentile), and the time to rasterise shapes (mean). Each figure is the
median of several runs.
"""

import argparse
import os
import shutil
import statistics
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu"]
FRAMES = 300
TRACED = ["devtools.timeline", "toplevel", "cc", "blink"]
FRAME = "PageAnimator::serviceScriptedAnimations"
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


class Way(NamedTuple):
    """A way of painting: the brush, and the settings of the editor and the window."""

    name: str
    brush: str = "Thruster"
    symmetry: str = "none"
    marks: bool = False
    """Whether all parts of the panel *The ship so far* are shown on the board."""

    zoom: int = 0
    """The number of zoom steps from the view of the whole board. If it is not 0, the board also scrolls."""

    phone: bool = False
    """Whether the window is narrow and the processor four times slower, as on a phone."""


WAYS = (
    Way("floors"),
    Way("space", brush="Space"),
    Way("fourfold", symmetry="mirrors"),
    Way("rails, fourfold", brush="Rail", symmetry="mirrors"),
    Way("the ship so far", marks=True),
    Way("near, moved", zoom=3),
    Way("phone", phone=True),
    Way("phone, near", zoom=5, phone=True),
)

MOUNT = """async ({ rows, way }) => {
  const { mount, Editor } = await import("/static/shipyard/editor.js");
  const load = async (name) => (await fetch(`/starships/${name}/`)).json();
  const [pieces, palette] = await Promise.all([load("pieces"), load("palette")]);
  document.body.replaceChildren();
  const editor = mount(document.body, { document: { rows }, pieces, palette, outlook: true });
  [...document.querySelectorAll(".yard-tile")].find((each) => each.title === way.brush).click();
  const symmetry = document.querySelector(".yard-symmetry");
  symmetry.value = way.symmetry;
  symmetry.dispatchEvent(new Event("change"));
  if (way.marks) {
    const side = rows.length;
    const line = (y, x = 0) => Array.from({ length: side - x }, (_, index) => [x + index, y]);
    const stops = [3, 9, 15, 21];
    const ways = stops.map((y) => ({ origin: [0, y], checkpoint: 1, phases: 9, cells: line(y), stops }));
    editor.showOutlook({ name: "known", outlook: {
      ruleset: "robo-runner", starts: ways.slice(0, 2), legs: ways.slice(2), behind: 8,
      lines: [{ checkpoint: 1, cells: line(5) }],
      shelter: { share: 0.5, limit: 0.25, cells: line(7), bare: line(7, 9) }, unreachable: line(12),
    } });
    for (const each of document.querySelectorAll(".yard-part")) each.click();
  }
  const larger = document.querySelector('.yard-foot [aria-label="Larger cells"]');
  for (let step = 0; step < way.zoom; step += 1) larger.click();
  await new Promise((done) => setTimeout(done, 500));
}"""

PAINT = """async ({ side, frames, moves }) => {
  const surface = document.querySelector(".yard-grid");
  const scroller = document.querySelector(".yard-scroller");
  surface.setPointerCapture = () => {};
  const send = (kind, part) => {
    const [all, seen] = [surface, scroller].map((each) => each.getBoundingClientRect());
    const [left, top] = [Math.max(all.left, seen.left), Math.max(all.top, seen.top)];
    const [width, height] = [Math.min(all.right, seen.right) - left, Math.min(all.bottom, seen.bottom) - top];
    const row = Math.floor(part * side);
    const along = (part * side) % 1;
    const clientX = left + (row % 2 ? 1 - along : along) * (width - 2) + 1;
    const clientY = top + ((row + 0.5) / side) * height;
    const pointer = { pointerId: 1, pointerType: "mouse", bubbles: true };
    surface.dispatchEvent(new PointerEvent(kind, { ...pointer, clientX, clientY }));
  };
  send("pointerdown", 0);
  const start = performance.now();
  for (let frame = 1; frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    send("pointermove", frame / frames);
    if (moves) scroller.scrollTo(200 * Math.sin(frame / 15) + 200, 2 * frame);
  }
  send("pointerup", 0.9999);
  return (1000 * frames) / (performance.now() - start);
}"""


def traced(page: Page, session: CDPSession, run: Callable[[], Any]) -> tuple[Any, list[dict[str, Any]]]:
    """Call a function. Return its result, and the events of the browser's trace during the call."""
    events: list[dict[str, Any]] = []
    ended: list[Any] = []

    def collect(part: dict[str, Any]) -> None:
        events.extend(part["value"])

    session.on("Tracing.dataCollected", collect)
    session.once("Tracing.tracingComplete", lambda done: ended.append(done))
    session.send(
        "Tracing.start",
        {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": TRACED}},
    )
    found = run()
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.remove_listener("Tracing.dataCollected", collect)
    return found, events


def work(events: list[dict[str, Any]]) -> tuple[list[float], float]:
    """Return the milliseconds of the page's thread for each frame, and the total for rasterising."""
    spent = [each for each in events if each.get("ph") == "X" and "tdur" in each]
    name = "ThreadControllerImpl::RunTask"
    begun = sorted(each["ts"] for each in events if each["name"] == FRAME)
    mains = {(each["pid"], each["tid"]) for each in events if each["name"] == FRAME}
    frames = [0.0] * max(1, len(begun) - 1)
    place = 0
    for each in sorted(spent, key=lambda each: each["ts"]):
        if each["name"] != name or (each["pid"], each["tid"]) not in mains:
            continue
        # A frame begins within a task, so sort the task in by its end.
        while place + 1 < len(begun) and begun[place + 1] <= each["ts"] + each["dur"]:
            place += 1
        if place < len(frames):
            frames[place] += each["tdur"] / 1000
    pixels = sum(each["tdur"] / 1000 for each in spent if each["name"] == "RasterTask")
    return frames, pixels


def measured(browser: Browser, site: str, rows: list[str], way: Way) -> dict[str, float]:
    """Paint over a board once in a new page, and return the measurements by name."""
    viewport = {"width": 390, "height": 844} if way.phone else {"width": 1440, "height": 1000}
    page = browser.new_page(
        viewport=viewport,
        device_scale_factor=3 if way.phone else 1,
        bypass_csp=True,  # type: ignore[arg-type]
    )
    page.goto(f"{site}/starships/")
    for name in ("site/ship.css", "shipyard/editor.css", "shipyard/outlook.css"):
        page.add_style_tag(url=f"{site}/static/{name}")
    page.evaluate(MOUNT, {"rows": rows, "way": way._asdict()})
    session = page.context.new_cdp_session(page)
    if way.phone:
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    given = {"side": len(rows), "frames": FRAMES, "moves": way.zoom > 0}
    rate, events = traced(page, session, lambda: page.evaluate(PAINT, given))
    page.close()
    frames, pixels = work(events)
    return {
        "frames": rate,
        "median": statistics.median(frames),
        "most": sorted(frames)[int(len(frames) * 0.95)],
        "pixels": pixels / len(frames),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure painting in the editor of starships.")
    parser.add_argument("words", nargs="*", help="of names of ways (all)")
    parser.add_argument("--site", default="http://localhost:8000")
    parser.add_argument("--side", type=int, default=30)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    rows = [
        " ".join(DENSE[(x * 5 + y * 7) % len(DENSE)] for x in range(given.side)) for y in range(given.side)
    ]
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, chromium_sandbox=False)
        print(f"{'':18} frames/s  median  95 %  pixels")
        for way in WAYS:
            if given.words and not any(word in way.name for word in given.words):
                continue
            runs = [measured(browser, given.site, rows, way) for _ in range(given.runs)]
            told = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            print(
                f"{way.name:18} {told['frames']:8.1f} {told['median']:7.1f}"
                f" {told['most']:5.1f} {told['pixels']:7.1f}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
