"""Putting the starships that come with the game into the library."""

import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from games.errors import Invalid, ServiceError
from games.fleet.models import Starship
from games.fleet.services.starships import save_starship

LIST = "starships.toml"


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many starships came new into the library, and how many have another board than before."""

    new: int
    changed: int
    all: int


def load_starships(*, directory: Path, now: datetime) -> Loaded:
    """Load the starships that ``starships.toml`` in a directory lists, all or none.

    What staff have changed stays as they want it: a board that a person saved is left alone, and so is the
    place in the library of every ship that is there. Raises Invalid with every fault, file by file.
    """
    problems: list[dict[str, Any]] = []
    new = changed = 0
    entries = tomllib.loads((directory / LIST).read_text(encoding="utf-8"))["starship"]
    with transaction.atomic():
        for position, entry in enumerate(entries, 1):
            path = directory / "starships" / entry["file"]
            slug = path.stem.partition("-")[2]
            starship = Starship.objects.select_related("current").filter(slug=slug).first()
            if starship and starship.current and starship.current.saved_by_id is not None:
                continue
            try:
                saved = _load(path, slug, starship, entry, position, now)
            except (ServiceError, rules.NotationError, OSError) as error:
                problems += _faults(path, error)
                continue
            new += starship is None
            changed += starship is not None and saved.current_id != starship.current_id
        if problems:
            raise Invalid("starships", _("The starships cannot be loaded."), problems)
    return Loaded(new, changed, len(entries))


def _load(
    path: Path, slug: str, starship: Starship | None, entry: dict[str, Any], position: int, now: datetime
) -> Starship:
    document = rules.parse(path.read_bytes())
    if starship:
        return save_starship(
            starship_id=starship.pk,
            document=document,
            section=starship.section,
            seats_least=starship.seats_least,
            seats_most=starship.seats_most,
            now=now,
        )
    least, most = entry["seats"]
    return save_starship(
        document=document,
        slug=slug,
        section=entry["section"],
        seats_least=least,
        seats_most=most,
        position=position,
        now=now,
    )


def _faults(path: Path, error: Exception) -> list[dict[str, Any]]:
    found = error.problems if isinstance(error, ServiceError) and error.problems else [{"detail": str(error)}]
    return [{"code": "starship", **fault, "detail": f"{path.name}: {fault['detail']}"} for fault in found]
