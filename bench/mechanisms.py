"""Measure how much processor time each of our own mechanisms for speed saves.

    python -m embedded run -- python -m bench.mechanisms
    python -m embedded run -- python -m bench.mechanisms "kept plans" --turns 30

It plays games of four in a separate database. Orders, turns, pages and emails alternate between the mechanism
and its plainest equivalent, in one process. Only the processor time of this process and of its Postgres
process counts. `docs/performance.md` has the results, including those of mechanisms that were removed.
"""

import argparse
import asyncio
import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean, median
from typing import Any, Final
from unittest.mock import patch

import django
import psycopg

from bench.orders import begin_game, call, first_chips, log_in

KINDS: Final = ("order", "turn", "page", "mail")
SHIPS: Final = 3
"""The number of starships to play on. There is one game on each."""

Swap = Callable[[ExitStack], object]
"""A function that replaces a mechanism with its plain equivalent until the stack closes."""


def plain_ways() -> Mapping[str, Swap]:
    """Return, for each mechanism, a function that replaces it with its plain equivalent."""
    from django.db import connection

    from accounts.templatetags import accounts
    from games.films.pages import film
    from games.fleet import raster
    from roborunner.postgres import queries
    from roborunner.postgres.base import DatabaseWrapper

    def swap(holder: Any, name: str, plain: Any) -> Swap:
        return lambda stack: stack.enter_context(patch.object(holder, name, plain))

    def together(*swaps: Swap) -> Swap:
        def enter(stack: ExitStack) -> None:
            for each in swaps:
                each(stack)

        return enter

    def asked(self: Any, pipeline: Any, *values: Any) -> Callable[[], list[Any]]:
        found: list[list[Any]] = []
        pipeline.then(lambda: found.append(list(self._build(*values))))
        return lambda: found[0]

    def in_turn(texts: Any) -> list[Any]:
        found = []
        with connection.cursor() as cursor:
            for text, values in texts:
                cursor.execute(text, values)
                found.append(cursor.fetchall() if cursor.description is not None else [])
        return found

    def by_psycopg(texts: Any) -> list[Any]:
        connection.ensure_connection()
        cursors = []
        with connection.wrap_database_errors, connection.connection.pipeline():
            for text, values in texts:
                cursors.append(cursor := psycopg.Cursor(connection.connection))
                cursor.execute(text, values)
        return [cursor.fetchall() if cursor.description is not None else [] for cursor in cursors]

    return {
        "settings of the page": swap(accounts, "_remembered", accounts._remembered.__wrapped__),
        "prepared queries": together(
            swap(queries.PreparedQuery, "__call__", lambda self, *values: list(self._build(*values))),
            swap(queries.PreparedQuery, "ask", asked),
        ),
        "pipeline, against single statements": swap(queries, "_rows", in_turn),
        "pipeline, against psycopg's": swap(queries, "_rows", by_psycopg),
        "pipeline, against one text": swap(DatabaseWrapper, "keeps_plans", False),
        "kept plans": swap(DatabaseWrapper, "prepared_cursor", DatabaseWrapper.cursor),
        "films": lambda stack: film.FILM_CACHE.clear(),
        "pieces of pictures": together(
            swap(raster, "find_pieces", lambda names: {}), swap(raster, "keep_pieces", lambda images: None)
        ),
    }


class Clock:
    """A clock of the processor time of this process and of its Postgres process."""

    def __init__(self) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            self._schedule = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")

    def read(self) -> float:
        return time.process_time() * 1000 + int(self._schedule.read_text().split()[0]) / 1e6


class Trial:
    """The measurements of one mechanism.

    ``taken`` has the milliseconds of each piece of work, by kind and by whether the mechanism was replaced.
    """

    def __init__(self, plain: Swap, kinds: Sequence[str]) -> None:
        self.kinds = kinds
        self.taken: defaultdict[tuple[str, bool], list[float]] = defaultdict(list)
        self._plain = plain

    @contextmanager
    def measured(self, kind: str, *, plainly: bool) -> Iterator[None]:
        """Measure the work done in the context, with the mechanism or, if ``plainly`` is True, without it."""
        with ExitStack() as stack:
            if plainly:
                self._plain(stack)
            clock = Clock()
            before = clock.read()
            yield
            self.taken[kind, plainly].append(clock.read() - before)


def begin(clients: list[Any]) -> dict[int, int]:
    """Start a game on each starship. Return the current turn number of each game, by game ID."""
    from django.core.cache import cache

    from games.models import Starship

    cache.clear()  # so that no rate limit is reached
    fleet = Starship.objects.filter(section="fleet").order_by("pk")[:SHIPS]
    return {begin_game(clients, ship.pk): 0 for ship in fleet}


def play(trial: Trial, clients: list[Any], game: int, number: int) -> bool:
    """Play a turn of a game, and measure each piece of work in it. Return whether the game continues."""
    from django.core.cache import cache
    from django.urls import reverse
    from django.utils import timezone

    from games.fleet import raster
    from games.models import Game, Notice, Turn
    from games.news.channels import CHANNELS
    from games.play import resolution

    cache.clear()  # so that no rate limit is reached
    turn = Turn.objects.get(game=game, number=number)
    first = bool(number % 2)
    for client in clients:
        for plainly in (first, not first) if "page" in trial.kinds else ():
            with trial.measured("page", plainly=plainly):
                assert client.get(reverse("games:game", args=[game])).status_code == 200
    for index, client in enumerate(clients):
        seen = call(client, f"games/{game}")
        if number and not seen["me"]["hand"]:
            continue
        orders = first_chips(seen, seen["robots"][index])
        with trial.measured("order", plainly=first == bool(index % 2)):
            call(client, f"games/{game}/turns/{number}/orders", orders)
    with trial.measured("turn", plainly=first == bool(game % 2)):
        resolution.resolve_turn(turn_id=turn.pk, thinks=False, now=turn.deadline or timezone.now())
    told = Notice.objects.filter(game=game, turn=number + 1, kind="turn", channel="mail")
    told = told.select_related("user", "game__revision", "game__course")
    for index, notice in enumerate(told if "mail" in trial.kinds else ()):
        if index % 2 == 0:  # two emails share each picture
            raster.PICTURES.clear()
        with trial.measured("mail", plainly=first == bool(index // 2 % 2)):
            assert CHANNELS["mail"].send(notice, now=timezone.now())
    return Game.objects.get(pk=game).status == "running"


HANDLER: Final = "one thread for each request"


def ask_handlers(client: Any, game: int, times: int) -> None:
    """Compare our request handler with Django's, for a game page and an API call."""
    from django.core.handlers.asgi import ASGIHandler

    from roborunner.server import Handler

    handlers = {"ours": Handler(), "Django's": ASGIHandler()}
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
    headers = [(b"host", b"localhost:8000"), (b"cookie", cookies.encode())]
    scope = {"type": "http", "method": "GET", "query_string": b"", "headers": headers}

    async def ask(handler: Any, path: str) -> float:
        requests, answered = [{"type": "http.request", "body": b""}], asyncio.Event()

        async def receive() -> Any:
            if not requests:
                await answered.wait()
            return requests.pop() if requests else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200, message

        before = time.process_time()
        await handler({**scope, "path": path}, receive, send)
        answered.set()
        return 1000 * (time.process_time() - before)

    async def ask_all() -> None:
        for kind, path in {"page": f"/games/{game}/", "call": f"/api/v1/games/{game}"}.items():
            taken: dict[str, list[float]] = {name: [] for name in handlers}
            for _ in range(times):
                for name, handler in handlers.items():
                    taken[name].append(await ask(handler, path))
            ours, plain = (median(each) for each in taken.values())
            print(f"{HANDLER:36} {kind:6} {ours:7.1f} {plain:7.1f} ms {1 - ours / plain:6.1%}", flush=True)

    asyncio.run(ask_all())


def main() -> None:
    """Print the time of each kind of work with and without each mechanism."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mechanisms", nargs="*", help="only these")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS, help="only such work")
    parser.add_argument("--turns", type=int, default=16, help="turns of each game, for each mechanism (16)")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    os.environ.setdefault("DATABASE_PREPARES", "1")
    django.setup()
    logging.disable(logging.WARNING)
    from django.conf import settings
    from django.db import connection
    from django.test.utils import override_settings

    usual = settings.DATABASES["default"]["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with override_settings(
            ALLOWED_HOSTS=["*"],
            EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend",
            NEWCOMER_DAYS=0,
        ):
            clients = log_in()
            if not asked.mechanisms or HANDLER in asked.mechanisms:
                ask_handlers(clients[0], next(iter(begin(clients))), 4 * asked.turns)
            for name, plain in plain_ways().items():
                if asked.mechanisms and name not in asked.mechanisms:
                    continue
                trial, games = Trial(plain, asked.kinds), begin(clients)
                for _ in range(asked.turns):
                    for game, number in list(games.items()):
                        if play(trial, clients, game, number):
                            games[game] += 1
                        else:
                            del games[game]
                    games = games or begin(clients)
                report(name, trial)
    finally:
        connection.creation.destroy_test_db(usual, verbosity=0)


def report(name: str, trial: Trial) -> None:
    """Print a row for each kind of work: its time with and without the mechanism, and the saving."""
    for kind in KINDS:
        ours, plain = (trial.taken[kind, plainly] for plainly in (False, True))
        if ours and plain:
            middle = mean if kind == "mail" else median  # the first email of two draws the picture for both
            numbers = f"({len(ours)}, {len(plain)})"
            print(
                f"{name:36} {kind:6} {middle(ours):7.1f} {middle(plain):7.1f} ms"
                f" {1 - middle(ours) / middle(plain):6.1%}  {numbers}",
                flush=True,
            )


if __name__ == "__main__":
    main()
