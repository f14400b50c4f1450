"""Measure puzzles: how many simulated games have, and how fast the page is on a phone.

    python -m bench.puzzles --games 200                       puzzles and processor time for each game
    python -m bench.puzzles --site http://localhost:8000      from the front page to Run, on slow 4G

The first command plays simulated games on the ships of the fleet, as `manage.py puzzles` does. It needs only
Python. The second one opens a running site with puzzles in Chromium, with a network of 1.6 Mbit/s and 150 ms
and a processor that is four times slower. It measures the time from the click on the front page until the
button Run can be used, and exits with 1 if the median of five visits is above 2 s.
"""

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Final

import rules
from rules.puzzles.simulation import puzzles_of_game, suits

STARSHIPS: Final = Path(__file__).parents[1] / "fixtures" / "starships"
VISITS: Final = 5
LIMIT: Final = 2.0
"""The maximum time from the front page to Run, in seconds."""

SLOW_4G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER_PROCESSOR: Final = 4


def simulate(games: int, seed: str) -> int:
    """Play simulated games, and print their puzzles for each game and each second of the processor."""
    ships = [rules.read_starship(rules.parse(file.read_bytes())) for file in sorted(STARSHIPS.glob("*.json"))]
    ships = [ship for ship in ships if suits(ship)]
    found, direct, began = 0, 0, time.process_time()
    for number in range(games):
        for _, puzzle in puzzles_of_game(ships, seed, number):
            found += 1
            direct += puzzle.direct
    seconds = time.process_time() - began
    hours = 10_000 * seconds / max(1, found) / 3600
    print(f"{games} games: {found} puzzles ({direct} direct), {seconds:.0f} s of the processor")
    print(f"10,000 puzzles would take {10_000 * games / max(1, found):,.0f} games and {hours:.1f} hours")
    return 0 if found else 1


def visit(site: str) -> int:
    """Measure the time from the front page to Run, and print it."""
    from playwright.sync_api import sync_playwright

    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(VISITS):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            remote = context.new_cdp_session(page)
            remote.send("Network.emulateNetworkConditions", SLOW_4G)
            remote.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
            page.goto(site, wait_until="load")
            began = time.perf_counter()
            page.locator("main a[href$='/puzzles/']").first.click(no_wait_after=True)
            page.locator("[data-run]").wait_for()
            times.append(time.perf_counter() - began)
            context.close()
        browser.close()
    print("From the front page to Run:", ", ".join(f"{seconds:.2f}" for seconds in times), "s")
    return 0 if median(times) <= LIMIT else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.puzzles", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--site", help="the address of a running site, to measure its page instead")
    chosen = parser.parse_args()
    return visit(chosen.site) if chosen.site else simulate(chosen.games, chosen.seed)


if __name__ == "__main__":
    sys.exit(main())
