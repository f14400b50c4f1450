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
"""Number of parts in one point. Stored points are in parts."""


@dataclass(frozen=True, slots=True)
class Played:
    """A player's result at a table. ``of`` is its number of players, 1 for a bye."""

    key: int
    rank: int
    points: int
    of: int


ScoredTable = Sequence[Played]
"""The players of a scored table. Computers may sit there too."""


@dataclass(slots=True)
class Line:
    """A player in the standings of a tournament.

    ``reached`` is the progress in a knock-out, 0 in other formats. ``direct`` counts wins against players
    with equal points, if all of these have met. ``strength`` is the mean of the opponents' points without the
    lowest, ``firsts`` the number of won tables, and ``draw`` a random number. An ``away`` player has not
    confirmed the next round.
    """

    key: int
    place: int = 0
    points: int = 0
    reached: int = 0
    left: bool = False
    away: bool = False
    direct: Fraction = Fraction(0)
    strength: Fraction = Fraction(0)
    firsts: int = 0
    played: int = 0
    byes: int = 0
    draw: int = 0
    opponents: list[int] = field(default_factory=list)


def parts_of(rank: int, ranks: Iterable[int]) -> int:
    """Return the points for a rank: the share of opponents beaten. A tie counts half.

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
    left: Collection[int] = (),
    away: Collection[int] = (),
) -> list[Line]:
    """Return the players of a tournament in order, each with a place.

    A bye counts as the average of the player's other tables. ``more`` are additional points. Players who
    ``left`` come last. If lots decide, ``away`` players come last.
    """
    order = sorted(keys)
    Random(seed).shuffle(order)
    lines = {key: Line(key, draw=draw) for draw, key in enumerate(order)}
    known = [[each for each in table if each.key in lines] for table in tables]
    for table in known:
        _count(table, lines)
    for line in lines.values():
        mean = line.points // line.played if line.played else PARTS_PER_POINT // 2
        line.points += mean * line.byes + (more or {}).get(line.key, 0)
        line.reached = (reached or {}).get(line.key, 0)
        line.left, line.away = line.key in left, line.key in away
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
            line.away,
            line.draw,
        )
    )
    for place, line in enumerate(ranked, 1):
        line.place = place
    return ranked


def _before_ties(line: Line) -> tuple[bool, int, int]:
    return line.left, -line.reached, -line.points


def _count(table: ScoredTable, lines: Mapping[int, Line]) -> None:
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
    """Return the mean of opponents' points, without the lowest."""
    counted = sorted(points)[1:] if len(points) > 1 else list(points)
    return Fraction(sum(counted), len(counted)) if counted else Fraction(0)


def _decide_directly(equals: Sequence[Line], tables: Sequence[ScoredTable]) -> None:
    """Set the direct wins between players with equal points, if all have met."""
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
"""The places of tables by seat. The default order would read all tournaments."""


class Place(NamedTuple):
    """A seat at a table, with the result of its player once it is known."""

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
        """Return the results of the table, or none until it is scored."""
        known = [each for each in self.places if each.rank is not None]
        return [Played(each.key, each.rank or 0, each.points or 0, self.size) for each in known]


class History(NamedTuple):
    """All tables of a tournament, and facts about its entrants."""

    tables: list[Seated]

    @property
    def met(self) -> Counter[tuple[int, int]]:
        """Count how often two entrants have met."""
        return Counter(
            pair_of(one.key, other.key)
            for table in self.tables
            for one, other in combinations(table.places, 2)
        )

    @property
    def starts(self) -> Counter[tuple[int, int]]:
        """Count how often an entrant had a seat."""
        return Counter((each.key, each.seat) for table in self.tables for each in table.places)

    @property
    def shorts(self) -> Counter[int]:
        """Count how often an entrant sat at a shorter table than others in the round."""
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
    """Return all tables of a tournament, in order."""
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


def lines_of(tournament: Tournament, history: History | None = None) -> list[Line]:
    """Return the entrants of a tournament in their present order."""
    confirmed = dict(tournament.entrants.values_list("pk", "confirmed"))
    left = left_by(tournament)
    if tournament.is_marathon:
        return table_of(confirmed, [], seed=tournament.seed, more=_marathon(tournament), left=left)
    history = history or history_of(tournament)
    reached = reached_in(history) if tournament.kind == Tournament.Kind.KNOCKOUT else None
    away = {key for key, here in confirmed.items() if not here}
    return table_of(confirmed, history.scored, seed=tournament.seed, reached=reached, left=left, away=away)


def left_by(tournament: Tournament) -> set[int]:
    """Return the entrants who left a tournament, or were removed."""
    return set(tournament.entrants.filter(left_at__isnull=False).values_list("pk", flat=True))


def still_in(tournament: Tournament, number: int) -> set[int]:
    """Return the entrants for a round, without withdrawn and knocked-out ones."""
    entrants = set(tournament.entrants.filter(left_at=None).values_list("pk", flat=True))
    if tournament.kind != Tournament.Kind.KNOCKOUT:
        return entrants
    return entrants.intersection(survivors_of(tournament, history_of(tournament), number))


def survivors_of(tournament: Tournament, history: History, number: int) -> list[int]:
    """Return the players of a knock-out round: the table winners of the round before.

    On a tie, players who left come last. Then the strength at entry decides, then the time of entry.
    """
    left = left_by(tournament)
    strengths = dict(tournament.entrants.values_list("pk", "strength"))
    order = sorted(strengths, key=lambda key: (-strengths[key], key))
    if number == 1:
        return order
    through: set[int] = set()
    for table in history.tables:
        if table.round == number - 1:
            ranked = sorted(
                table.scored, key=lambda each: (each.rank, each.key in left, order.index(each.key))
            )
            through |= {each.key for each in ranked[: advancing(len(ranked))]}
    return [key for key in order if key in through]


def reached_in(history: History) -> dict[int, int]:
    """Return each entrant's last knock-out round. A final adds the opponents beaten."""
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
    """Return marathon points: the share of opponents beaten in each rated game.

    A squad counts as one opponent. Only games in its month count, and not games that ended after the player
    left.
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
