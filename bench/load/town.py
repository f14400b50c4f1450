"""Create sites with any number of players, with competitions and contacts."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import connection, models, transaction

from accounts.models import User
from bench.load import listings
from bench.load.rows import spread
from bench.load.villages import Shape, Village, tidy
from games.play.models import Game

VILLAGE: Final = Shape(people=4, running=1, over=1, past=False)

LETTERS: Final = "abcdefghjknpqrstuvwxyz"
"""The letters for the first part of names. Letters that are easily confused are left out."""


class Town(Village):
    """Villages whose people have varied names and appear in all lists of players."""

    def settle(self, players: int) -> None:
        """Grow the site to this number of players."""
        before = self.copies * self.shape.people if self._people else 0
        if not before:
            self._count_from_one()
            self.create()
            listings.create_fixed_rows(self.now)
        self.grow(players // self.shape.people)
        kinds = listings.kinds(self.now)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # skips checks of references
            for kind in kinds:
                cursor.execute(*kind.making(before, players))
        tidy()

    def _count_from_one(self) -> None:
        """Restart the IDs of players and games at 1, because other rows refer to them by number."""
        with connection.cursor() as cursor:
            for model in (User, Game):
                table = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 1, false)")

    def _value(self, field: "models.Field[Any, Any]", shifts: Mapping[type[models.Model], int]) -> str:
        if field.model is User and field.name == "robo_name":
            return _named(self._shifted("row.id", User, shifts))
        return super()._value(field, shifts)


def _named(number: str) -> str:
    """Return an SQL expression for a player's name: three letters and the player's number."""
    many = len(LETTERS)
    letters = (
        f"substr('{LETTERS}', ({spread(number)} / {many**place} % {many})::int + 1, 1)" for place in range(3)
    )
    return f"{' || '.join(letters)} || '-' || ({number})"
