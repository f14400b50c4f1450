"""What a turn takes on disk: plays turns of four players by chance, and says how much each table has grown.

    .venv/bin/python -m bench.storage                 1,000 turns
    .venv/bin/python -m bench.storage --turns 200

It starts Postgres and Redis of its own. First it plays a quarter as many turns, so that there is room as on
a site that has been there for a while: what a turn leaves behind is used again once Postgres has vacuumed.
That is done before each measurement, as autovacuum does. Sizes are those of `pg_total_relation_size`, with
indexes.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils import timezone

from bench.scratch import scratch_site

GAMES: Final = 20
"""Games that are under way at any time."""

TURN: Final = ("games_turn", "games_hand", "games_program", "games_draft")
"""The tables that hold what a turn is: its record, state, hands and orders."""


def sizes() -> dict[str, int]:
    """Return how many bytes each table takes with its indexes, once all that is free there is known."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def turns(number: int) -> Iterator[int]:
    """Play turns, and yield how many events each has; a game that is over makes room for the next one."""
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
    """Play, and return what a turn of those that are measured took."""
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
    """Measure it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.storage", description="What a turn takes on disk.")
    parser.add_argument("--turns", type=int, default=1000, help="turns that are measured (1,000)")
    given = parser.parse_args(arguments)
    with scratch_site("storage"):
        sys.stdout.write(json.dumps(report(given.turns), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
