"""The command of `bench.costs`. It starts its own servers, and prints a table or JSON."""

import argparse
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import django
from django.core.management import call_command
from django.utils import timezone

from embedded import backup, paths

VILLAGE: Final = 8
"""The number of games that are really played to fill the site. All other games are copies of these."""

PARTS: Final = ("web", "worker", "postgres")

Row = dict[str, Any]


def main() -> None:
    """Measure the costs of work on a site, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.costs", description="What orders and pages cost.")
    parser.add_argument("--games", type=int, default=64, help="games of four to measure in (64)")
    parser.add_argument("--warm-up", type=int, default=8, help="games that are played before (8)")
    parser.add_argument("--backup", type=Path, help="what the site begins with, in place of an empty one")
    parser.add_argument("--directory", type=Path, help="where servers and logs lie, and stay")
    parser.add_argument("--json", action="store_true", help="print JSON, with the statements")
    parser.add_argument("--statements", action="store_true", help="print the statements after the table")
    arguments = parser.parse_args()
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="robo-runner-costs-"))
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)
    directory.mkdir(parents=True, exist_ok=True)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        SECRET_KEY=secrets.token_hex(),
        EMAIL_URL=(directory.resolve() / "mail").as_uri(),
    )
    rows = measure(directory, games=arguments.games, warm_up=arguments.warm_up, file=arguments.backup)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        show(rows, statements=arguments.statements)
    if not arguments.directory:
        shutil.rmtree(directory, ignore_errors=True)
        shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)


def measure(directory: Path, *, games: int, warm_up: int, file: Path | None) -> dict[str, Row]:
    """Start a site and play games there. Return the costs by kind of work."""
    from bench.load.site import Site

    site = Site(directory, web=1, workers=1)
    try:
        site.open(site.database, site.broker)
        if file:
            backup.fill(file, os.environ["DATABASE_URL"])
        django.setup()
        if not file:
            call_command("prepare", verbosity=0)
        return _measured(site, games, warm_up)
    finally:
        site.close()


def _measured(site: Any, games: int, warm_up: int) -> dict[str, Row]:
    from bench.costs.meter import Meter
    from bench.costs.rounds import KINDS, Rounds
    from bench.load.trial import quiet
    from bench.load.villages import Shape, Village
    from games.play.models import Game

    quiet()
    wanted = games + warm_up + 1
    complete = min(VILLAGE, wanted)
    village = Village(Shape(people=VILLAGE, running=0, complete=complete, turns=2), timezone.now())
    village.create()
    village.grow(-(-wanted // complete))
    numbers = list(Game.objects.order_by("pk").values_list("pk", flat=True))
    site.open(site.worker, site.web)
    meter = Meter(site.directory / "postgres.log")
    meter.steady()
    Rounds(site.port, meter).play(numbers[:warm_up])
    rounds = Rounds(site.port, meter)
    rounds.play(numbers[warm_up : warm_up + games])
    meter.write_statements()
    logged = Rounds(site.port, meter, statements=True)
    logged.play(numbers[-1:])
    return {
        kind: _row(rounds.notes.taken[kind], rounds.notes.times[kind])
        | {"statements": logged.notes.statements[kind], "for": logged.notes.times[kind]}
        for kind in KINDS
    }


def _row(taken: Mapping[str, float], times: int) -> Row:
    """Return the processor milliseconds of one piece of work: for each part of the site, and in total."""
    by_part = {part: round(taken.get(part, 0) / times, 2) for part in PARTS}
    return {**by_part, "together": round(sum(taken.get(part, 0) for part in PARTS) / times, 2)}


def show(rows: Mapping[str, Row], *, statements: bool) -> None:
    """Print the costs as a table, in milliseconds of processor time."""
    heads = [*PARTS, "together", "statements"]
    print(f"{'milliseconds of a processor':54}" + "".join(f"{head:>11}" for head in heads))
    for kind, row in rows.items():
        number = len(row["statements"]) / row["for"]
        figures = [*(row[head] for head in heads[:-1]), number]
        print(f"{kind:54}" + "".join(f"{figure:11.1f}" for figure in figures))
    if statements:
        for kind, row in rows.items():
            print(f"\n{kind}, {row['for']} of them")
            print("\n".join(f"  {text}" for text in row["statements"]))


if __name__ == "__main__":
    main()
