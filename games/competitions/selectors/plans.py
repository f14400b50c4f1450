"""Plan the rounds of a tournament: their tables, their starships, and when they start.

Rounds are started with the same functions (`games.competitions.services.rounds`), so a plan holds as long as
no player leaves, enters late or fails to confirm a round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import rules
from games.clocks.clock import PerTurn
from games.competitions.formats import advancing, round_robin, seeded_tables
from games.competitions.models import Tournament
from games.competitions.pairing import sizes_of
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors import fit
from games.play import stored

DEFAULT_TURNS: Final = 12
"""The expected number of turns of a game on a starship without statistics."""

SLACK: Final = 1.5
"""The length of a round, as a multiple of an average game whose turns all take their full time."""

TIME_TO_CONFIRM: Final = timedelta(hours=24)
"""The time for players with missed turns to confirm the next round."""

MARATHON_LENGTH: Final = timedelta(days=31)

Kind = Tournament.Kind


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round in a plan. ``sizes`` are the numbers of players at its tables, the largest first.

    ``starts_about`` is when it starts if all games before are average ones, and ``starts_by`` is when it
    starts if all rounds before take all their time. ``starship`` is None if each table draws its own.
    """

    number: int
    sizes: tuple[int, ...]
    starts_about: datetime
    starts_by: datetime
    starship: Starship | None = None

    @property
    def games(self) -> list[tuple[int, int]]:
        """The sizes of tables, each with the number of tables of this size. Byes are left out."""
        return [(size, self.sizes.count(size)) for size in dict.fromkeys(self.sizes) if size > 1]

    @property
    def byes(self) -> int:
        return self.sizes.count(1)


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds of a tournament with a number of ``players``, and when its last round ends.

    A marathon has no rounds.
    """

    players: int
    starts_at: datetime
    ends_about: datetime
    ends_by: datetime
    rounds: list[PlannedRound] = field(default_factory=list)

    @property
    def most_tables(self) -> int:
        """The largest number of games that are played at the same time."""
        return max((len(each.sizes) - each.byes for each in self.rounds), default=0)

    @property
    def draws_ships(self) -> bool:
        return any(each.starship is None for each in self.rounds)


def allows_larger(ruleset: rules.Ruleset, ships: Sequence[Starship], size: int) -> bool:
    """Return whether the ruleset and the starships allow a table with one extra player."""
    return size + 1 <= ruleset.seats[1] and all(fits_table(ruleset, ship, size + 1) for ship in ships)


def fits_table(ruleset: rules.Ruleset, ship: Starship, size: int) -> bool:
    return fit(ruleset=ruleset, starship=ship, robots=size).possible


def playable_ships(tournament: Tournament) -> list[Starship]:
    """Return the starships of a tournament that are offered and fit its tables, in order."""
    offered = Starship.objects.filter(OFFERED).values("pk")
    rows = tournament.ships.filter(starship__in=offered)
    ships = [row.starship for row in rows.select_related("starship__current", "starship__facts")]
    ruleset = rules.ruleset(tournament.ruleset)
    return [ship for ship in ships if fits_table(ruleset, ship, tournament.size)]


def ship_of_round(ships: Sequence[Starship], number: int) -> Starship:
    """Return the starship of a round, if each round has its own. After the last one, the first comes again.

    >>> [ship_of_round(["Dawn", "Dusk"], number) for number in (1, 2, 3)]
    ['Dawn', 'Dusk', 'Dawn']
    """
    return ships[(number - 1) % len(ships)]


def average_game(hours: int, ships: Sequence[Starship]) -> timedelta:
    """Return the length of an average game whose turns all take their full time, on the slowest starship."""
    known = [getattr(ship, "facts", None) for ship in ships]
    turns = max((facts.turns or DEFAULT_TURNS if facts else DEFAULT_TURNS) for facts in known)
    return timedelta(hours=hours * (turns + 1))


def round_length(hours: int, ships: Sequence[Starship]) -> timedelta:
    """Return the time after which unfinished tables are scored."""
    return timedelta(hours=round(average_game(hours, ships) / timedelta(hours=1) * SLACK))


def planned_sizes(kind: str, *, players: int, size: int, rounds: int, larger: bool) -> list[tuple[int, ...]]:
    """Return the sizes of the tables in each round, the largest first, if all ``players`` play to the end.

    ``rounds`` is the number of rounds of a Swiss tournament. Raises ValueError if no schedule for a league is
    known.

    >>> planned_sizes("knockout", players=16, size=4, rounds=0, larger=True)
    [(4, 4, 4, 4), (4, 4), (4,)]
    """
    if kind == Kind.SWISS:
        return [tuple(sizes_of(players, size, larger=larger))] * rounds
    if kind == Kind.LEAGUE:
        schedule = round_robin(range(players), size=size, seed="", larger=larger)
        return [tuple(sorted(map(len, tables), reverse=True)) for tables in schedule]
    found: list[tuple[int, ...]] = []
    left = players if kind == Kind.KNOCKOUT else 0
    while left and (not found or len(found[-1]) > 1):
        tables = seeded_tables(range(left), size=size, larger=larger)
        found.append(tuple(sorted(map(len, tables), reverse=True)))
        left = sum(map(advancing, found[-1]))
    return found


def plan_rounds(
    *,
    kind: str,
    players: int,
    size: int,
    rounds: int,
    ruleset: str,
    hours: int,
    ships: Sequence[Starship],
    ship_choice: str,
    starts_at: datetime,
) -> Plan | None:
    """Return the plan of a tournament, or None if its rules have none.

    That is so if no starship fits the ruleset and the tables, or if no schedule for a league is known.
    """
    starts_at = starts_at.astimezone(UTC)  # local times would ignore a change to summer time
    if kind == Kind.MARATHON:
        return Plan(players, starts_at, starts_at + MARATHON_LENGTH, starts_at + MARATHON_LENGTH)
    edition = rules.ruleset(ruleset)
    playable = [ship for ship in ships if fits_table(edition, ship, size)]
    if not playable:
        return None
    larger = allows_larger(edition, playable, size)
    try:
        every = planned_sizes(kind, players=players, size=size, rounds=rounds, larger=larger)
    except ValueError:
        return None
    about, by, end = starts_at, starts_at, starts_at
    made = []
    for number, sizes in enumerate(every, 1):
        fixed = ship_choice == Tournament.ShipChoice.FIXED
        ship = ship_of_round(playable, number) if fixed else None
        made.append(PlannedRound(number, sizes, about, by, ship))
        about, end = about + average_game(hours, playable), by + round_length(hours, playable)
        by = end + TIME_TO_CONFIRM
    return Plan(players, starts_at, about, end, made)


def plan_of(tournament: Tournament, *, players: int) -> Plan | None:
    """Return the plan of a tournament that has not started, with a number of players (see `plan_rounds`)."""
    pace = stored.read_pace(tournament.pace)
    assert isinstance(pace, PerTurn)
    return plan_rounds(
        kind=tournament.kind,
        players=players,
        size=tournament.size,
        rounds=tournament.rounds or 0,
        ruleset=tournament.ruleset,
        hours=pace.hours,
        ships=[] if tournament.is_marathon else playable_ships(tournament),
        ship_choice=tournament.ship_choice,
        starts_at=tournament.starts_at,
    )
