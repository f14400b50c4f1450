"""Starships to choose from, in groups: one's favourites first."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from django.utils.translation import gettext as _

from games.fleet.models import Starship

Choice = TypeVar("Choice")

LONGEST: Final = 80
"""Characters of what is searched for; the rest is left out."""

Groups = list[tuple[str, list[Choice]]]
"""Choices by the name of their group, which is empty where there is only one."""


def words_in(asked: Mapping[str, Any]) -> str:
    """Return the words by which starships are searched.

    >>> words_in({"find": "  tin\\0  canoe "})
    'tin canoe'
    """
    return " ".join(str(asked.get("find", "")).replace("\0", " ").split())[:LONGEST]


def searched(
    find: str,
    offer: Callable[[str], list[Choice]],
    ship_of: Callable[[Choice], Starship | None],
    chosen: Collection[int],
) -> tuple[list[Choice], bool]:
    """Return what is offered for words, and whether they find nothing but what was ``chosen`` before.

    ``ship_of`` returns None for a choice that does not suit. Where none suits, it is all that is offered
    without words: one can always go on.
    """
    found = offer(find)
    suiting = [ship.pk for choice in found if (ship := ship_of(choice))]
    return found if suiting or not find else offer(""), bool(find) and set(suiting) <= set(chosen)


def grouped(
    choices: Iterable[Choice], favourites: Collection[int], ship_of: Callable[[Choice], Starship]
) -> Groups[Choice]:
    """Return choices in their order: those of favourite ships, and then the others."""
    first: list[Choice] = []
    others: list[Choice] = []
    for choice in choices:
        (first if ship_of(choice).pk in favourites else others).append(choice)
    groups = [(_("Your favourites"), first), (_("Other starships") if first else "", others)]
    return [(name, some) for name, some in groups if some]
