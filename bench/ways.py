"""Count the functions of the project that are called in each of four kinds of work.

    python -m embedded run -- python -m bench.ways
    python -m embedded run -- python -m bench.ways --list mail     # the functions called in one way

The four kinds of work, or ways through the code, are: orders submitted (from POST to response), a turn
resolved (from task to commit), an email sent (from claim to sent), and the page of a game (GET). For each
way, it counts the different functions of the project that are called, and how often the next function is in
another file. Both make code harder to follow. Calls within the rules engine are not counted, because the
engine is used like a library.

Each way runs twice in a game of four players, in a separate database. Only the second run counts.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from types import FrameType
from typing import Any, Final

import django

from bench.orders import PEOPLE, begin_game, call, first_chips, log_in
from embedded.processes import PROJECT

OURS: Final = tuple(f"{PROJECT / folder}/" for folder in ("accounts", "games", "roborunner", "rules"))
ENGINE: Final = f"{PROJECT / 'rules'}/"


@dataclass
class Way:
    """The project's functions called during one kind of work, in order, each with its file and name."""

    name: str
    entered: list[tuple[str, str]] = field(default_factory=list)

    @property
    def functions(self) -> int:
        """The number of different functions that are called."""
        return len(set(self.entered))

    @property
    def changes(self) -> int:
        """The number of times that a function is followed by a function in another file."""
        return sum(before != after for (before, _), (after, _) in pairwise(self.entered))


@contextmanager
def traced(name: str) -> Iterator[Way]:
    """Record each function of the project that is called in this thread, within the context."""
    way = Way(name)

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(OURS) or frame.f_code.co_name.startswith("<"):
            return
        caller = frame.f_back
        if file.startswith(ENGINE) and caller and caller.f_code.co_filename.startswith(ENGINE):
            return
        way.entered.append((file.removeprefix(f"{PROJECT}/"), frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        yield way
    finally:
        sys.setprofile(None)


def ways() -> list[Way]:
    """Run each way once to warm up and once to count, in a game of four players. Return the counts."""
    from celery import current_app
    from django.urls import reverse

    from games import tasks
    from games.models import Notice, Starship, Turn

    clients = log_in()
    ship = Starship.objects.filter(section="fleet").order_by("pk").first()
    assert ship
    game = begin_game(clients, ship.pk)
    counted: list[Way] = []
    for number in range(2):
        views = [call(client, f"games/{game}") for client in clients]
        orders = [first_chips(seen, seen["robots"][index]) for index, seen in enumerate(views)]
        turn = Turn.objects.get(game=game, number=number)
        with traced("page") as page:
            assert clients[1].get(reverse("games:game", args=[game])).status_code == 200
        path = f"games/{game}/turns/{number}/orders"
        call(clients[0], path, orders[0])
        with traced("orders") as order:
            call(clients[1], path, orders[1])
        for client, rest in zip(clients[2:], orders[2:], strict=True):
            call(client, path, rest)
        with traced("turn") as resolved:
            tasks.resolve_turn(turn.pk)
        told = Notice.objects.filter(user__robo_name=PEOPLE[2], kind="turn", channel="mail")
        notice = told.get(game=game, turn=number + 1)
        send_mail = current_app.tasks["games.tasks.send_mail"]
        with traced("mail") as mail:
            send_mail(notice.pk)
        notice.refresh_from_db()
        assert notice.sent_at, notice.last_error
        counted = [order, resolved, mail, page]
    return counted


def main() -> None:
    """Print the counts of all four ways, or list the functions that are called in one of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", choices=("orders", "turn", "mail", "page"), help="list what one way enters")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test.utils import override_settings

    usual = settings.DATABASES["default"]["NAME"]
    connection.creation.create_test_db(verbosity=0)
    try:
        with override_settings(
            EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend", ALLOWED_HOSTS=["*"]
        ):
            found = ways()
    finally:
        connection.creation.destroy_test_db(usual, verbosity=0)
    if asked.list:
        for file, name in next(way for way in found if way.name == asked.list).entered:
            print(f"{file}  {name}")
        return
    print(f"{'way':8} {'functions':>9} {'changes of file':>16}")
    for way in found:
        print(f"{way.name:8} {way.functions:9} {way.changes:16}")


if __name__ == "__main__":
    main()
