"""Turns in the order in which they were recorded."""

from typing import Any, Final

from django.db.models import BigIntegerField, Min, QuerySet
from django.db.models.functions import Coalesce

from games.play.models import Turn

NEVER: Final = 2**62
"""Stands for the row of the log of a turn in which nothing happened: after all others."""


def in_order(turns: QuerySet[Turn, Any]) -> QuerySet[Turn, Any]:
    """Return the values of turns in the order in which these were recorded, as ``first``.

    That is the order in which they count for each of their players, whatever the clocks said.
    """
    numbered = turns.annotate(first=Coalesce("recorded", Min("log"), NEVER, output_field=BigIntegerField()))
    return numbered.order_by("first", "resolved_at", "pk")
