"""Lists in which one bad thing hides no other: each thing is read alone, and what cannot be read is named."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError
from django.db.models import Model

logger = logging.getLogger(__name__)

Thing = TypeVar("Thing")
Told = TypeVar("Told")


def alone(read: Callable[[], Told], topic: Model | int) -> Told | None:
    """Return what is read, None where it cannot be read: the log says why, and of which game or starship.

    That the database is away is no fault of what is read, and is raised.
    """
    try:
        return read()
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        number, what = (topic, "game") if isinstance(topic, int) else (topic.pk, str(topic._meta.model_name))
        logger.exception("The %s %d cannot be shown in a list", what, number, extra={what: number})
        return None


def each_alone(
    things: Iterable[Thing], read: Callable[[Thing], Told], game_of: Callable[[Thing], Any]
) -> tuple[list[Told], list[dict[str, Any]]]:
    """Return what is read of each thing, and number and name of the games of those that cannot be read."""
    told, unreadable = [], {}
    for thing in things:
        found = alone(lambda thing=thing: read(thing), game := game_of(thing))  # type: ignore[misc]
        if found is None:
            unreadable[game.pk] = game.name
        else:
            told.append(found)
    return told, [{"id": number, "name": name} for number, name in unreadable.items()]
