"""The starships that come with the game, as `load_starships` writes them: worked out once, and kept.

To work out how long games are on each of them takes seconds. Their rows are kept as statements for what the
sources are now, from test to test and from run to run.
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
    """Put the starships into a database that has none."""
    assert not any(model.objects.exists() for model in (Starship, StarshipRevision, StarshipFacts))
    with up.ready_made("fleet", up.OF_DATABASE, _work_out) as place:
        statements = (place / "rows.sql").read_text()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statements)
        for table in _NUMBERED:
            cursor.execute(
                f"SELECT setval(named, greatest(nextval(named), (SELECT max(id) FROM {table})))"
                f" FROM pg_get_serial_sequence('{table}', 'id') named"
            )


def _work_out(place: Path) -> None:
    """Load them by the service, keep the rows that it wrote, and take them back."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _NUMBERED:
            cursor.execute(f"ALTER TABLE {table} ALTER COLUMN id RESTART")
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        (since,) = cursor.fetchone()
        load_starships(directory=FIXTURES, now=NOW)
        place.mkdir()
        (place / "rows.sql").write_text(worlds.written(since))
        transaction.set_rollback(True)
