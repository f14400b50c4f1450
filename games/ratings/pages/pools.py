"""Pools as pages name them and ask for them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

import rules
from games.ratings.models import ALL


@dataclass(frozen=True, slots=True)
class Tab:
    """One of several pools to choose from."""

    name: str
    query: str
    current: bool


def pool_in(request: HttpRequest) -> str:
    """Return the pool that an address asks for: all, where it names no ruleset."""
    key = request.GET.get("rules", "")
    return key if key in rules.RULESETS else ALL


def pool_name(key: str | None) -> str:
    """Return what a pool is called.

    >>> pool_name("robo-runner"), pool_name(None)
    ('Robo Runner', 'All rulesets')
    """
    return rules.RULESETS[key].name if key in rules.RULESETS else _("All rulesets")


def tabs_of(keys: Iterable[str], chosen: str) -> list[Tab]:
    return [
        Tab(pool_name(key), "?" if key == ALL else f"?rules={key}", current=key == chosen) for key in keys
    ]
