"""Measure the disk space of a turn: play turns, and report how the tables grow.

    .venv/bin/python -m bench.storage                 1,000 turns
    .venv/bin/python -m bench.storage --turns 200

It starts its own Postgres and Redis, and plays random turns. First it plays a quarter as many turns, to leave
free space as on an older site: Postgres reuses the dead rows of turns after a vacuum. Each measurement starts
with a vacuum, as autovacuum would do. Sizes come from `pg_total_relation_size`, and include indexes.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils import timezone

from bench.scratch import scratch_site

GAMES: Final = 20
"""The number of games running at any time."""

TURN: Final = ("games_turn", "games_hand", "games_program", "games_draft")
"""The tables of a turn's record, state, hands and orders."""


def sizes() -> dict[str, int]:
    """Return the bytes of each table with its indexes, after a vacuum."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def turns(number: int) -> Iterator[int]:
    """Play turns, yielding the number of events of each. Replace finished games."""
    from bench.load.villages import Shape, Village, give
    from games.play.models import Game, Turn
    from games.play.resolution import resolve_turn

    now = timezone.now()
    village = Village(Shape(people=8, running=0), now)
    village.found()
    played = 0
    while played < number:
        running = list(Game.objects.filter(status=Game.Status.RUNNING))
        while len(running) < GAMES:
            running.append(village.start())
        for game in running:
            give(game, village.shape.seats, now)
            before = game.last_seq
            resolve_turn(turn_id=game.turns.get(status=Turn.Status.OPEN).pk, now=now)
            game.refresh_from_db()
            played += 1
            yield game.last_seq - before


def report(number: int) -> Mapping[str, Any]:
    """Play, and return the mean space of the measured turns."""
    playing = turns(number + number // 4)
    for _ in range(number // 4):
        next(playing)
    before = sizes()
    events = [next(playing) for _ in range(number)]
    after = sizes()
    grown = {table: after[table] - before.get(table, 0) for table in after}
    each = {table: round(more / number) for table, more in sorted(grown.items()) if more}
    return {
        "turns": number,
        "events a turn": round(sum(events) / number, 1),
        "bytes a turn by table": each,
        "bytes a turn, log, hands and programs": sum(each.get(table, 0) for table in TURN),
        "bytes a turn, all tables": sum(each.values()),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the report. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.storage", description="What a turn takes on disk.")
    parser.add_argument("--turns", type=int, default=1000, help="turns that are measured (1,000)")
    given = parser.parse_args(arguments)
    with scratch_site("storage"):
        sys.stdout.write(json.dumps(report(given.turns), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
