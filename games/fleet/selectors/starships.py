"""The library of starships."""

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Final, TypedDict

from django.db.models import Case, IntegerField, Q, QuerySet, When
from django.utils.translation import gettext as _

import rules
from games.documents import Shape
from games.errors import Gone, NotFound
from games.fleet import stored
from games.fleet.models import OFFERED, Starship, StarshipRevision
from games.kept import Memory
from games.language import WORDS
from rules.notation import STARSHIP_FORMAT


class StarshipDocument(TypedDict):
    """A board in the format `starship/1`."""

    format: Annotated[str, Shape({"type": "string", "enum": [STARSHIP_FORMAT]})]
    name: str
    builder: str
    description: str
    rows: Annotated[list[str], "North first; cells separated by spaces."]


NAMED: Final = 60
"""Starships whose names are listed to choose from; a search finds the rest."""


def named(text: str) -> Q:
    """Return what is true of starships in whose names and builders each word of a text occurs."""
    found = Q()
    for word in text.split():
        found &= Q(name__icontains=word) | Q(builder__icontains=word)
    return found


def starship_names(*, text: str = "", also: Collection[int] = ()) -> list[tuple[int, str]]:
    """Return the ids and names of starships offered, `NAMED` at most: the fleet, then the missions.

    With a ``text``, it is those that `named` finds. Those among ``also`` are there in any case, prototypes
    as well: they come last, unless they are there anyway.
    """
    sections = (Starship.Section.FLEET, Starship.Section.MISSIONS, Starship.Section.PROTOTYPES)
    places = [When(section=section, then=place) for place, section in enumerate(sections)]
    order = (Case(*places, output_field=IntegerField()), "position", "name", "pk")
    offered = Starship.objects.filter(OFFERED).order_by(*order).values_list("pk", "name")
    listed = list(offered.filter(named(text)).exclude(section=Starship.Section.PROTOTYPES)[:NAMED])
    return listed + list(offered.filter(pk__in=also).exclude(pk__in=[pk for pk, name in listed]))


def visible_starships() -> QuerySet[Starship]:
    """Return the starships that people may see, retired or not: no hidden ones, and none taken down."""
    return Starship.objects.filter(current__isnull=False, hidden=False, taken_down_at=None)


def starship_for(*, starship_id: int, taken_down: bool = False) -> Starship:
    """Return a starship with its current revision, retired or not; raises NotFound, also for a hidden one.

    Raises Gone for one that staff have taken down, unless that is asked for as well.
    """
    ships = Starship.objects.select_related("current", "owner").filter(current__isnull=False, hidden=False)
    ship = ships.filter(pk=starship_id).first()
    if ship is None:
        raise NotFound("no-starship", _("There is no such starship."))
    if ship.taken_down_at and not taken_down:
        raise gone()
    return ship


def gone() -> Gone:
    """Return the refusal to show a ship that staff have taken down."""
    return Gone("taken-down", _("Staff took this ship down. Games on it go on."))


def revision_for(*, revision_id: int) -> StarshipRevision:
    """Return a version of a ship that people may see.

    Raises NotFound, and Gone if staff have taken the ship down.
    """
    revision = StarshipRevision.objects.select_related("starship").filter(pk=revision_id).first()
    if revision is None or revision.starship.hidden:
        raise NotFound("no-starship", _("There is no such starship."))
    if revision.starship.taken_down_at:
        raise gone()
    return revision


def unsuitable_of(*, starship: Starship) -> dict[str, list[str]]:
    """Return for each ruleset that a starship does not suit the reasons, as sentences."""
    board = current_board(starship)
    reasons = {key: unsuitable(ruleset, board) for key, ruleset in rules.RULESETS.items()}
    return {
        key: [problem.told(WORDS) for problem in problems] for key, problems in reasons.items() if problems
    }


def rulesets_of(*, starship: Starship) -> list[str]:
    """Return the keys of the rulesets that a starship suits."""
    board = current_board(starship)
    return [key for key, ruleset in rules.RULESETS.items() if not unsuitable(ruleset, board)]


def current_board(starship: Starship) -> rules.Starship:
    """Return the current board of a starship."""
    assert starship.current
    return stored.starship_of(starship.current)


REASONS: Final = Memory[tuple[rules.Problem, ...]](16_000_000, lambda problems: 500 * (len(problems) + 1))
"""Why boards do not suit rulesets: one of the largest may have some ten thousand reasons."""


def unsuitable(ruleset: rules.Ruleset, board: rules.Starship) -> tuple[rules.Problem, ...]:
    """Return why a board of the library does not suit a ruleset; nothing if it does.

    Where checkpoints may be set for each game, it does not matter how many there are on the board.
    """
    name = f"{hash(ruleset)} {board.fingerprint}"
    if ruleset.sets_checkpoints:
        ruleset = replace(ruleset, checkpoints=(0, len(board.cells)))
    return REASONS.made(name, lambda: tuple(rules.unsuitable(ruleset, board)))
