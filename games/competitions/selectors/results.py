"""The results of a tournament so far, and its standings."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, groupby
from random import Random
from typing import Final, NamedTuple

from django.db.models import Prefetch

from games.competitions.formats import advancing
from games.competitions.models import Entrant, Table, TablePlace, Tournament
from games.competitions.pairing import pair_of
from games.standings.models import OVERALL, RatingChange, Result
from games.standings.ratings import share_beaten
from games.standings.selectors.results import outcome_in

# --- Points and tie-breaks ----------------------------------------------------------------------------------


PARTS_PER_POINT: Final = 840
"""The number of equal parts in one point of a tournament.

Points are stored as a whole number of parts, so that shares such as 1/3 are exact.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """A player's result at a table. ``of`` is the number of players at this table, 1 for a bye."""

    key: int
    rank: int
    points: int
    of: int


ScoredTable = Sequence[Played]
"""The results of all entrants at a scored table. Computers at the table are left out."""


@dataclass(slots=True)
class StandingsLine:
    """A player in the standings of a tournament.

    ``reached`` is the progress in a knock-out (see `reached_in`), and 0 in other formats. ``direct`` counts
    wins against players with equal points. It is 0 if more than eight players have equal points, or if two of
    them have never met. ``strength`` is the mean of the opponents' points, without the lowest value.
    ``firsts`` is the number of tables won. ``draw`` is a random number for the last tie-break. An
    ``unconfirmed`` player has not confirmed the next round. All points are in parts (`PARTS_PER_POINT`).
    """

    key: int
    place: int = 0
    points: int = 0
    reached: int = 0
    departed: bool = False
    unconfirmed: bool = False
    direct: Fraction = Fraction(0)
    strength: Fraction = Fraction(0)
    firsts: int = 0
    played: int = 0
    byes: int = 0
    draw: int = 0
    opponents: list[int] = field(default_factory=list)


def parts_of(rank: int, ranks: Iterable[int]) -> int:
    """Return the points for a rank at a table: the share of opponents beaten.

    A tie counts half. The result is a number of parts (`PARTS_PER_POINT`).

    >>> [parts_of(rank, [1, 2, 2, 4]) for rank in (1, 2, 4)]
    [840, 420, 0]
    """
    return int(PARTS_PER_POINT * share_beaten(rank, ranks))


def table_of(
    keys: Iterable[int],
    tables: Sequence[ScoredTable],
    *,
    seed: str,
    reached: Mapping[int, int] | None = None,
    more: Mapping[int, int] | None = None,
    departed: Collection[int] = (),
    unconfirmed: Collection[int] = (),
) -> list[StandingsLine]:
    """Return the standings of a tournament: its players in order, each with a place.

    A bye counts as the average of the player's other tables. ``more`` has additional points by player.
    ``departed`` players come last. ``unconfirmed`` players come after other players with equal results.
    Remaining ties are broken by lot.
    """
    order = sorted(keys)
    Random(seed).shuffle(order)
    lines = {key: StandingsLine(key, draw=draw) for draw, key in enumerate(order)}
    known = [[each for each in table if each.key in lines] for table in tables]
    for table in known:
        _count(table, lines)
    for line in lines.values():
        mean = line.points // line.played if line.played else PARTS_PER_POINT // 2
        line.points += mean * line.byes + (more or {}).get(line.key, 0)
        line.reached = (reached or {}).get(line.key, 0)
        line.departed, line.unconfirmed = line.key in departed, line.key in unconfirmed
    for line in lines.values():
        line.strength = _opponents_mean([lines[other].points for other in line.opponents])
    ranked = sorted(lines.values(), key=_before_ties)
    for _, equals in groupby(ranked, key=_before_ties):
        _decide_directly(list(equals), known)
    ranked.sort(
        key=lambda line: (
            _before_ties(line),
            -line.direct,
            -line.strength,
            -line.firsts,
            line.unconfirmed,
            line.draw,
        )
    )
    for place, line in enumerate(ranked, 1):
        line.place = place
    return ranked


def _before_ties(line: StandingsLine) -> tuple[bool, int, int]:
    return line.departed, -line.reached, -line.points


def _count(table: ScoredTable, lines: Mapping[int, StandingsLine]) -> None:
    for each in table:
        line = lines[each.key]
        if each.of == 1:
            line.byes += 1
            continue
        line.points += each.points
        line.played += 1
        line.firsts += each.rank == 1
        line.opponents += [other.key for other in table if other.key != each.key]


def _opponents_mean(points: Sequence[int]) -> Fraction:
    """Return the mean of the opponents' points, without the lowest value if there are several."""
    counted = sorted(points)[1:] if len(points) > 1 else list(points)
    return Fraction(sum(counted), len(counted)) if counted else Fraction(0)


def _decide_directly(equals: Sequence[StandingsLine], tables: Sequence[ScoredTable]) -> None:
    """Set ``direct`` of players with equal points to the number of their wins against each other.

    Does nothing if two of these players have never met, or if there are more than eight.
    """
    keys = {line.key for line in equals}
    if not 1 < len(keys) <= 8:
        return
    won = dict.fromkeys(keys, Fraction(0))
    met = set()
    for table in tables:
        for one, other in combinations([each for each in table if each.key in keys], 2):
            met.add(pair_of(one.key, other.key))
            if one.rank == other.rank:
                won[one.key] += Fraction(1, 2)
                won[other.key] += Fraction(1, 2)
            else:
                won[min(one, other, key=lambda each: each.rank).key] += 1
    if len(met) == len(keys) * (len(keys) - 1) // 2:
        for line in equals:
            line.direct = won[line.key]


# --- Results ------------------------------------------------------------------------------------------------


PLACES_BY_SEAT: Final = Prefetch("places", TablePlace.objects.order_by("seat"))
"""A Django prefetch of the places at tables, in the order of seats.

The model's default order would also read all tournaments.
"""


class Place(NamedTuple):
    """A player's seat at a table, with their rank and points. Both are None until the table is scored."""

    key: int
    seat: int
    rank: int | None
    points: int | None


class Seated(NamedTuple):
    """A table of a round with its players."""

    round: int
    number: int
    size: int
    game: int | None
    places: tuple[Place, ...]

    @property
    def scored(self) -> ScoredTable:
        """Return the results of the table, or an empty list until it is scored."""
        known = [each for each in self.places if each.rank is not None]
        return [Played(each.key, each.rank or 0, each.points or 0, self.size) for each in known]


class History(NamedTuple):
    """All tables of a tournament, and facts about its entrants."""

    tables: list[Seated]

    @property
    def met(self) -> Counter[tuple[int, int]]:
        """Count how often each pair of entrants has met."""
        return Counter(
            pair_of(one.key, other.key)
            for table in self.tables
            for one, other in combinations(table.places, 2)
        )

    @property
    def starts(self) -> Counter[tuple[int, int]]:
        """Count how often each entrant has had each seat."""
        return Counter((each.key, each.seat) for table in self.tables for each in table.places)

    @property
    def shorts(self) -> Counter[int]:
        """Count how often each entrant sat at a table with fewer players than the round's largest table."""
        full: dict[int, int] = {}
        for table in self.tables:
            full[table.round] = max(full.get(table.round, 0), table.size)
        short = (table for table in self.tables if table.size < full[table.round])
        return Counter(each.key for table in short for each in table.places)

    @property
    def scored(self) -> list[ScoredTable]:
        """Return the results of the scored tables."""
        return [scored for table in self.tables if (scored := table.scored)]


def history_of(tournament: Tournament) -> History:
    """Return all tables of a tournament, in order of round and table number."""
    tables = (
        Table.objects.filter(round__tournament=tournament)
        .select_related("round", "link")
        .prefetch_related(PLACES_BY_SEAT)
        .order_by("round__number", "number")
    )
    return History(
        [
            Seated(
                table.round.number,
                table.number,
                table.size,
                table.game_id,
                tuple(
                    Place(each.entrant_id, each.seat, each.rank, each.points) for each in table.places.all()
                ),
            )
            for table in tables
        ]
    )


def lines_of(tournament: Tournament, history: History | None = None) -> list[StandingsLine]:
    """Return the current standings of a tournament."""
    confirmed = dict(tournament.entrants.values_list("pk", "confirmed"))
    departed = left_by(tournament)
    if tournament.is_marathon:
        return table_of(confirmed, [], seed=tournament.seed, more=_marathon(tournament), departed=departed)
    history = history or history_of(tournament)
    reached = reached_in(history) if tournament.kind == Tournament.Kind.KNOCKOUT else None
    unconfirmed = {key for key, here in confirmed.items() if not here}
    return table_of(
        confirmed,
        history.scored,
        seed=tournament.seed,
        reached=reached,
        departed=departed,
        unconfirmed=unconfirmed,
    )


def left_by(tournament: Tournament) -> set[int]:
    """Return the IDs of the entrants who left a tournament, or were removed from it."""
    return set(tournament.entrants.filter(left_at__isnull=False).values_list("pk", flat=True))


def still_in(tournament: Tournament, number: int) -> set[int]:
    """Return the IDs of the entrants who can play in round ``number`` of a tournament.

    Leaves out entrants who left the tournament or were knocked out.
    """
    entrants = set(tournament.entrants.filter(left_at=None).values_list("pk", flat=True))
    if tournament.kind != Tournament.Kind.KNOCKOUT:
        return entrants
    return entrants.intersection(survivors_of(tournament, history_of(tournament), number))


def survivors_of(tournament: Tournament, history: History, number: int) -> list[int]:
    """Return the IDs of the entrants in a round of a knock-out, by their strength at entry.

    In round 1, these are all entrants. In later rounds, they are the entrants who advance from the tables of
    the round before. In a tie at a table, players who left come last. Then the strength at entry decides,
    then the order of entry.
    """
    departed = left_by(tournament)
    strengths = dict(tournament.entrants.values_list("pk", "strength"))
    order = sorted(strengths, key=lambda key: (-strengths[key], key))
    if number == 1:
        return order
    through: set[int] = set()
    for table in history.tables:
        if table.round == number - 1:
            ranked = sorted(
                table.scored, key=lambda each: (each.rank, each.key in departed, order.index(each.key))
            )
            through |= {each.key for each in ranked[: advancing(len(ranked))]}
    return [key for key in order if key in through]


def reached_in(history: History) -> dict[int, int]:
    """Return the progress of each entrant in a knock-out: the number of their last round.

    For players in the final, the number of opponents that they beat in the final is added.
    """
    reached: dict[int, int] = {}
    for table in history.tables:
        for each in table.places:
            reached[each.key] = max(reached.get(each.key, 0), table.round)
    last = max(reached.values(), default=0)
    final = [table for table in history.tables if table.round == last]
    if len(final) == 1 and (scored := final[0].scored):
        for played in scored:
            reached[played.key] = last + len(scored) - played.rank
    return reached


def _marathon(tournament: Tournament) -> dict[int, int]:
    """Return the points of each entrant in a marathon: a tournament that counts all their rated games.

    For each game, an entrant gets the share of opponents that they beat. A squad counts as one opponent. Only
    games that ended during the marathon count and, if the entrant left early, only games that ended before
    then. Points are counted in parts (`PARTS_PER_POINT`).
    """
    entrants = Entrant.objects.filter(tournament=tournament).order_by()
    changes = RatingChange.objects.order_by().filter(
        pool=tournament.ruleset or OVERALL,
        played_at__gte=tournament.starts_at,
        played_at__lt=tournament.ends_at,
        user__in=entrants.values("user"),
    )
    entered = {user: (key, left_at) for user, key, left_at in entrants.values_list("user", "pk", "left_at")}
    mine = []
    for user, result, played_at in changes.values_list("user", "result", "played_at"):
        left_at = entered[user][1]
        if left_at is None or played_at < left_at:
            mine.append((user, result))
    results = Result.objects.in_bulk({result for _, result in mine})
    outcomes = {key: outcome_in(result) for key, result in results.items()}
    points: Counter[int] = Counter()
    for user, result in mine:
        if outcome := outcomes.get(result):
            points[entered[user][0]] += int(PARTS_PER_POINT * outcome.share_beaten(user))
    return dict(points)
