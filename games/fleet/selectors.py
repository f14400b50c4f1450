"""Selectors for visible starships, favourites, and suitable starships for a game."""

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
"""The maximum number of starships in a list of names to choose from. A search finds further starships."""


def named(text: str) -> Q:
    """Return the query condition that matches starships to a text.

    Each word of the text must occur in the starship's name or in its builder's name.
    """
    found = Q()
    for word in text.split():
        found &= Q(name__icontains=word) | Q(builder__icontains=word)
    return found


def starship_names(*, text: str = "", also: Collection[int] = ()) -> list[tuple[int, str]]:
    """Return the IDs and names of at most `NAMES_LISTED` offered starships: first the fleet, then missions.

    With a ``text``, returns only matches of `named`. The offered ships with IDs in ``also`` are added at the
    end if they are missing, even prototypes.
    """
    sections = (Starship.Section.FLEET, Starship.Section.MISSIONS, Starship.Section.PROTOTYPES)
    places = [When(section=section, then=place) for place, section in enumerate(sections)]
    order = (Case(*places, output_field=IntegerField()), "position", "name", "pk")
    offered = Starship.objects.filter(OFFERED).order_by(*order).values_list("pk", "name")
    listed = list(offered.filter(named(text)).exclude(section=Starship.Section.PROTOTYPES)[:NAMES_LISTED])
    return listed + list(offered.filter(pk__in=also).exclude(pk__in=[pk for pk, name in listed]))


def visible_starships() -> QuerySet[Starship]:
    """Return the starships visible to players, including retired ones.

    Players cannot see hidden ships, or ships that staff took down.
    """
    return Starship.objects.filter(current__isnull=False, hidden=False, taken_down_at=None)


def starship_for(*, starship_id: int, taken_down: bool = False) -> Starship:
    """Return a starship with its current revision, even if the ship is retired.

    Raises NotFound if there is no such ship or it is hidden. Raises Gone if staff took the ship down, unless
    ``taken_down`` is True.
    """
    ships = Starship.objects.select_related("current", "owner").filter(current__isnull=False, hidden=False)
    ship = ships.filter(pk=starship_id).first()
    if ship is None:
        raise NotFound("no-starship", _("There is no such starship."))
    if ship.taken_down_at and not taken_down:
        raise gone()
    return ship


def gone() -> Gone:
    """Return the error for a ship taken down by staff."""
    return Gone("taken-down", _("Staff took this ship down. Running games on it continue."))


def revision_for(*, revision_id: int) -> StarshipRevision:
    """Return a revision of a ship visible to players.

    Raises NotFound, also for a hidden ship, and Gone if staff took the ship down.
    """
    revision = StarshipRevision.objects.select_related("starship").filter(pk=revision_id).first()
    if revision is None or revision.starship.hidden:
        raise NotFound("no-starship", _("There is no such starship."))
    if revision.starship.taken_down_at:
        raise gone()
    return revision


def unsuitable_of(*, starship: Starship) -> dict[str, list[str]]:
    """Return the reasons why a starship does not suit rulesets, as sentences by the ruleset's key."""
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
"""A cache of the reasons why boards do not suit rulesets. A large board may have 10,000 reasons."""


def unsuitable(ruleset: rules.Ruleset, board: rules.Starship) -> tuple[rules.Problem, ...]:
    """Return the reasons why a board does not suit a ruleset, or an empty tuple if it does.

    If the ruleset lets the host set the checkpoints of a game, the number of checkpoints on the board does
    not matter.
    """
    name = f"{hash(ruleset)} {board.fingerprint}"
    if ruleset.sets_checkpoints:
        ruleset = replace(ruleset, checkpoints=(0, len(board.cells)))
    return UNSUITABILITY.get_or_make(name, lambda: tuple(rules.reasons_against(ruleset, board)))


MOST_FAVOURITES: Final = 20
"""The maximum number of favourite starships per person."""


def favourites_of(*, user: User) -> QuerySet[Starship]:
    """Return a person's favourite starships with their current revisions, the most recently added first.

    Retired ships are included. Ships that staff took down are not.
    """
    found = visible_starships().filter(favourites__user=user)
    return found.select_related("current", "facts").order_by("-favourites__added_at", "-favourites__pk")


def favourite_ids(*, viewer: User | AnonymousUser) -> frozenset[int]:
    """Return the IDs of a viewer's favourite starships. The set is empty without an account."""
    return frozenset(Favourite.objects.filter(user=viewer.pk).values_list("starship", flat=True))


def is_favourite(*, user: User, starship_id: int) -> bool:
    return Favourite.objects.filter(user=user, starship=starship_id).exists()


# --- Starships that fit a game ------------------------------------------------------------------------------


SHIPS_LISTED: Final = 60
"""The maximum number of suitable starships, and of unsuitable starships, in a list to choose from."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of a starship for a game.

    ``unsuitable`` has the problems of the ship with the ruleset, and ``overcrowding`` its problems with the
    number of robots. ``recommended`` is True if the ship was built for this number of robots.
    """

    starship: Starship
    unsuitable: tuple[rules.Problem, ...]
    overcrowding: tuple[rules.Problem, ...]
    recommended: bool

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """All reasons against a game on the starship."""
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
    """Return how well starships of the library fit a game. The best come first, the unsuitable last.

    The best starships are built for this ruleset and for this number of ``robots``, if given. Missions come
    after the fleet. The list has at most `SHIPS_LISTED` suitable and `SHIPS_LISTED` unsuitable ships, plus
    the offered ships with IDs in ``favourites`` or ``also``. If ``text`` is given, each of its words must be
    in a ship's name or builder. This applies to ``favourites``, but not to ``also``. Prototypes appear only
    if they are in ``also``, or if they are favourites and the ruleset allows only one board.
    """
    favoured = named(text) & Q(pk__in=favourites)
    if ruleset.boards > 1:
        favoured &= ~Q(section=Starship.Section.PROTOTYPES)
    offered = Starship.objects.filter(OFFERED).select_related("current", "facts")
    ships = {ship.pk: ship for ship in _listed(offered.filter(named(text)), ruleset, robots)}
    ships |= {ship.pk: ship for ship in offered.filter(favoured | Q(pk__in=also)).exclude(pk__in=ships)}
    found = [fit(ruleset=ruleset, starship=ship, robots=robots) for ship in ships.values()]
    return sorted(found, key=lambda each: _rank(ruleset, each))


def _listed(offered: QuerySet[Starship], ruleset: rules.Ruleset, robots: int | None) -> Iterator[Starship]:
    """Yield the best-fitting starships of the library, by their search facts (see `_rank`).

    Ships without facts may suit, so they come first among the unsuitable ships. The caller must check them.
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
    """Return the fit of a starship for a ruleset and a number of robots.

    Without ``robots``, a recommended number of robots is assumed.
    """
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
    """Return the starships from `fits` without problems for the game, the best first."""
    found = fits(ruleset=ruleset, robots=robots, text=text, favourites=favourites, also=also)
    return [each.starship for each in found if each.possible]


def editions_of(*, starship: Starship) -> list[rules.Ruleset]:
    """Return the suitable rulesets for a starship, the best match first.

    The best rulesets have the same kind of start as the ship, and allow games with the ship's minimum number
    of players.
    """
    ship = current_board(starship)

    def strangeness(edition: rules.Ruleset) -> tuple[bool, bool]:
        return edition.start.own != bool(ship.starts), starship.seats_least < edition.seats[0]

    return sorted(map(rules.ruleset, rulesets_of(starship=starship)), key=strangeness)


def _rank(ruleset: rules.Ruleset, fit: Fit) -> tuple[bool, bool, bool, int]:
    """Return a sort key for `fits`. Ships with equal keys keep the order of the library."""
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
    """The fit of a starship for a ruleset and a number of players, in words.

    ``reasons`` are the problems with the ruleset, and ``crowded`` the problems with this number of players.
    ``note`` says that the ship was built for more or fewer players. Each of these three is empty if it does
    not apply.
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
    """Return the suitability of a starship for each ruleset."""
    return [_verdict(ruleset, fit(ruleset=ruleset, starship=starship)) for ruleset in rules.RULESETS.values()]


def verdicts_on_ships(ruleset: rules.Ruleset, robots: int | None = None, **asked: Any) -> list[Suitability]:
    """Return the suitability of starships from `fits`, the best first."""
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
    """Return a note about a number of players below or above the recommended number."""
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
    """Yield a sentence for each different reason, with its number of cells.

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
    """Return the recommended number of players on a starship, in words."""
    least, most = starship.seats_least, starship.seats_most
    if most == 1:
        return _("for one player")
    if least == most:
        return _("for {number} players").format(number=least)
    return _("for {least} to {most} players").format(least=least, most=most)
