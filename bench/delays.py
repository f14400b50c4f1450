"""Measure how long people wait for the next turn while computers think about other games.

    python -m bench.delays
    python -m bench.delays --games 60 --flights 2 --turns 12 --patience 60 --seconds 120

It starts its own Postgres, Redis and workers. One person starts games against seven Aces. Another starts test
flights against seven Aces on the most crowded starship allowed. Meanwhile two people play each other, and a
newcomer plays a Rookie.

The command measures the seconds from the last orders of a turn to the next turn, in three arrangements: with
no other work, with a separate worker for computers that yields to turns (as in `make run`), and with one
worker for all queues. Each arrangement takes slightly over two minutes, because no new turn begins after two
minutes.

A turn that is not played within a minute is ``unplayed``. It counts as a minute, and no further turns of that
game are measured. The report is JSON. The exit status is 1 if the two people's longest wait was above the
target while computers had a separate worker.
"""

import argparse
import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import django
from django.core.management import call_command

from bench.faults.machine import Broker, Database, Part, Process
from bench.load.site import await_part
from embedded import backup, paths, up
from embedded.paths import Failure

TARGET: Final = 5.0
"""The target for the two people's longest wait, in seconds, if computers have a separate worker."""

CORNER: Final = ("a . . . .+i1+wE",)
"""The cells in the north-west corner of the crowded starship: an airlock and a checkpoint."""

ALL: Final = "sweeps,celery,mail,thinking"


def main() -> int:
    """Measure the waits for turns, print the report, and return the exit status."""
    asked = _parser().parse_args()
    directory = Path(tempfile.mkdtemp(prefix="robo-runner-delays-"))
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        SECRET_KEY=secrets.token_hex(),
        EMAIL_URL=(directory / "mail").as_uri(),
        NEWCOMER_GAMES="0",
        NEWCOMER_DAYS="0",
        COMPUTER_GAMES=str(asked.games),
    )
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)
    servers = (Database(directory), Broker(directory))
    try:
        with _running(*servers):
            if asked.backup:
                backup.fill(asked.backup, os.environ["DATABASE_URL"])
            django.setup()
            if not asked.backup:
                call_command("prepare", verbosity=0)
            report = measure(directory, asked)
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    print(json.dumps(report, indent=2))
    shutil.rmtree(directory, ignore_errors=True)
    shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
    return int(report["a worker behind turns"]["two people"]["longest"] > TARGET)


def measure(directory: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Play games under each arrangement of workers. Return the waits by arrangement."""
    from bench.load.trial import quiet

    quiet()
    report: dict[str, Any] = {}
    arrangements = {
        "nothing else to do": (apart(directory), 0, 0),
        "a worker behind turns": (apart(directory), asked.games, asked.flights),
        "one worker for all queues": (together(directory), asked.games, asked.flights),
    }
    for number, (name, (parts, games, flights)) in enumerate(arrangements.items()):
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
        crowd = Crowd(number)
        crowd.keep_computers_busy(games, flights)
        with _running(*parts):
            waits = crowd.play(asked.turns, patience=asked.patience, seconds=asked.seconds)
            report[name] = {"games": games, "test flights": flights, **waits}
        crowd.leave()
    return report


def apart(directory: Path) -> tuple[Part, ...]:
    """Return a worker for turns, and a worker with lower priority for computers, as in `make run`."""
    commands, chance = up.commands(0), Random(0)
    nice = ["nice", "-n", "10"]
    thinker = Process("thinker", commands["thinker"], directory, chance)
    thinker._command = [*nice, *thinker._command]
    return Process("worker", commands["worker"], directory, chance), thinker


def together(directory: Path) -> tuple[Part, ...]:
    """Return one worker for all queues, which has as many processes as a worker for turns."""
    command = [part for part in up.commands(0)["worker"] if not part.startswith("--queues")]
    return (Process("worker", [*command, f"--queues={ALL}"], directory, Random(0)),)


class Crowd:
    """The people of one measurement: two hosts, a pair of players, and a newcomer."""

    def __init__(self, number: int) -> None:
        from accounts.models import User

        def person(name: str) -> User:
            return User.objects.create_user(f"{name}-{number}", f"{name}-{number}@example.org".lower())

        self.host, self.builder = person("Alice"), person("Erin")
        self.two = person("Bob"), person("Carol")
        self.newcomer = person("Dave")

    def keep_computers_busy(self, games: int, flights: int) -> None:
        """Start games and test flights with seven Aces each. Their human players never submit orders."""
        from django.utils import timezone

        from bench.largest import crowded
        from games.lobby.services import create_game
        from games.play.terms import Terms
        from games.shipyard.services import create_draft, fly_draft

        for number in range(flights):
            ship = {"format": "starship/1", "name": f"Crowd {number + 1}", "rows": list(crowded(CORNER))}
            draft = create_draft(user=self.builder, document=ship, now=timezone.now())
            fly_draft(
                user=self.builder,
                draft_id=draft.pk,
                computers=7,
                strength="ace",
                ruleset="robo-runner",
                now=timezone.now(),
            )
        terms = Terms(name="Seven Aces", starship=_ship(8), seats=8, computers=["ace"] * 7)
        for _ in range(games):
            create_game(host=self.host, terms=terms, now=timezone.now())

    def play(self, turns: int, *, patience: float, seconds: float) -> dict[str, dict[str, float]]:
        """Play turns in the game of two people and in the newcomer's game. Return figures about their waits.

        A wait ends after ``patience`` seconds, and no turn begins after ``seconds`` seconds.
        """
        from django.utils import timezone

        from games.lobby.practice import quick_game
        from games.lobby.seats import join_game
        from games.lobby.services import create_game
        from games.play.models import Game
        from games.play.terms import Terms

        bob, carol = self.two

        def duel() -> Game:
            terms = Terms(name="An evening flight", starship=_ship(2), seats=2)
            game = create_game(host=bob, terms=terms, now=timezone.now())
            return join_game(user=carol, game_id=game.pk, now=timezone.now())

        begin = {
            "two people": duel,
            "a newcomer against a Rookie": lambda: quick_game(user=self.newcomer, now=timezone.now()),
        }
        games = {name: make() for name, make in begin.items()}
        waits: dict[str, list[float]] = {name: [] for name in begin}
        wait_for_next_turn(games["two people"].pk, patience)  # not measured: the workers load their code
        end = time.monotonic() + seconds
        for _ in range(turns):
            for name, make in begin.items():
                if waits[name] and (time.monotonic() > end or patience in waits[name]):
                    continue
                games[name].refresh_from_db()
                if games[name].status != Game.Status.RUNNING:
                    games[name] = make()
                waits[name].append(wait_for_next_turn(games[name].pk, patience))
        return {
            name: {
                "turns": len(each),
                "median": round(median(each), 2),
                "longest": round(max(each), 2),
                "unplayed": each.count(patience),
            }
            for name, each in waits.items()
        }

    def leave(self) -> None:
        """End all running games, so that computers have no work left for the next measurement."""
        import redis
        from django.conf import settings
        from django.db import transaction
        from django.utils import timezone

        from games.play.lifecycle import end_without_winner
        from games.play.models import Game
        from games.play.services import locked_game

        for game_id in Game.objects.filter(status=Game.Status.RUNNING).values_list("pk", flat=True):
            with transaction.atomic():
                end_without_winner(game=locked_game(game_id), by=Game.Ending.STAFF, now=timezone.now())
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.flushdb()


def _ship(seats: int) -> int:
    """Return the ID of the first starship in the fleet that allows this number of players."""
    from games.fleet.models import Starship

    fleet = Starship.objects.filter(section=Starship.Section.FLEET, retired=False)
    fitting = fleet.filter(seats_least__lte=seats, seats_most__gte=seats)
    return fitting.order_by("pk").values_list("pk", flat=True)[0]


def wait_for_next_turn(game_id: int, patience: float) -> float:
    """Submit orders for all people of a game. Return the seconds until the next turn or the end of the game.

    Returns ``patience`` if neither comes within that time.
    """
    from django.utils import timezone

    from bench.load.villages import submit_random_orders
    from games.play.models import Game

    game = Game.objects.get(pk=game_id)
    submit_random_orders(game, 8, timezone.now())
    began = time.monotonic()
    while Game.objects.filter(pk=game_id, turn=game.turn, status=Game.Status.RUNNING).exists():
        if time.monotonic() - began > patience:
            return patience
        time.sleep(0.02)
    return time.monotonic() - began


@contextmanager
def _running(*parts: Part) -> Iterator[None]:
    opened = list[Part]()
    try:
        for part in parts:
            part.open()
            opened.append(part)
        for part in parts:
            await_part(part)
        yield
    finally:
        for part in reversed(opened):
            part.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.delays", description="How long people wait.")
    parser.add_argument("--games", type=int, default=60, help="games against seven Aces (60)")
    parser.add_argument("--flights", type=int, default=2, help="test flights against seven Aces (2)")
    parser.add_argument("--turns", type=int, default=12, help="turns of each game that are measured (12)")
    parser.add_argument("--patience", type=float, default=60, help="seconds to wait for a turn (60)")
    parser.add_argument("--seconds", type=float, default=120, help="seconds in which turns begin (120)")
    parser.add_argument("--backup", type=Path, help="what the site begins with, in place of an empty one")
    return parser


if __name__ == "__main__":
    sys.exit(main())
