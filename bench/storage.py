"""Measure the disk space of a turn: play turns, and report how the tables grow.

    .venv/bin/python -m bench.storage                 1,000 turns
    .venv/bin/python -m bench.storage --turns 200

It starts its own Postgres and Redis, and plays random turns. It first plays a quarter of the turns without
measuring, because on an older site Postgres reuses the space of deleted rows after a vacuum. Each measurement
starts with a vacuum, as autovacuum would do. Sizes come from `pg_total_relation_size`, and include indexes.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils import timezone

from bench.scratch import scratch_site

GAMES: Final = 20
"""The number of games that run at the same time."""

TURN: Final = ("games_turn", "games_hand", "games_program", "games_draft")
"""The tables with a turn's record, states, hands, programs and drafts."""


def sizes() -> dict[str, int]:
    """Vacuum the database, and return the size of each table with its indexes, in bytes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def turns(number: int) -> Iterator[int]:
    """Play turns, and yield the number of events in each. New games replace finished games."""
    from bench.load.villages import Shape, Village, submit_random_orders
    from games.play.models import Game, Turn
    from games.play.resolution import resolve_turn

    now = timezone.now()
    village = Village(Shape(people=8, running=0), now)
    village.create()
    played = 0
    while played < number:
        running = list(Game.objects.filter(status=Game.Status.RUNNING))
        while len(running) < GAMES:
            running.append(village.start())
        for game in running:
            submit_random_orders(game, village.shape.seats, now)
            before = game.last_seq
            resolve_turn(turn_id=game.turns.get(status=Turn.Status.OPEN).pk, now=now)
            game.refresh_from_db()
            played += 1
            yield game.last_seq - before


def report(number: int) -> Mapping[str, Any]:
    """Play ``number`` turns, and return the mean space of a turn on disk, in total and by table."""
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
    """Measure the disk space of turns, and print the report. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.storage", description="What a turn takes on disk.")
    parser.add_argument("--turns", type=int, default=1000, help="turns that are measured (1,000)")
    given = parser.parse_args(arguments)
    with scratch_site("storage"):
        sys.stdout.write(json.dumps(report(given.turns), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
