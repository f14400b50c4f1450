"""Measure the cost of shared games: bytes of the embedded player, and bytes and seconds of clips.

    python -m bench.sharing             both
    python -m bench.sharing player      the player, in a page of another site
    python -m bench.sharing clips       clips of busy turns, for each ruleset

It starts its own site. *player* plays a game of four robots, and opens a page of a small server at another
port. That page shows the player in a frame, as other sites do. The browser counts the bytes that it receives,
with headers, and nothing is cached. Caddy is not in front, so HTTP/2 does not compress the headers. It needs
Chromium.

*clips* draws the busiest of `TURNS` turns in random games: for each ruleset on its largest board of the
fleet, on joined boards, and on a board of `SIDE` × `SIDE` cells.

The exit status is 1 if a player weighs more than `MOST_EMBED_BYTES`, if it sets a cookie, or if a clip
weighs more than `MOST_CLIP_BYTES`.
"""

import argparse
import functools
import http.server
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import rules
from bench.delays import CORNER
from bench.largest import SIDE, crowded
from bench.phone import site
from bench.random_games import KEYS, joined, suitable
from tests.rules.strategies import RandomGame

MOST_EMBED_BYTES: Final = 120_000
"""The maximum size of an embedded player with all its files, in bytes."""

TURNS: Final = 12


# The player


class Sent(NamedTuple):
    """The transfer of a player to a page of another site."""

    size: int
    requests: int
    cookies: int


def finished_game() -> int:
    """Play some turns of a public game on the largest ship of the fleet, end it, and return its ID."""
    from django.utils import timezone

    from games.models import Game, Starship

    ship = Starship.objects.get(slug="leviathan").pk
    game = site.play(site.players(), ship)
    Game.objects.filter(pk=game).update(status="cancelled", ending="staff", ended_at=timezone.now())
    return game


HOST: Final = "127.0.0.2"
"""The address of the other site. For browsers, it is another site than 127.0.0.1 and localhost."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A handler that does not log requests."""

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def foreign_page(*urls: str) -> Iterator[str]:
    """Serve a page of another site that shows each of the ``urls`` in a frame. Yield the page's address."""
    with tempfile.TemporaryDirectory() as directory:
        frames = "".join(f'<iframe src="{url}" width="480" height="720"></iframe>' for url in urls)
        Path(directory, "index.html").write_text(f"<!DOCTYPE html><title>A blog</title>{frames}")
        handler = functools.partial(Quiet, directory=directory)
        with http.server.ThreadingHTTPServer((HOST, 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://{HOST}:{server.server_port}/"
            server.shutdown()


def sent_to(page: str, address: str) -> Sent:
    """Open a page in a browser, play the film of its frame, and count the bytes from ``address``."""
    from playwright.sync_api import sync_playwright

    program = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    )
    finished: list[Any] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--headless", "--no-sandbox"])
        context = browser.new_context()
        context.on("requestfinished", lambda request: finished.append(request))
        tab = context.new_page()
        tab.goto(page)
        frame = tab.frame_locator("iframe")
        frame.locator("[data-play]").click()
        frame.locator("[data-play][aria-pressed=true]").wait_for()
        tab.wait_for_load_state("networkidle")
        sizes = [request.sizes() for request in finished if request.url.startswith(address)]
        cookies = len(context.cookies())
        browser.close()
    size = sum(each["responseHeadersSize"] + each["responseBodySize"] for each in sizes)
    return Sent(size, len(sizes), cookies)


# Clips


class Drawn(NamedTuple):
    """A clip of a busy turn."""

    name: str
    cells: int
    events: int
    size: int
    seconds: float


def boards() -> Iterator[tuple[str, str, rules.Starship]]:
    """Yield boards for clips, each with a name and the key of a ruleset."""
    for key in KEYS:
        largest = max(suitable(key), key=lambda ship: ship.width * ship.height)
        yield f"{key}, {largest.name}", key, largest
    for key in KEYS:
        if rules.ruleset(key).boards > 1:
            square = next(ship for ship in suitable(key) if ship.width == ship.height)
            yield f"{key}, joined boards", key, joined(Random(1), square, suitable(key))
            break
    crowd = {"format": "starship/1", "name": "Crowd", "rows": list(crowded(CORNER))}
    yield f"{KEYS[0]}, {SIDE} × {SIDE} cells", KEYS[0], rules.read_starship(crowd)


def busiest(key: str, ship: rules.Starship) -> Any:
    """Play a random game, and return the replay of the turn with the most events."""
    from games.films.selectors import Replay
    from games.play import stored

    game = RandomGame(1, key, ship)
    turns = ((game.state, outcome.events, outcome.state) for outcome in game.turns(TURNS))
    start, events, end = max(turns, key=lambda turn: len(turn[1]))
    terms = stored.vocabulary_of(game.setup.starship, start)
    return Replay(
        turn=start.turn,
        ship=stored.drawn_board(game.setup),
        start=rules.view(start),
        end=rules.view(end),
        events=tuple(events),
        documents=tuple(rules.events_to_json(terms, events)),
        remarks=(),
        looks={robot.index: robot.index + 1 for robot in start.players},
    )


def drawn() -> Iterator[Drawn]:
    """Make a clip on each board, and yield its figures."""
    from games.sharing.drawing import make_clip

    for name, key, ship in boards():
        replay = busiest(key, ship)
        began = time.process_time()
        size = len(make_clip(replay))
        seconds = time.process_time() - began
        yield Drawn(name, ship.width * ship.height, len(replay.events), size, seconds)


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.sharing", description="Measure shared games.")
    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure, by default both")
    wanted = parser.parse_args(arguments).part
    with tempfile.TemporaryDirectory() as directory, site.site(Path(directory), caddy=False) as address:
        site.connect(Path(directory), address)
        return max(report(address) for part, report in PARTS.items() if wanted in (part, None))


def report_player(address: str) -> int:
    """Print the size of the player. Return 1 if it is too large or sets cookies, or else 0."""
    with foreign_page(f"{address}/embed/game/{finished_game()}/") as page:
        sent = sent_to(page, address)
    print(
        f"player: {sent.size / 1000:.1f} kB in {sent.requests} requests, {sent.cookies} cookies", flush=True
    )
    return int(sent.size > MOST_EMBED_BYTES or sent.cookies > 0)


def report_clips(address: str) -> int:
    """Print a row for each clip. Return 1 if one is too large, or else 0."""
    from games.sharing.drawing import MOST_CLIP_BYTES

    found = 0
    print("| board | cells | events | kB | seconds |\n|---|---|---|---|---|")
    for clip in drawn():
        found |= clip.size > MOST_CLIP_BYTES
        figures = f"{clip.cells} | {clip.events} | {clip.size / 1000:.0f} | {clip.seconds:.1f}"
        print(f"| {clip.name} | {figures} |", flush=True)
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB of memory")
    return int(found)


PARTS: Final = {"player": report_player, "clips": report_clips}

if __name__ == "__main__":
    sys.exit(main())
