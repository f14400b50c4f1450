"""Watch a turn in a headless browser, and measure how smoothly its film plays.

    python -m bench.console http://localhost:8000/games/1/turns/7/
    python -m bench.console http://localhost:8000/games/1/turns/7/ --speed 400 --slower 4

The address must be the public page of a turn. The film plays from start to end. The report has the frames per
second, the gaps between frames, and the tasks over 50 ms, as the page itself observes them. Other programs
that use the processor make these figures worse. So the report also has the processor time of the page's own
work: the longest task, and the share of the total time.

The exit status is 1 if a task took more than 50 ms of processor time, or if all work took more than half of
the time. The command needs Playwright and Chromium. The variable CHROMIUM can name another program.
``--slower`` slows the processor down by a factor, to simulate a phone.
"""

import argparse
import json
import os
import shutil
import sys
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
)
TASKS = "disabled-by-default-devtools.timeline"
MAX_TASK_MS = 50
"""The maximum processor time of a task, in milliseconds. The page does not react to input during a task."""

SHARE = 0.5
"""The maximum share of the time that the page's own work may take. The rest is needed for smooth frames."""

WATCH = """() => {
  const seen = { frames: [], tasks: [] };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.tasks.push([startTime, duration]);
  }).observe({ type: "longtask" });
  const note = (now) => { seen.frames.push(now); requestAnimationFrame(note); };
  requestAnimationFrame(note);
  window.seen = seen;
}"""

SEEK = """async () => {
  const slider = document.querySelector("[data-position]");
  const end = Number(slider.max);
  const began = performance.now();
  for (let step = 0; step < 100; step += 1) {
    slider.value = (step * 37) % (end + 1);
    slider.dispatchEvent(new Event("input"));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return (performance.now() - began) / 100;
}"""


def measure(browser: Browser, page: Page, address: str, speed: int) -> dict[str, Any]:
    """Play the film of a turn in the browser, and return the measurements by name."""
    page.goto(address)
    page.locator("[data-speed]").select_option(str(speed))
    page.evaluate(WATCH)
    page.wait_for_timeout(500)
    began = page.evaluate("performance.now()")
    page.evaluate("document.addEventListener('film:watched', () => { seen.end = performance.now(); })")
    browser.start_tracing(page=page, categories=[TASKS])
    page.locator("[data-play]").click()
    while not page.evaluate("seen.end"):
        page.wait_for_timeout(500)
    work = work_in(json.loads(browser.stop_tracing()))
    seen: dict[str, Any] = page.evaluate("seen")
    frames = [time for time in seen["frames"] if began <= time <= seen["end"]]
    gaps = [after - before for before, after in pairwise(frames)]
    return {
        "seconds": round((seen["end"] - began) / 1000, 1),
        "frames a second": round(1000 * len(gaps) / (frames[-1] - frames[0]), 1),
        "gaps over 25 ms": sum(gap > 25 for gap in gaps),
        "longest gap in ms": round(max(gaps)),
        "long tasks in ms": [round(duration) for time, duration in seen["tasks"] if time >= began],
        "longest task in ms of work": round(max(work), 1),
        "share of the time at work": round(sum(work) / (seen["end"] - began), 2),
        "a seek in ms": round(page.evaluate(SEEK), 1),
    }


def work_in(trace: dict[str, Any]) -> list[float]:
    """Return the processor milliseconds of each task in the page's main thread."""
    events: list[dict[str, Any]] = trace["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event["tdur"] / 1000
        for event in events
        if event.get("name") == "RunTask" and "tdur" in event and (event["pid"], event["tid"]) in mains
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="How smoothly a turn is played.")
    parser.add_argument("address", help="of a turn's page")
    parser.add_argument("--speed", type=int, choices=(50, 100, 200, 400), default=100)
    parser.add_argument("--slower", type=int, default=1, help="this many times slower a processor")
    arguments = parser.parse_args()
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        print("There is no Chromium here: install it, or name it in CHROMIUM.", file=sys.stderr)
        return 2
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS, chromium_sandbox=False)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        if arguments.slower > 1:
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": arguments.slower})
        seen = measure(browser, page, arguments.address, arguments.speed)
        browser.close()
    print(json.dumps(seen, indent=2))
    return int(seen["longest task in ms of work"] > MAX_TASK_MS or seen["share of the time at work"] > SHARE)


if __name__ == "__main__":
    sys.exit(main())
