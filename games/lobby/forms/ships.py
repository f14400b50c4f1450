"""Starships to choose from, in groups: one's favourites first."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from django.utils.translation import gettext as _

from games.fleet.models import Starship

Choice = TypeVar("Choice")

Groups = list[tuple[str, list[Choice]]]
"""Choices by the name of their group, which is empty where there is only one."""


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
