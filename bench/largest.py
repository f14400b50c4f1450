"""Measure the processor time of each address with the largest documents allowed.

    python -m embedded run -- python -m bench.largest
    python -m embedded run -- python -m bench.largest --only shipyard --slowest 50

The addresses come from docs/access.md. Tests compare that table with the URLconf and the OpenAPI document.
The site is the one from the access tests, with ships of 100 × 100 cells that are as crowded as allowed. It
also has games of eight players, a game with many turns, a full tournament, and texts and request bodies of
the largest sizes.

Each address is requested without caches of ships and, if that is slow, again with them. A site of usual size
is measured first, to fill the other caches of the process. At the end, everything is rolled back. The exit
status is 1 if an answer takes more than a second of processor time.
"""

import argparse
import gc
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import django

Document = dict[str, Any]

MAX_SECONDS: Final = 1.0
"""The maximum processor time of an answer, in seconds."""

QUICK: Final = 0.2
"""The processor time below which a request is not repeated, in seconds."""

SIDE: Final = 100
CROWD_START: Final = 12
"""The first row and column of the crowded area. The cells that games need are north-west of it."""

FLOORS: Final = ("b2:NEW", "b1:NES", "g-", "b2:SW", "h2", "b1:E", "g+", "b2:NSWE", "h1", "b2:NW")
RARE: Final = ("d1234", "t:purple", "f", "b3:NEW", "t:blue", "d25", "h3")
"""Floors that only some rulesets allow."""

SMALL: Final = {"format": "starship/1", "name": "Canoe", "rows": ["a . . .+i1"]}
"""A draft of a starship of usual size."""

PHRASE: Final = "\ufdfa"
"""A character that Unicode normalisation expands to 18 characters."""

TURNS: Final = 5
"""The number of turns in the longest game."""

LONG_FIELD: Final = 400_000
"""The number of characters in a long form field. An API body has room for fewer."""


def crowded(corner: Sequence[str], *, known_to_all: bool = False) -> tuple[str, ...]:
    """Return the rows of a ship that is as crowded as allowed. ``corner`` replaces its north-west corner.

    The ship has long laser rays. It is for `robo-runner`. If ``known_to_all`` is True, it is for all
    rulesets, and its only features are lasers and rails.
    """
    from games.fleet.boards import MOST_FEATURES, MOST_LASERS

    rows = [["~"] * SIDE for _ in range(SIDE)]
    for y, row in enumerate(corner):
        rows[y][: len(row.split())] = row.split()
    used = sum(token.removeprefix("g+").count("+") for row in corner for token in row.split())
    floor, phases = cycle(FLOORS + (() if known_to_all else RARE)), cycle(("1", "24", "135", "12345", "3"))
    inside = [(x, y) for y in range(CROWD_START, SIDE) for x in range(CROWD_START, SIDE)]
    for x, y in inside:
        rows[y][x] = next(floor)
    edges = [
        *((SIDE - 1, at, "E") for at in range(CROWD_START, SIDE)),
        *((at, SIDE - 1, "S") for at in range(CROWD_START, SIDE - 1)),
        *((CROWD_START, at, "W") for at in range(CROWD_START, SIDE - 1)),
        *((at, CROWD_START, "N") for at in range(CROWD_START + 1, SIDE - 1)),
        *((at, CROWD_START + 1, "N") for at in range(CROWD_START + 1, SIDE - 1)),
        *((CROWD_START + 1, at, "W") for at in range(CROWD_START + 2, SIDE - 1)),
        *((CROWD_START + 2, at, "W") for at in range(CROWD_START + 2, SIDE - 1)),
    ]
    for x, y, edge in edges[:MOST_LASERS]:
        rows[y][x] = f".+w{edge}+l3{edge}"
    used += len(edges[:MOST_LASERS])
    if not known_to_all:
        free = [(x, y) for x, y in inside[-4 * SIDE :: -1] if "+l" not in rows[y][x] and x < SIDE - 1]
        for x, y in islice(free, (MOST_FEATURES - used) // 2):
            rows[y][x] += f"+r{next(phases)}S+cS"
    return tuple(map(" ".join, rows))


def railed() -> tuple[str, ...]:
    """Return the rows of a ship with rails around each cell, and with as many features as allowed."""
    from games.fleet.boards import MOST_FEATURES

    crowd = "+r12345N+cN+cE+cS+cW+pE+p135S+p24W+x1234"
    cells = [f"{floor}+wNESW" for floor in islice(cycle(FLOORS + RARE), SIDE * SIDE)]
    for number in range(1, MOST_FEATURES // (crowd.count("+") + 1) + 1):
        cells[number * 20] += f"{crowd}+i{number}"
    return tuple(" ".join(cells[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE))


def numbered() -> tuple[str, ...]:
    """Return the rows of a ship with as many checkpoints as allowed, all with different numbers."""
    from games.fleet.boards import MOST_FEATURES

    cells = [f".+i{number}*{9_999 - number}" for number in range(1, MOST_FEATURES + 1)]
    cells = ["a", *(cell for each in cells for cell in (each, ".")), *["."] * (SIDE * SIDE)]
    return tuple(" ".join(cells[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE))


def unreadable() -> tuple[str, ...]:
    """Return the rows of a draft with only unreadable cells, each of them different."""
    number = count(10_000)
    return tuple(" ".join(f"q{next(number)}" for _ in range(SIDE)) for _ in range(SIDE))


def documents() -> dict[str, Document]:
    """Return the largest drafts by name."""
    from rules.notation import TEXTS

    texts = {key: ("Ж" * most)[:most] for key, most in TEXTS.items()}
    rows = {
        "crowded": crowded(("a . . . .+i1+wE",)),
        "rails": railed(),
        "numbers": numbered(),
        "unreadable": unreadable(),
    }
    return {name: {"format": "starship/1", **texts, "rows": list(each)} for name, each in rows.items()}


@dataclass(frozen=True)
class Measured:
    """An answer, with the processor seconds of its first request, without caches, and of its last request.

    A quick request is not repeated, so both times are the same.
    """

    row: str
    asked: str
    sent: str
    status: int
    seconds: float
    again: float
    size: int

    @property
    def key(self) -> tuple[str, str]:
        """The key that identifies the same answer on another site."""
        return self.row, self.sent.rpartition(", ")[2]


def forget() -> None:
    """Clear all caches of data derived from ships, in this process and in Redis."""
    from games import content_cache

    for memory in _memories():
        memory.clear()
    client = content_cache._client()
    if keys := list(client.scan_iter(content_cache.key_of("*"))):
        client.delete(*keys)


@cache
def _memories() -> list[Any]:
    from games import content_cache

    return [each for each in gc.get_objects() if isinstance(each, content_cache.LRUCache)]


@dataclass(frozen=True)
class Posted:
    """The method and address of a form in the admin. It is measured like a row of the access table."""

    address: str
    method: str = "POST"

    def __str__(self) -> str:
        return f"{self.method} {self.address}"


class Asking:
    """Requests every address of the access tests' table, as a person with access to it."""

    def __init__(self, walker: Any) -> None:
        self._walker = walker

    def measure(self, only: str, drafts: dict[str, Document]) -> Iterator[Measured]:
        """Yield the measurements of each address, with each of the drafts that it shows or accepts.

        Only addresses that contain ``only`` are measured.
        """
        from games.shipyard.models import StarshipDraft
        from tests.access.requests import request_for

        for name, document in drafts.items():
            StarshipDraft.objects.update(document=document)
            for row, who, situation in asked_rows():
                if only not in str(row) or not (name in ("", "crowded") or shows_draft(row.address)):
                    continue
                asked = request_for(self._walker.world, who, row.method, row.address, situation)
                for sent, body in bodies(row, asked.body, document):
                    yield self._ask(who, row, asked.path, f"{name}, {sent}", body)

    def measure_admin(self, only: str, drafts: dict[str, Document]) -> Iterator[Measured]:
        """Yield the measurements of each admin page, and of each admin form that accepts ships.

        Only addresses that contain ``only`` are measured.
        """
        for path in self._walker.paths_of_admin():
            if only in path and "logout" not in path:
                yield self._ask("staff", path, path, "", None)
        for name, document in drafts.items():
            sent = {"document": json.dumps(document, ensure_ascii=False), **SHIP_IN_ADMIN}
            for address in ADMIN_TAKES_SHIPS:
                path = address.format_map(self._walker.world.values)
                if only in path:
                    yield self._ask("staff", Posted(path), path, f"{name}, ", sent)

    def _ask(self, who: str, row: Any, path: str, sent: str, body: Any) -> Measured:
        method = getattr(row, "method", "GET")
        forget()
        taken = []
        while len(taken) < (2 if taken and taken[0] > QUICK else 1):
            began = time.process_time()
            outcome = self._walker.ask(who, method, path, body)
            taken.append(time.process_time() - began)
        return Measured(
            str(row), f"{method} {path}", sent, outcome.status, taken[0], taken[-1], len(outcome.body)
        )


IN_FRONT: Final = ("games/{game_id}/events/", "api/v1/games/{game_id}/events")
"""The addresses of event streams. They are not measured, because they show no document."""

TAKES_SHIPS: Final = ("POST api/v1/shipyard/drafts",)
"""API calls whose body may contain a ship, although the usual body does not."""

ADMIN_TAKES_SHIPS: Final = tuple(
    f"/admin/games/starship/{page}/" for page in ("preview", "add", "{starship_id}/change")
)
"""The URLs of admin forms that accept ships."""

SHIP_IN_ADMIN: Final = {"section": "missions", "seats_least": "1", "seats_most": "8"}
"""The required fields of an admin form for ships, apart from the ship itself."""

ASKERS: Final = ("player", "host", "staff", "guest", "stranger")


def asked_rows() -> Iterator[tuple[Any, str, str]]:
    """Yield each row of the access table with a person who has access, once for each state of the game."""
    from tests.access.table import rows

    for row in rows():
        if row.address not in IN_FRONT:
            for situation in situations(row):
                yield row, who_may(row), situation


def who_may(row: Any) -> str:
    """Return the first person with access to an address, or the host if no one has access."""
    return next((who for who in ASKERS if row.words[who] in ("yes", "own")), "host")


def situations(row: Any) -> Sequence[str]:
    from tests.access.test_walk import about

    found: Sequence[str] = about(row)
    return found


def shows_draft(address: str) -> bool:
    """Return whether an address shows or accepts a draft."""
    return "shipyard" in address or "dock" in address


def bodies(row: Any, usual: Any, document: Document) -> Iterator[tuple[str, Any]]:
    """Yield request bodies by name: the usual body with the ship in it, and oversized bodies."""
    from games.web.answers import BODY_LIMIT, SHIP_LIMIT

    if row.method in ("GET", "DELETE"):
        yield "", usual
        return
    body = dict(usual or {})
    if "document" in body or f"{row.method} {row.address}" in TAKES_SHIPS:
        body["document"] = document
    if "rows" in body:
        body["rows"] = "\n".join(document["rows"])
    if body.get("begin") == "import":
        body["text"] = "\n".join(document["rows"])
    yield "", body
    ships = "document" in body
    api = row.address.startswith("api/")
    texts = [key for key, value in body.items() if isinstance(value, str)]
    if texts:
        most = (BODY_LIMIT - 2000) // (len(texts) if api else 1)
        yield "long texts", body | dict.fromkeys(texts, "Ж" * (most // 6 if api else LONG_FIELD))
    if api:
        limit = SHIP_LIMIT if ships else BODY_LIMIT
        yield "many keys", {f"k{number}": 0 for number in range(limit // 14)}
        if ships:
            yield (
                "many cells",
                body | {"document": {**document, "rows": ["q " * (LONG_FIELD // SIDE)] * SIDE}},
            )
    else:
        yield "many keys", {f"k{number}": "0" for number in range(999)}


@contextmanager
def site(*, largest: bool) -> Iterator[Any]:
    """Create the site of the access tests, and roll it back at the end.

    If ``largest`` is True, the site gets the largest ships, games and tournaments.
    """
    from django.db import transaction
    from django.test.utils import override_settings

    from tests.access import world
    from tests.access.walking import Walker
    from tests.games.support import Board

    given = {
        "CACHES": {"default": {"BACKEND": "tests.support.forgetful.Forgetful"}},
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "ALLOWED_HOSTS": ["*"],
        "NEWCOMER_GAMES": 0,
        "NEWCOMER_DAYS": 0,
    }
    with ExitStack() as stack:
        mails = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(override_settings(MAIL_DIRECTORY=mails, **given))
        atomic = transaction.atomic()
        atomic._from_testcase = True  # type: ignore[attr-defined] - allows nested durable transactions
        stack.enter_context(atomic)
        if largest:
            for name in ("HALL", "LANE"):
                board = getattr(world, name)
                large = Board(board.name, crowded(board.rows, known_to_all=name != "LANE"))
                stack.enter_context(patch.object(world, name, large))
        made = world.make_world(mails)
        if largest:
            fill(made)
        yield Walker(made)
        transaction.set_rollback(True)


def fill(world: Any) -> None:
    """Fill the site: games of eight with long chats, one of them with many turns, and full tournaments."""
    from django.utils import timezone

    from games.chat.models import ChatLine
    from games.competitions.formats import MOST_IN_A_LEAGUE
    from games.competitions.models import Entrant, Tournament
    from games.competitions.services.tournaments import MOST_ENTRANTS
    from tests.games.competitions.hosting import crowd
    from tests.games.support import NOW, Table

    lane = world.games["public, over"].revision
    world.values.update(starship_id=lane.starship_id, revision_id=lane.pk)
    people = [world.people[name] for name in ("Alice", "Bob", "Carol")]
    others = crowd(MOST_ENTRANTS + 10, "Many")
    for number, (situation, turns) in enumerate({"public, running": 2, "public, over": TURNS}.items()):
        table = Table(world.games[situation].revision.starship)
        crew = [*people, *others[number * 5 : number * 5 + 5]]
        game = table.game(*crew, private=False)
        while game.turn < turns and game.status == "running":
            hands = game.turns.get(status="open").hands.exclude(seat=None).select_related("seat__user")
            table.play(game, *[hand.seat.user for hand in hands])
        ChatLine.objects.bulk_create(
            ChatLine(
                game=game,
                user=people[at % 3],
                name=people[at % 3].robo_name,
                text=f"{at:04}{PHRASE * 496}",
                at=NOW,
                rude=False,
            )
            for at in range(1000)
        )
        world.games[situation] = game
    for cup in Tournament.objects.all():
        most = MOST_IN_A_LEAGUE if cup.kind == cup.Kind.LEAGUE else MOST_ENTRANTS
        there = set(cup.entrants.values_list("user", flat=True))
        Entrant.objects.bulk_create(
            Entrant(tournament=cup, user=each, joined_at=timezone.now(), strength=1500)
            for each in others[: most - len(there)]
            if each.pk not in there
        )


def main() -> int:
    """Measure the addresses, print a table, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="measure addresses only that have this in them")
    parser.add_argument("--slowest", type=int, default=25, help="lines of the table (25)")
    parser.add_argument("--most", type=float, default=MAX_SECONDS, help="seconds that an answer may take (1)")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    django.setup()
    logging.getLogger("roborunner.requests").setLevel(logging.WARNING)
    from django.conf import settings
    from django.db import connection

    usual = settings.DATABASES["default"]["NAME"]
    connection.creation.create_test_db(verbosity=0)
    try:
        # First fill caches of the process, such as templates and the API's schema.
        small = {each.key: each for each in measured(asked.only, largest=False)}
        found = []
        for each in measured(asked.only, largest=True):
            found.append(each)
            if len(found) % 100 == 0:
                print(f"{len(found)} answers", file=sys.stderr, flush=True)
            if each.seconds > asked.most:
                print(f"slow: {each.seconds:.2f} s  {each.asked} {each.sent}", file=sys.stderr, flush=True)
    finally:
        connection.creation.destroy_test_db(usual, verbosity=0)
    found.sort(key=lambda each: -each.seconds)
    print(f"{'seconds':>8} {'again':>6} {'usual':>6} {'ratio':>6} {'kB':>6} status")
    for each in found[: asked.slowest]:
        before = small.get(each.key)
        compared = f"{before.seconds:6.2f} {each.seconds / before.seconds:6.1f}" if before else " " * 13
        print(
            f"{each.seconds:8.2f} {each.again:6.2f} {compared} {each.size // 1000:6}"
            f" {each.status} {each.asked} {each.sent}"
        )
    slow = [each for each in found if each.seconds > asked.most]
    failed = [each for each in found if each.status >= 500 and "readyz" not in each.asked]
    print(f"{len(found)} answers, {len(slow)} above {asked.most:g} s, {len(failed)} failed")
    for each in failed:
        print(f"  {each.status} {each.asked} {each.sent}")
    return 1 if slow or failed else 0


def measured(only: str, *, largest: bool) -> Iterator[Measured]:
    """Yield the measurements of the usual site, or of the largest site."""
    with site(largest=largest) as walker:
        _memories()  # finds the caches before they are frozen
        # Freeze the objects of the site: collecting them takes longer than many answers.
        gc.collect()
        gc.freeze()
        asking = Asking(walker)
        drafts = documents() if largest else {"": SMALL}
        yield from asking.measure(only, drafts)
        yield from asking.measure_admin(only, drafts)
        gc.unfreeze()


if __name__ == "__main__":
    sys.exit(main())
