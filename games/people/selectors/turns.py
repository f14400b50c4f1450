"""Turns in the order in which they were recorded."""

from typing import Any

from django.db.models import F, QuerySet

from games.play.models import Turn


def in_order(turns: QuerySet[Turn, Any]) -> QuerySet[Turn, Any]:
    """Return the values of turns in the order in which these were recorded, as ``first``.

    That is the order in which they count for each of their players, whatever the clocks said.
    """
    return turns.annotate(first=F("recorded")).order_by("first")
