"""Visible starships, favourites, and suitable starships for a game."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, Any, Final, TypedDict

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, F, Func, IntegerField, Q, QuerySet, Value, When
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

import rules
from accounts.models import User
from games.content_cache import LRUCache
from games.errors import Gone, NotFound, Shape
from games.fleet import boards
from games.fleet.models import OFFERED, Favourite, Starship, StarshipRevision
from games.wording import WORDS, translate
from rules.notation import STARSHIP_FORMAT


class StarshipDocument(TypedDict):
    """A board in the format `starship/1`."""

    format: Annotated[str, Shape({"type": "string", "enum": [STARSHIP_FORMAT]})]
    name: str
    builder: str
    description: str
    rows: Annotated[list[str], "The rows from north to south. Spaces separate the cells."]


NAMES_LISTED: Final = 60
"""Starships in a list of names to choose from. A search finds the others."""


def named(text: str) -> Q:
    """Return the condition for starships with each word in their names or builders."""
    found = Q()
    for word in text.split():
        found &= Q(name__icontains=word) | Q(builder__icontains=word)
    return found


def starship_names(*, text: str = "", also: Collection[int] = ()) -> list[tuple[int, str]]:
    """Return ids and names of at most `NAMES_LISTED` offered starships: fleet, then missions.

    With a ``text``, return only matches of `named`. Add the ships in ``also`` at the end if they are missing,
    even prototypes.
    """
    sections = (Starship.Section.FLEET, Starship.Section.MISSIONS, Starship.Section.PROTOTYPES)
    places = [When(section=section, then=place) for place, section in enumerate(sections)]
    order = (Case(*places, output_field=IntegerField()), "position", "name", "pk")
    offered = Starship.objects.filter(OFFERED).order_by(*order).values_list("pk", "name")
    listed = list(offered.filter(named(text)).exclude(section=Starship.Section.PROTOTYPES)[:NAMES_LISTED])
    return listed + list(offered.filter(pk__in=also).exclude(pk__in=[pk for pk, name in listed]))


def visible_starships() -> QuerySet[Starship]:
    """Return the visible starships, including retired ones.

    Hidden ships, and ships that staff took down, are not visible.
    """
    return Starship.objects.filter(current__isnull=False, hidden=False, taken_down_at=None)


def starship_for(*, starship_id: int, taken_down: bool = False) -> Starship:
    """Return a starship with its current revision, even if retired.

    Raises NotFound, also for a hidden ship, and Gone if staff took it down, unless ``taken_down`` is true.
    """
    ships = Starship.objects.select_related("current", "owner").filter(current__isnull=False, hidden=False)
    ship = ships.filter(pk=starship_id).first()
    if ship is None:
        raise NotFound("no-starship", _("There is no such starship."))
    if ship.taken_down_at and not taken_down:
        raise gone()
    return ship


def gone() -> Gone:
    """Return the error for a taken-down ship."""
    return Gone("taken-down", _("Staff took this ship down. Running games on it continue."))


def revision_for(*, revision_id: int) -> StarshipRevision:
    """Return a version of a visible ship.

    Raises NotFound, and Gone if staff took the ship down.
    """
    revision = StarshipRevision.objects.select_related("starship").filter(pk=revision_id).first()
    if revision is None or revision.starship.hidden:
        raise NotFound("no-starship", _("There is no such starship."))
    if revision.starship.taken_down_at:
        raise gone()
    return revision


def unsuitable_of(*, starship: Starship) -> dict[str, list[str]]:
    """Return why a starship does not suit rulesets, as sentences by ruleset."""
    board = current_board(starship)
    reasons = {key: unsuitable(ruleset, board) for key, ruleset in rules.RULESETS.items()}
    return {
        key: [problem.in_words(WORDS) for problem in problems]
        for key, problems in reasons.items()
        if problems
    }


def rulesets_of(*, starship: Starship) -> list[str]:
    board = current_board(starship)
    return [key for key, ruleset in rules.RULESETS.items() if not unsuitable(ruleset, board)]


def current_board(starship: Starship) -> rules.Starship:
    assert starship.current
    return boards.starship_of(starship.current)


UNSUITABILITY: Final = LRUCache[tuple[rules.Problem, ...]](
    16_000_000, lambda problems: 500 * (len(problems) + 1)
)
"""Reasons why boards do not suit rulesets. A large board may have ten thousand."""


def unsuitable(ruleset: rules.Ruleset, board: rules.Starship) -> tuple[rules.Problem, ...]:
    """Return the reasons why a board does not suit a ruleset; empty if it does.

    If the ruleset sets checkpoints for each game, the number of checkpoints on the board does not matter.
    """
    name = f"{hash(ruleset)} {board.fingerprint}"
    if ruleset.sets_checkpoints:
        ruleset = replace(ruleset, checkpoints=(0, len(board.cells)))
    return UNSUITABILITY.get_or_make(name, lambda: tuple(rules.reasons_against(ruleset, board)))


MOST_FAVOURITES: Final = 20
"""Maximum number of favourites per person."""


def favourites_of(*, user: User) -> QuerySet[Starship]:
    """Return a person's favourite starships, the last added first.

    They come with their current revisions. Retired ships are included. Ships that staff took down are not.
    """
    found = visible_starships().filter(favourites__user=user)
    return found.select_related("current", "facts").order_by("-favourites__added_at", "-favourites__pk")


def favourite_ids(*, viewer: User | AnonymousUser) -> frozenset[int]:
    """Return the ids of a viewer's favourite starships; empty without an account."""
    return frozenset(Favourite.objects.filter(user=viewer.pk).values_list("starship", flat=True))


def is_favourite(*, user: User, starship_id: int) -> bool:
    return Favourite.objects.filter(user=user, starship=starship_id).exists()


# --- Starships that fit a game ------------------------------------------------------------------------------


SHIPS_LISTED: Final = 60
"""Suitable starships in a list to choose from, and as many unsuitable ones."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of a starship for a game.

    ``unsuitable`` has the problems with the ruleset, and ``overcrowding`` those with the number of robots.
    ``recommended`` is True if the ship was built for this number of robots.
    """

    starship: Starship
    unsuitable: tuple[rules.Problem, ...]
    overcrowding: tuple[rules.Problem, ...]
    recommended: bool

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """All reasons against a game on it."""
        return self.unsuitable + self.overcrowding

    @property
    def possible(self) -> bool:
        return not self.problems


def fits(
    *,
    ruleset: rules.Ruleset,
    robots: int | None = None,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Fit]:
    """Return the fit of library starships, the best first and the impossible last.

    The best are built for this ruleset and number of robots, if known. Missions come after the fleet. The
    list has up to `SHIPS_LISTED` suitable and `SHIPS_LISTED` unsuitable ships. With a ``text``, ships must
    have each word in their name or builder, even ``favourites``. Ships in ``also`` are always included.
    Prototypes appear only as favourites or in ``also``; not as favourites if the ruleset joins boards.
    """
    favoured = named(text) & Q(pk__in=favourites)
    if ruleset.boards > 1:
        favoured &= ~Q(section=Starship.Section.PROTOTYPES)
    offered = Starship.objects.filter(OFFERED).select_related("current")
    ships = {ship.pk: ship for ship in _listed(offered.filter(named(text)), ruleset, robots)}
    ships |= {ship.pk: ship for ship in offered.filter(favoured | Q(pk__in=also)).exclude(pk__in=ships)}
    found = [fit(ruleset=ruleset, starship=ship, robots=robots) for ship in ships.values()]
    return sorted(found, key=lambda each: _rank(ruleset, each))


def _listed(offered: QuerySet[Starship], ruleset: rules.Ruleset, robots: int | None) -> Iterator[Starship]:
    """Yield the best-fitting starships of the library, by their facts (see `_rank`).

    Ships without facts come first among the unsuitable ships, since they may suit: the caller checks them.
    """
    robots = robots or 0
    mission = Case(When(section=Starship.Section.MISSIONS, then=1), default=0, output_field=IntegerField())
    built = Case(
        When(seats_least__lte=robots, seats_most__gte=robots, then=0), default=1, output_field=IntegerField()
    )
    place = Func(
        F("facts__rulesets"), Value(ruleset.key), function="array_position", output_field=IntegerField()
    )
    suits = Q(facts__rulesets__contains=[ruleset.key])
    library = offered.exclude(section=Starship.Section.PROTOTYPES)
    in_order = ("position", "name", "pk")
    yield from library.filter(suits).order_by(mission, built, place, *in_order)[:SHIPS_LISTED]
    yield from library.exclude(suits).order_by(F("facts__pk").asc(nulls_first=True), mission, *in_order)[
        :SHIPS_LISTED
    ]


def fit(*, ruleset: rules.Ruleset, starship: Starship, robots: int | None = None) -> Fit:
    """Return the fit of a starship. Without ``robots``, assume a recommended number."""
    board = current_board(starship)
    return Fit(
        starship,
        unsuitable(ruleset, board),
        () if robots is None else tuple(rules.overcrowding(ruleset, board, robots)),
        robots is None or starship.seats_least <= robots <= starship.seats_most,
    )


def fitting_starships(
    *,
    ruleset: rules.Ruleset,
    robots: int | None = None,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Starship]:
    """Return the possible starships from `fits`, in its order."""
    found = fits(ruleset=ruleset, robots=robots, text=text, favourites=favourites, also=also)
    return [each.starship for each in found if each.possible]


def editions_of(*, starship: Starship) -> list[rules.Ruleset]:
    """Return the suitable rulesets for a starship, the best match first.

    The best have the same kind of start as the ship, and need no more players than its minimum.
    """
    ship = current_board(starship)

    def strangeness(edition: rules.Ruleset) -> tuple[bool, bool]:
        return edition.start.own != bool(ship.starts), starship.seats_least < edition.seats[0]

    return sorted(map(rules.ruleset, rulesets_of(starship=starship)), key=strangeness)


def _rank(ruleset: rules.Ruleset, fit: Fit) -> tuple[bool, bool, bool, int]:
    """Return the sort key of a fit. Equal keys keep the order of the library."""
    mission = fit.starship.section == Starship.Section.MISSIONS
    editions = [edition.key for edition in editions_of(starship=fit.starship)]
    strangeness = editions.index(ruleset.key) if ruleset.key in editions else len(editions)
    return not fit.possible, mission, not fit.recommended, strangeness


def best_ships(*, ruleset: rules.Ruleset, robots: int, most: int) -> list[Starship]:
    fleet = (each for each in fits(ruleset=ruleset, robots=robots) if each.possible)
    return [each.starship for each in fleet if each.starship.section == Starship.Section.FLEET][:most]


# --- The same in words --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suitability:
    """The verdict on a starship for a ruleset and a number of players, in words.

    ``reasons`` are the problems with the ruleset, and ``crowded`` those with this number of players. ``note``
    says that the ship was built for another number.
    """

    ruleset: rules.Ruleset
    starship: Starship
    reasons: tuple[str, ...]
    crowded: str = ""
    note: str = ""

    @property
    def suits(self) -> bool:
        return not self.reasons


def verdicts_by_ruleset(starship: Starship) -> list[Suitability]:
    """Return the verdict of each ruleset on a starship."""
    return [_verdict(ruleset, fit(ruleset=ruleset, starship=starship)) for ruleset in rules.RULESETS.values()]


def verdicts_on_ships(ruleset: rules.Ruleset, robots: int | None = None, **asked: Any) -> list[Suitability]:
    """Return verdicts on starships from `fits`, the best first."""
    return [_verdict(ruleset, fit, robots) for fit in fits(ruleset=ruleset, robots=robots, **asked)]


def _verdict(ruleset: rules.Ruleset, fit: Fit, robots: int | None = None) -> Suitability:
    return Suitability(
        ruleset,
        fit.starship,
        tuple(_summed_up(fit.unsuitable)),
        " ".join(_summed_up(fit.overcrowding)),
        "" if fit.recommended or robots is None else _note(fit.starship, robots),
    )


def _note(starship: Starship, robots: int) -> str:
    """Describe the mismatch between the number of players and the recommended one."""
    if robots < starship.seats_least:
        note = ngettext(
            "{number} player is fewer than recommended, but possible.",
            "{number} players are fewer than recommended, but possible.",
            robots,
        )
    else:
        note = ngettext(
            "{number} player is more than recommended, but possible.",
            "{number} players are more than recommended, but possible.",
            robots,
        )
    return note.format(number=robots)


def _summed_up(problems: Iterable[rules.Problem]) -> Iterable[str]:
    """Yield each reason once, with its number of cells.

    >>> list(_summed_up([rules.Problem("there is oil", 2, 3), rules.Problem("there is oil", 2, 4)]))
    ['There is oil (2 cells, the first in column 3, row 2).']
    """
    by_message = sorted(problems, key=lambda problem: problem.message)
    for message, group in groupby(by_message, key=lambda problem: problem.message):
        alike = list(group)
        first, text = alike[0], capfirst(translate(message))
        if first.row is None:
            yield f"{text}."
        elif len(alike) == 1:
            place = _("{problem} (column {column}, row {row}).")
            yield place.format(problem=text, column=first.column, row=first.row)
        else:
            places = ngettext(
                "{problem} ({number} cell, the first in column {column}, row {row}).",
                "{problem} ({number} cells, the first in column {column}, row {row}).",
                len(alike),
            )
            yield places.format(problem=text, number=len(alike), column=first.column, row=first.row)


def players(starship: Starship) -> str:
    """Describe the recommended number of players."""
    least, most = starship.seats_least, starship.seats_most
    if most == 1:
        return _("for one")
    if least == most:
        return _("for {number}").format(number=least)
    return _("for {least} to {most}").format(least=least, most=most)
