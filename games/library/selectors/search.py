"""Finding starships in the library."""

from collections.abc import Iterable
from typing import Final

from django.db.models import Case, F, Func, IntegerField, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Lower

from games.fleet.classes import range_of
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors.starships import named
from games.library.lengths import turns, within

RECOMMENDED: Final = "recommended"

Order = tuple[str | Combinable, ...]

ORDERS: Final[dict[str, Order]] = {
    "newest": (Coalesce("launched_at", "created_at").desc(),),
    "name": (Lower("name"),),
    "flown": (F("figures__played").desc(nulls_last=True),),
    "shortest": (turns().asc(nulls_last=True),),
    "longest": (turns().desc(nulls_last=True),),
    "rated": (F("rating__shrunk").desc(nulls_last=True),),
    "smallest": ("facts__cells",),
    "largest": (F("facts__cells").desc(nulls_last=True),),
}
"""In which orders ships can be listed, beside the recommended one. Ships that are alike keep that one."""


def offered(*, section: str | None = None) -> QuerySet[Starship]:
    """Return the starships offered for new games: of a section, or of all but the prototypes."""
    found = Starship.objects.filter(OFFERED)
    if section:
        return found.filter(section=section)
    return found.exclude(section=Starship.Section.PROTOTYPES)


def search(
    *,
    text: str = "",
    section: str | None = None,
    ruleset: str | None = None,
    players: int | None = None,
    starship_class: str | None = None,
    length: str | None = None,
    elements: Iterable[str] = (),
    stars: int | None = None,
    sort: str | None = None,
) -> QuerySet[Starship]:
    """Return the starships offered that fit, with their current revisions and facts, in an order.

    ``text`` is searched in names and builders, each of its words. ``players`` is a number for which a
    ship was built. Its games are of a ``length``, a key of `games.library.lengths`. All ``elements`` stand on
    the ship. It has at least so many ``stars``. ``sort`` is `RECOMMENDED`, or one of `ORDERS`;
    without it, they come section by section.
    """
    found = offered(section=section).select_related("current", "facts", "rating").filter(named(text))
    if ruleset:
        found = found.filter(facts__rulesets__contains=[ruleset])
    if players:
        found = found.filter(seats_least__lte=players, seats_most__gte=players)
    if starship_class:
        least, most = range_of(starship_class)
        found = found.filter(facts__cells__gte=least)
        found = found if most is None else found.filter(facts__cells__lte=most)
    if length:
        found = found.alias(turns=turns()).filter(within(length))
    if wanted := list(elements):
        found = found.filter(facts__elements__contains=wanted)
    if stars:
        found = found.filter(rating__stars__gte=stars)
    return found.order_by(
        *ORDERS.get(sort or "", ()), *_recommended(ruleset if sort == RECOMMENDED else None)
    )


def _recommended(ruleset: str | None) -> Order:
    """Return the order of the library: section by section.

    For a ruleset, missions come after the fleet, and what looks built for it comes first, as in
    `games.fleet.selectors.fitting.fits`.
    """
    order: Order = (_place_of_section(), "position", "name", "pk")
    if ruleset is None:
        return order
    is_mission = Case(When(section=Starship.Section.MISSIONS, then=1), default=0, output_field=IntegerField())
    strangeness = Func(
        F("facts__rulesets"), Value(ruleset), function="array_position", output_field=IntegerField()
    )
    return (is_mission, strangeness, *order)


def _place_of_section() -> Case:
    places = [When(section=section, then=place) for place, section in enumerate(Starship.Section.values)]
    return Case(*places, output_field=IntegerField())
