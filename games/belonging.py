"""Rows that belong to one game: each carries the game's number, so that a table can be distributed by it.

Citus keeps all rows of a game on one machine only if each of them has that number itself
(docs/scaling.md, “Beyond one Postgres”).
"""

from typing import Any, ClassVar

from django.apps import apps
from django.db import models
from django.db.models import F


class BelongsToGame(models.Model):
    """A row that knows its game by another row, from which ``known_by`` leads to the game's number.

    Nothing looks rows up by it yet.
    """

    # Neither index nor constraint: each turn would write both. The row
    # that `known_by` leads over is constrained, and is deleted with the game. In Citus the key to that row
    # has the game in it, as (game, turn) refers to (game, id): one more constraint would say it twice.
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.DO_NOTHING,
        null=True,
        db_index=False,
        db_constraint=False,
        related_name="+",
    )

    known_by: ClassVar[str]

    class Meta:
        abstract = True


def tables() -> list[tuple[type[models.Model], str]]:
    """Return the tables whose rows know their game twice, with the other way to its number."""
    every = apps.get_app_config("games").get_models()
    return [(model, model.known_by) for model in every if hasattr(model, "known_by")]


def contradictions(model: type[models.Model], way: str, game_id: int) -> Any:
    """Return the rows of a game in such a table that do not name it, or that name another game."""
    return model._default_manager.filter(**{way: game_id}).exclude(game=F(way))
