"""Times that Postgres can hold and Python cannot: read as the first or the last day that both know.

One such value would otherwise keep a whole list from being read, since it fails with the row and not with its
game. `FAR` and `LONG_AGO` leave room for any time zone.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import DataError
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

LONG_AGO: Final = datetime(1, 1, 3, tzinfo=UTC)

FAR: Final = datetime(9999, 12, 29, tzinfo=UTC)

LONGEST: Final = timedelta(days=365_000)
"""What an interval counts as that Python cannot hold."""

YEARS_AWAY: Final = timedelta(days=3650)
"""A deadline so far ahead was never meant: no pace, pause or calendar leads there."""

VALUES: Final[dict[str, tuple[Any, Any]]] = {
    "timestamptz": (LONG_AGO, FAR),
    "date": (LONG_AGO.date(), FAR.date()),
    "interval": (-LONGEST, LONGEST),
}
"""The least and the greatest value of each type that is read in place of one out of range."""


def read_far_times(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Have a new connection read what is out of range; a receiver of Django's ``connection_created``."""
    adapters: Any = connection.connection.adapters
    for name, (least, most) in VALUES.items():
        info: TypeInfo = adapters.types[name]
        loader = adapters.get_loader(info.oid, Format.TEXT)
        if not hasattr(loader, "out_of_range"):
            adapters.register_loader(info.oid, _clamped(loader, least, most))


@cache
def _clamped(loader: type[Loader], least: Any, most: Any) -> type[Loader]:
    class Clamped(Loader):
        """Reads what can be read, and the nearest value for what cannot."""

        out_of_range = (least, most)
        timezone = getattr(loader, "timezone", None)  # by which Django knows whether it is the right one

        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._loader = loader(oid, context)

        def load(self, data: Buffer) -> Any:
            try:
                return self._loader.load(data)
            except (DataError, OverflowError):
                text = bytes(data)
                return least if text.startswith(b"-") or text.endswith(b"BC") else most

    return Clamped
