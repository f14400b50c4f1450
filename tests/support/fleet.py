"""The built-in starships as `load_starships` writes them, computed once.

Estimating the lengths of games on them takes seconds. A file keeps their rows as SQL statements between tests
and runs, as long as the sources stay the same.
"""

from pathlib import Path

from django.db import connection, transaction

from embedded import up
from games.fleet.models import Starship, StarshipFacts, StarshipRevision
from games.fleet.services import load_starships
from tests.support import worlds
from tests.support.clock import NOW

FIXTURES = Path(__file__).parents[2] / "fixtures"

_NUMBERED = tuple(model._meta.db_table for model in (Starship, StarshipRevision))


def launch() -> None:
    """Load the built-in starships into a database without starships."""
    assert not any(model.objects.exists() for model in (Starship, StarshipRevision, StarshipFacts))
    with up.stored_copy("fleet", up.DATABASE_SOURCES, _work_out) as place:
        statements = (place / "rows.sql").read_text()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statements)
        for table in _NUMBERED:
            cursor.execute(
                f"SELECT setval(named, greatest(nextval(named), (SELECT max(id) FROM {table})))"
                f" FROM pg_get_serial_sequence('{table}', 'id') named"
            )


def _work_out(place: Path) -> None:
    """Load the ships with the service, save their rows as SQL, and roll back."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _NUMBERED:
            cursor.execute(f"ALTER TABLE {table} ALTER COLUMN id RESTART")
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        (since,) = cursor.fetchone()
        load_starships(directory=FIXTURES, now=NOW)
        place.mkdir()
        (place / "rows.sql").write_text(worlds.written(since))
        transaction.set_rollback(True)
