"""Find starships in the library by class, length of games, elements, rulesets, and words."""

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
from games.fleet import boards
from games.fleet.models import OFFERED, Course, Starship, StarshipFacts, StarshipRevision
from games.fleet.selectors import editions_of, named
from games.kept import Memory
from rules.elements import Space
from rules.language import N_
from rules.tunnel.outlook import expected_turns

# --- Classes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StarshipClass:
    """A class of starships: its ``key`` in addresses and answers, and how many cells it takes, at least."""

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
"""All classes, the smallest first. A cell counts unless it is space, and a larger ship has longer games."""


def class_of(cells: int) -> StarshipClass:
    """Return the class of a ship with this many cells.

    >>> [class_of(cells).key for cells in (40, 81, 144, 256, 400)]
    ['shuttle', 'cutter', 'frigate', 'cruiser', 'carrier']
    """
    return next(each for each in reversed(CLASSES) if each.least <= cells)


def range_of(key: str) -> tuple[int, int | None]:
    """Return from how many to how many cells the ships of a class have; the largest class has no end.

    >>> range_of("cutter"), range_of("carrier")
    ((81, 120), (257, None))
    """
    index = next(number for number, each in enumerate(CLASSES) if each.key == key)
    end = CLASSES[index + 1].least - 1 if index + 1 < len(CLASSES) else None
    return CLASSES[index].least, end


def cells_in(document: Mapping[str, Any]) -> int:
    """Return how many cells the ship of a `starship/1` document has.

    >>> cells_in({"rows": ["a . ~", "~ .+i1 ."]})
    4
    """
    return sum(_is_there(token) for row in document["rows"] for token in row.split())


def class_of_board(board: StarshipRevision | Course) -> StarshipClass:
    """Return the class of a board."""
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
"""By key, what they are called, and the names that the rules have for them."""


def elements_on(ship: rules.Starship) -> list[str]:
    """Return the keys of `ELEMENTS` that stand on a board, in their order."""
    return [key for key, (_name, names) in ELEMENTS.items() if names & ship.elements.keys()]


# --- Lengths of games ---------------------------------------------------------------------------------------


PLAYED: Final = 5
"""Games among people after which their middle is the length of a ship."""


@dataclass(frozen=True, slots=True)
class Length:
    """A range of lengths: its ``key`` in addresses, and its turns; ``most`` is None where it has no end."""

    key: str
    name: Promise
    least: int
    most: int | None


LENGTHS: Final = (
    Length("short", _("Short: up to 6 turns"), 0, 6),
    Length("medium", _("Medium: 7 to 10 turns"), 7, 10),
    Length("long", _("Long: 11 turns and more"), 11, None),
)
"""All of them: about a third of the fleet is in each of the first two."""


def typical_turns() -> Case:
    """Return the length of games on starships in turns, as SQL; NULL where nothing is known.

    People have played it, in at least `PLAYED` games, or `expected_turns` expects it. A ship without
    expected turns, such as one without checkpoints, has the length of the games that there were.
    """
    return Case(
        When(figures__among_people__gte=PLAYED, then=F("figures__median")),
        default=Coalesce(F("facts__turns"), F("figures__median"), output_field=IntegerField()),
        output_field=IntegerField(),
    )


def has_length(key: str) -> Q:
    """Return the condition that starships with their ``turns`` have a length of that key."""
    chosen = next(each for each in LENGTHS if each.key == key)
    condition: dict[str, Any] = {"turns__gte": chosen.least}
    return Q(**condition) if chosen.most is None else Q(**condition, turns__lte=chosen.most)


# --- Facts --------------------------------------------------------------------------------------------------


EXPECTED: Final = "turns 1"
"""How lengths are expected: another mark once that has changed."""


TURNS: Final = Memory[tuple[int | None]](200_000, lambda turns: 200)
"""How many turns games are expected to take, by the cells of a ship, its ruleset and its players."""


@lru_cache(maxsize=1)
def facts_edition() -> str:
    """Return a mark of the rulesets and elements that there are, and of how lengths are expected.

    It is another one once any of them has changed.
    """
    told = [EXPECTED, *(f"{ruleset.key} {ruleset.version}" for ruleset in rules.RULESETS.values()), *ELEMENTS]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def facts_of(*, starship: Starship) -> StarshipFacts:
    """Return what a starship is found by: as noted, or as it follows from its revision.

    What is not noted yet has no ``turns``: they take time.
    """
    noted: StarshipFacts | None = getattr(starship, "facts", None)
    if noted and (noted.edition, noted.revision_id) == (facts_edition(), starship.current_id):
        return noted
    return current_facts(starship=starship, expects=False)


def current_facts(*, starship: Starship, expects: bool = True) -> StarshipFacts:
    """Return what follows from the current revision of a starship; it is not saved.

    Unless it ``expects`` how long games are, it has no ``turns``.
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
    """Return about how long games are by the ruleset for which a ship looks built."""
    assert starship.current
    if not editions:
        return None
    ship, ruleset, players = boards.starship_of(starship.current), editions[0], starship.seats_most
    name = f"{hash(ruleset)} {ship.fingerprint} {players}"
    return TURNS.made(name, lambda: (expected_turns(ship, ruleset, players),))[0]


def foresee(*, document: object, seats_least: int, seats_most: int) -> None:
    """Calculate the slow facts of a ship before its rows are locked: `current_facts` remembers them."""
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
    ship was built. Its games are of a ``length``, a key of `LENGTHS`. All ``elements`` stand on
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
        found = found.alias(turns=typical_turns()).filter(has_length(length))
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
    `games.fleet.selectors.fits`.
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
