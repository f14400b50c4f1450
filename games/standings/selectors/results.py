"""Results of games, and whether a game counts for ratings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

import rules
from games.absence.models import Replacement
from games.play import stored
from games.play.history import UNRATED
from games.play.models import SUBSTITUTE_AUTHORS, Game, Program, Seat, Turn
from games.play.stored import each_played, turn_record
from games.standings import ratings
from games.standings.models import RESULT_FORMAT, PlayerRating, RatingPool, RatingShift, Result
from games.standings.ratings import (
    ANCHORS,
    DIGITS,
    LISTED_GAMES,
    LISTED_OPPONENTS,
    LISTED_SIGMA,
    Finish,
    Member,
    Outcome,
    Shift,
    Standing,
)
from rules.statistics import Instant, departures, rank_sides

# --- Result order -------------------------------------------------------------------------------------------


ORDERED_TURNS: Final = 3
"""The number of turns that need orders from each player before an ended game counts for ratings.

If a player left or missed a turn, the game counts in any case.
"""

ENDING_DEPARTURES: Final = ("resigned-last", "left-last", "deleted-last")
"""Kinds of history entries for a departure that ended the game. In this case, the player keeps the seat."""

Groups = list[list[tuple[int, ...]]]
"""Groups of tied sides, best group first. A side is a tuple of its robots' indexes."""


class Contest(Enum):
    SHORT = "short"
    """The game ended early, without a departure or a missed turn. It does not count for ratings."""

    FORFEIT = "forfeit"
    """A player left or missed a turn, and not all players submitted orders in `ORDERED_TURNS` turns.

    The game counts for ratings.
    """

    PLAYED = "played"
    """Some or all players submitted orders in `ORDERED_TURNS` turns.

    The robots of the other players, if any, were out or had finished. The game counts for ratings.
    """


@dataclass(frozen=True, slots=True)
class ResultOrder:
    """The result order of a game: its robots, best first.

    ``groups`` has the robots of all ``seats``, including those of computers. ``owners`` has the first player
    of each robot, or None if this player is not rated. ``left`` has the people who left the game, each with
    the time.
    """

    seats: Sequence[Seat]
    groups: Groups
    owners: Mapping[int, Member | None]
    left: Mapping[int, datetime]

    @property
    def ranks(self) -> dict[int, int]:
        """Return the rank of each seat, by seat number. Tied robots share a rank."""
        ranks: dict[int, int] = {}
        for group in self.groups:
            rank = len(ranks) + 1
            ranks.update({robot + 1: rank for side in group for robot in side})
        return ranks


def result_order(game: Game, *, turn: int | None = None, at: datetime | None = None) -> ResultOrder:
    """Return the result order of a game, whether it is rated or not.

    If ``turn`` is given, ranks a running game by the turns up to it and the departures up to ``at``. In games
    without squads, players who resigned, left or were replaced come last, even if their robots did well. Of
    these, players who departed later rank above players who departed earlier. All robots of a squad share its
    rank. Raises ValueError or LookupError if the game's log cannot be read.
    """
    seats = _seats_of(game)
    owners = _owners_of(seats)
    left = _left_by(seats, owners, at)
    if turn is None:
        left |= _ended_by(game, owners)
    groups = _played_order(game, turn)
    if not any(seat.squad for seat in seats):
        groups = _leavers_last(groups, owners, left)
    return ResultOrder(seats, groups, owners, left)


def leavers_of(game: Game) -> Mapping[int, datetime]:
    """Return the people who left a finished game, each with the time."""
    seats = _seats_of(game)
    owners = _owners_of(seats)
    return _left_by(seats, owners, None) | _ended_by(game, owners)


def contest_of(game: Game, order: ResultOrder) -> Contest:
    """Classify a finished game: played, forfeited, or too short to count.

    Orders for turn 0, the choice of heading, are not counted. A player needs no more orders once their robot
    is out or has finished. Raises ValueError or LookupError if the game's log cannot be read.
    """
    people = {index + 1: owner.person for index, owner in order.owners.items() if owner and owner.person}
    ordered: Counter[int] = Counter()
    forfeit = bool(order.left) or any(
        each.reason == Replacement.Reason.MISSED for seat in order.seats for each in seat.replacements.all()
    )
    resolved = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    for turn, played in each_played(resolved):
        for hand in played.hands:
            if hand.robot in people and hand.program:
                forfeit |= hand.program.by in SUBSTITUTE_AUTHORS
                ordered[hand.robot] += turn.number > 0 and hand.program.by == Program.Author.PLAYER
        if people and all(ordered[robot] >= ORDERED_TURNS for robot in people):
            return Contest.PLAYED
    done = {seat.number for seat in order.seats if seat.out or seat.place is not None}
    owing = [robot for robot in people if ordered[robot] < ORDERED_TURNS]
    if len(owing) < len(people) and all(robot in done and people[robot] not in order.left for robot in owing):
        return Contest.PLAYED
    return Contest.FORFEIT if forfeit else Contest.SHORT


def _seats_of(game: Game) -> list[Seat]:
    return list(game.players.select_related("user").prefetch_related("replacements").order_by("number"))


def _owners_of(seats: Iterable[Seat]) -> dict[int, Member | None]:
    return {seat.number - 1: _owner_of(seat) for seat in seats}


def _owner_of(seat: Seat) -> Member | None:
    """Return the first player of a seat, or None if this player is not rated."""
    first = next(iter(seat.replacements.all()), None)
    person = first.was_id if first else seat.user_id
    if person is not None:
        return Member(person)
    fixed = not first and seat.computer in ANCHORS
    return Member(computer=seat.computer) if fixed else None


def _left_by(
    seats: Iterable[Seat], owners: Mapping[int, Member | None], at: datetime | None
) -> dict[int, datetime]:
    """Return the people who lost their seats up to the time ``at``, each with the time."""
    left: dict[int, datetime] = {}
    for seat in seats:
        before = [each for each in seat.replacements.all() if at is None or each.at <= at]
        owner = owners[seat.number - 1]
        if before and owner and owner.person and before[-1].became_id != owner.person:
            left[owner.person] = max(each.at for each in before if each.was_id == owner.person)
    return left


def _ended_by(game: Game, owners: Mapping[int, Member | None]) -> dict[int, datetime]:
    """Return the person whose departure ended a game, with the time. Returns an empty dict if there is none.

    This person still has the seat.
    """
    if game.ending != Game.Ending.RESIGNED:
        return {}
    people = {owner.person for owner in owners.values() if owner and owner.person}
    entries = game.lobby.filter(kind__in=ENDING_DEPARTURES, by__in=people)
    return {entry.by_id: entry.at for entry in entries if entry.by_id}


def _leavers_last(
    groups: Groups, owners: Mapping[int, Member | None], left: Mapping[int, datetime]
) -> Groups:
    gone = {
        index: left[owner.person]
        for index, owner in owners.items()
        if owner and owner.person is not None and owner.person in left
    }
    stayed = [[side for side in group if side[0] not in gone] for group in groups]
    times = sorted(set(gone.values()), reverse=True)
    return [group for group in stayed if group] + [
        [(index,) for index in sorted(gone) if gone[index] == time] for time in times
    ]


def _played_order(game: Game, last: int | None) -> Groups:
    """Return groups of tied sides of a game, best first, from the turns up to ``last``."""
    played = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    if last is not None:
        played = played.filter(number__lte=last)
    ship = stored.ship_of(game)
    if latest := played.last():
        state = stored.end_in(turn_record(latest), ship)
    else:
        state = stored.state_of(game.turns.order_by("number")[0], ship)
    departed: dict[int, Instant] = {}
    if any(robot.out for robot in state.players):
        for _, kept in each_played(played):
            start = stored.start_in(kept, ship)
            departed |= departures(start, stored.events_in(kept, ship, start))
    return rank_sides(state, departed, _winner(game, state) if last is None else None)


def _winner(game: Game, state: rules.State) -> int | str | None:
    """Return the winner of a game: a robot's index, a squad, or None if there is no winner."""
    robots = {robot.name: robot.index for robot in state.players}
    return robots.get(game.winner, game.winner or None)


# --- Outcomes -----------------------------------------------------------------------------------------------


RATED_RULESETS: Final = tuple(key for key, ruleset in rules.RULESETS.items() if not ruleset.squads)
"""The rulesets without squads. Ladders, tournaments and seasons use them."""


def outcome_of(game: Game) -> Outcome | None:
    """Return the outcome of a finished game, or None if the game is not rated.

    Players who took over a seat are not rated. Computers that played from the start are in the outcome if
    their level has a fixed skill. A Rookie has none, so it is left out, and a game of squads with a Rookie is
    not rated. Raises ValueError or LookupError if the game's log cannot be read.
    """
    if game.status != Game.Status.OVER or not _may_count(game):
        return None
    order = result_order(game)
    if not _agreed(game, order) or contest_of(game, order) is Contest.SHORT:
        return None
    in_squads = any(seat.squad for seat in order.seats)
    finishes = _squads(order) if in_squads else _players(order)
    if len(finishes) < 2 or not any(member.person for side in finishes for member in side.members):
        return None
    assert game.ended_at
    return Outcome(game.ended_at, finishes, frozenset(order.left) if in_squads else frozenset())


def _may_count(game: Game) -> bool:
    """Return whether the kind and the settings of a game allow it to be rated."""
    return (
        game.leaves_records
        and game.mission_id is None
        and game.seats > 1
        and game.may_be_rated
        and not game.lobby.filter(kind=UNRATED).exists()
    )


def _agreed(game: Game, order: ResultOrder) -> bool:
    """Return whether the host's choice allows a game to be rated. By default, only games among people are.

    Games with a guest are never rated.
    """
    if any(seat.user and seat.user.is_guest for seat in order.seats):
        return False
    if game.rated == Game.Rated.YES:
        return True
    return all(owner and owner.person for owner in order.owners.values())


def _players(order: ResultOrder) -> tuple[Finish, ...]:
    groups = [[order.owners[robot] for (robot,) in group] for group in order.groups]
    return _ranked([(member,) for member in group if member] for group in groups)


def _squads(order: ResultOrder) -> tuple[Finish, ...]:
    if not all(order.owners.values()):
        return ()
    return _ranked(
        [tuple(order.owners[robot] or Member() for robot in side) for side in group] for group in order.groups
    )


def _ranked(groups: Iterable[Sequence[tuple[Member, ...]]]) -> tuple[Finish, ...]:
    """Return the sides with their ranks. A side's rank is the number of better sides, plus one."""
    finishes: list[Finish] = []
    for group in groups:
        rank = len(finishes) + 1
        finishes += [Finish(rank, members) for members in group]
    return tuple(finishes)


# --- Rows ---------------------------------------------------------------------------------------------------


Document = dict[str, Any]

IDLE_AFTER: Final = timedelta(days=90)
"""The time until a player without a new rated game leaves the list of the best players."""

POOL_COLUMNS: Final = ("offset", "variance", "month", "residual", "noise", "slope")
"""The columns of a `RatingPool` that store the pool's state between two results."""

STANDING_COLUMNS: Final = ("mu", "sigma", "floor", "games", "met", "played_at")
"""The columns of a `PlayerRating` that follow from results. ``listed`` also depends on the current day."""


def write_outcome(outcome: Outcome | None) -> Document:
    """Write an outcome as a result/1 document. If there is no outcome, the document has no sides."""
    return {
        "format": RESULT_FORMAT,
        "sides": [
            {"rank": side.rank, "members": [_write_member(member) for member in side.members]}
            for side in (outcome.finishes if outcome else ())
        ],
        "left": sorted(outcome.left) if outcome else [],
    }


def outcome_in(result: Result) -> Outcome:
    """Read the outcome of a result."""
    document = result.outcome
    finishes = tuple(
        Finish(side["rank"], tuple(Member(**member) for member in side["members"]))
        for side in document["sides"]
    )
    return Outcome(result.ended_at, finishes, frozenset(document["left"]))


def _write_member(member: Member) -> Document:
    return {"computer": member.computer} if member.person is None else {"person": member.person}


def pool_of(row: RatingPool) -> ratings.Pool:
    return ratings.Pool(**{name: getattr(row, name) for name in POOL_COLUMNS})


def update_pool_row(row: RatingPool, pool: ratings.Pool) -> bool:
    """Copy a pool's state to its row, without saving the row. Return whether the row changed."""
    before = [getattr(row, name) for name in POOL_COLUMNS]
    for name in POOL_COLUMNS:
        setattr(row, name, getattr(pool, name))
    return before != [getattr(row, name) for name in POOL_COLUMNS]


def shift_rows(key: str, shifts: Iterable[Shift]) -> list[RatingShift]:
    return [
        RatingShift(pool_id=key, month=each.month, error=each.error, amount=each.amount) for each in shifts
    ]


def standing_of(row: PlayerRating) -> Standing:
    return Standing(row.mu, row.sigma, row.games, row.met, row.played_at)


def rating_row(key: str, person: int, standing: Standing) -> PlayerRating:
    """Return an unsaved row for a person's rating after a game.

    The rating is listed among the best if it is certain enough.
    """
    assert standing.played_at
    return PlayerRating(
        pool_id=key,
        user_id=person,
        mu=standing.mu,
        sigma=standing.sigma,
        floor=round(standing.mu - 2 * standing.sigma, DIGITS),
        games=standing.games,
        met=standing.met,
        played_at=standing.played_at,
        listed=is_known(standing),
    )


def is_known(standing: Standing) -> bool:
    """Return whether a rating is certain enough to be listed among the best."""
    return (
        standing.sigma <= LISTED_SIGMA and standing.games >= LISTED_GAMES and standing.met >= LISTED_OPPONENTS
    )
