"""The search in the starship library: by class, length of games, elements, rulesets and words."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.db.models import Case, F, Func, IntegerField, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Lower
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from games.content_cache import LRUCache
from games.fleet import boards
from games.fleet.models import OFFERED, Course, Starship, StarshipFacts, StarshipRevision
from games.fleet.selectors import editions_of, named
from rules.elements import Space
from rules.language import N_
from rules.tunnel.outlook import expected_turns

# --- Classes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StarshipClass:
    """A class of starships by size.

    ``key`` is its name in URLs, and ``least`` its minimum number of cells.
    """

    key: str
    name: Promise
    least: int


CLASSES: Final = (
    StarshipClass("shuttle", _("Shuttle"), 0),
    StarshipClass("cutter", _("Cutter"), 81),
    StarshipClass("frigate", _("Frigate"), 121),
    StarshipClass("cruiser", _("Cruiser"), 161),
    StarshipClass("carrier", _("Carrier"), 257),
)
"""All classes of starships, the smallest first. Cells of space do not count."""


def class_of(cells: int) -> StarshipClass:
    """Return the class of a ship with this number of cells.

    >>> [class_of(cells).key for cells in (40, 81, 144, 256, 400)]
    ['shuttle', 'cutter', 'frigate', 'cruiser', 'carrier']
    """
    return next(each for each in reversed(CLASSES) if each.least <= cells)


def range_of(key: str) -> tuple[int, int | None]:
    """Return the minimum and maximum number of cells of a class. The largest class has no maximum.

    >>> range_of("cutter"), range_of("carrier")
    ((81, 120), (257, None))
    """
    index = next(number for number, each in enumerate(CLASSES) if each.key == key)
    end = CLASSES[index + 1].least - 1 if index + 1 < len(CLASSES) else None
    return CLASSES[index].least, end


def cells_in(document: Mapping[str, Any]) -> int:
    """Return the number of cells in a `starship/1` document. Cells of space do not count.

    >>> cells_in({"rows": ["a . ~", "~ .+i1 ."]})
    4
    """
    return sum(_is_there(token) for row in document["rows"] for token in row.split())


def class_of_board(board: StarshipRevision | Course) -> StarshipClass:
    return class_of(cells_in(board.document))


def _is_there(token: str) -> bool:
    return token.partition("+")[0] != Space.token


# --- Elements -----------------------------------------------------------------------------------------------


ELEMENTS: Final[Mapping[str, tuple[Promise, frozenset[str]]]] = {
    "beams": (_("Beams"), frozenset({"beam", N_("beam of speed 3")})),
    "twisters": (_("Twisters"), frozenset({"twister"})),
    "lasers": (_("Lasers"), frozenset({"laser"})),
    "shafts": (_("Cooling shafts"), frozenset({"shaft"})),
    "depots": (_("Repair depots"), frozenset({N_("repair depot")})),
    "arms": (_("Docking arms"), frozenset({N_("docking arm")})),
    "slides": (_("Slide rails"), frozenset({N_("slide rail")})),
    "couplings": (_("Power couplings"), frozenset({"coupling"})),
    "bays": (_("Launch bays"), frozenset({N_("launch bay")})),
    "transporters": (_("Transporters"), frozenset({"transporter"})),
    "thrusters": (_("Thrusters"), frozenset({"thruster"})),
    "welding": (_("Hull damage"), frozenset({N_("hull damage")})),
    "crushers": (_("Crushers"), frozenset({"crusher"})),
    "oil": (_("Oil"), frozenset({"oil"})),
    "starts": (_("Start cells"), frozenset({N_("start cell")})),
}
"""The elements to search for, by key: the displayed name, and the names in the rules."""


def elements_on(ship: rules.Starship) -> list[str]:
    """Return the keys of the `ELEMENTS` on a board, in the order of `ELEMENTS`."""
    return [key for key, (_name, names) in ELEMENTS.items() if names & ship.elements.keys()]


# --- Lengths of games ---------------------------------------------------------------------------------------


GAMES_FOR_LENGTH: Final = 5
"""The minimum number of games among people before their median length counts as a ship's typical length."""


@dataclass(frozen=True, slots=True)
class Length:
    """A range of game lengths, in turns. ``most`` is None if the range has no maximum."""

    key: str
    name: Promise
    least: int
    most: int | None


LENGTHS: Final = (
    Length("short", _("Short: up to 6 turns"), 0, 6),
    Length("medium", _("Medium: 7 to 10 turns"), 7, 10),
    Length("long", _("Long: 11 turns or more"), 11, None),
)
"""The ranges of game lengths to search for. Each of the first two covers about a third of the fleet."""


def typical_turns() -> Case:
    """Return an SQL expression for the typical length of games on a starship in turns, NULL if unknown.

    It is the median of at least `GAMES_FOR_LENGTH` games among people, or else the estimate of
    `expected_turns`. Ships without an estimate, such as ships without checkpoints, use the median of fewer
    games.
    """
    return Case(
        When(figures__among_people__gte=GAMES_FOR_LENGTH, then=F("figures__median")),
        default=Coalesce(F("facts__turns"), F("figures__median"), output_field=IntegerField()),
        output_field=IntegerField(),
    )


def has_length(key: str) -> Q:
    """Return the condition for starships whose annotation ``turns`` is in a range of `LENGTHS`."""
    chosen = next(each for each in LENGTHS if each.key == key)
    condition: dict[str, Any] = {"turns__gte": chosen.least}
    return Q(**condition) if chosen.most is None else Q(**condition, turns__lte=chosen.most)


# --- Facts --------------------------------------------------------------------------------------------------


ESTIMATE_VERSION: Final = "turns 1"
"""The version of the estimate of game lengths. Change it whenever the estimate changes."""


ESTIMATED_TURNS: Final = LRUCache[tuple[int | None]](200_000, lambda turns: 200)
"""A cache of estimated turns, by board, ruleset and number of players."""


@lru_cache(maxsize=1)
def facts_edition() -> str:
    """Return a hash of the rulesets' versions, the `ELEMENTS`, and the `ESTIMATE_VERSION`.

    Saved facts with another edition are outdated.
    """
    parts = [
        ESTIMATE_VERSION,
        *(f"{ruleset.key} {ruleset.version}" for ruleset in rules.RULESETS.values()),
        *ELEMENTS,
    ]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def facts_of(*, starship: Starship) -> StarshipFacts:
    """Return the search facts of a starship: as saved, or derived again if the saved ones are outdated.

    Facts derived here have no ``turns``, since an estimate takes time.
    """
    noted: StarshipFacts | None = getattr(starship, "facts", None)
    if noted and (noted.edition, noted.revision_id) == (facts_edition(), starship.current_id):
        return noted
    return current_facts(starship=starship, expects=False)


def current_facts(*, starship: Starship, expects: bool = True) -> StarshipFacts:
    """Derive the search facts of a starship from its current revision, without saving them.

    ``turns`` is estimated only if ``expects`` is True. Otherwise, it is None.
    """
    revision = starship.current
    assert revision
    editions = editions_of(starship=starship)
    return StarshipFacts(
        starship=starship,
        revision=revision,
        edition=facts_edition(),
        cells=cells_in(revision.document),
        turns=_expected_turns(starship, editions) if expects else None,
        elements=elements_on(boards.starship_of(revision)),
        rulesets=[each.key for each in editions],
    )


def _expected_turns(starship: Starship, editions: list[rules.Ruleset]) -> int | None:
    """Estimate the turns of a game on a ship in its best-matching ruleset. Return None if unknown."""
    assert starship.current
    if not editions:
        return None
    ship, ruleset, players = boards.starship_of(starship.current), editions[0], starship.seats_most
    name = f"{hash(ruleset)} {ship.fingerprint} {players}"
    return ESTIMATED_TURNS.get_or_make(name, lambda: (expected_turns(ship, ruleset, players),))[0]


def prepare_search_facts(*, document: object, seats_least: int, seats_most: int) -> None:
    """Calculate a ship's search facts before the ship's row is locked, and cache the slow parts.

    After this, `current_facts` is fast while the row is locked.
    """
    starship = Starship(seats_least=seats_least, seats_most=seats_most)
    starship.current = StarshipRevision(document=document)
    with suppress(rules.NotationError):
        current_facts(starship=starship)


# --- Search -------------------------------------------------------------------------------------------------


RECOMMENDED: Final = "recommended"

Order = tuple[str | Combinable, ...]

ORDERS: Final[dict[str, Order]] = {
    "newest": (Coalesce("launched_at", "created_at").desc(),),
    "name": (Lower("name"),),
    "flown": (F("figures__played").desc(nulls_last=True),),
    "shortest": (typical_turns().asc(nulls_last=True),),
    "longest": (typical_turns().desc(nulls_last=True),),
    "rated": (F("rating__shrunk").desc(nulls_last=True),),
    "smallest": ("facts__cells",),
    "largest": (F("facts__cells").desc(nulls_last=True),),
}
"""The sort orders of the library, by key.

Ships that are equal in a sort order are listed in the recommended order.
"""


def offered_starships(*, section: str | None = None) -> QuerySet[Starship]:
    """Return the starships offered for new games in a section, or in all sections except prototypes."""
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
    """Return the offered starships matching all filters, with current revisions and facts.

    Each word of ``text`` must be in the name or builder. ``players`` must be a recommended number of players.
    ``starship_class`` is a key of `CLASSES`, and ``length`` a key of `LENGTHS`. ``elements`` are keys of
    `ELEMENTS`, and the ship must have all of them. ``stars`` is the minimum rating. ``sort`` is `RECOMMENDED`
    or a key of `ORDERS`. Without ``sort``, ships are sorted by section.
    """
    found = (
        offered_starships(section=section).select_related("current", "facts", "rating").filter(named(text))
    )
    if ruleset:
        found = found.filter(facts__rulesets__contains=[ruleset])
    if players:
        found = found.filter(seats_least__lte=players, seats_most__gte=players)
    if starship_class:
        least, most = range_of(starship_class)
        found = found.filter(facts__cells__gte=least)
        found = found if most is None else found.filter(facts__cells__lte=most)
    if length:
        found = found.alias(turns=typical_turns()).filter(has_length(length))
    if wanted := list(elements):
        found = found.filter(facts__elements__contains=wanted)
    if stars:
        found = found.filter(rating__stars__gte=stars)
    return found.order_by(
        *ORDERS.get(sort or "", ()), *_recommended(ruleset if sort == RECOMMENDED else None)
    )


def _recommended(ruleset: str | None) -> Order:
    """Return the recommended order of the library: section by section.

    With a ``ruleset``, missions come after all other ships. Among the missions, and among the other ships,
    the ruleset's best matches come first, as in `games.fleet.selectors.fits`.
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
