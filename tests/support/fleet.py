"""Load the built-in starships quickly, as `load_starships` would write them.

The service takes seconds to estimate the lengths of games. So a file stores the rows as SQL statements for
later tests and runs, until a source file changes.
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
    """Save the rows of the built-in starships as SQL, without changing the database."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _NUMBERED:
            cursor.execute(f"ALTER TABLE {table} ALTER COLUMN id RESTART")
        # The savepoint's own ID: a snapshot's would include rows that the calling test wrote before.
        sequence = "pg_get_serial_sequence(%s, 'id')::regclass"
        cursor.execute(f"SELECT xmin::text::bigint FROM pg_class WHERE oid = {sequence}", [_NUMBERED[0]])
        (since,) = cursor.fetchone()
        load_starships(directory=FIXTURES, now=NOW)
        place.mkdir()
        (place / "rows.sql").write_text(worlds.written(since))
        transaction.set_rollback(True)
