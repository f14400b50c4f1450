"""How a game ended, for ratings: who took part, and in which order they finished, from its log."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

import rules
from games.play import stored
from games.play.history import UNRATED
from games.play.models import Game, Seat, Turn
from games.play.played import each_played, kept_of
from games.ratings.fold import ANCHORS, Finish, Member, Outcome
from rules.ranking import Instant, departures, rank_sides

RANKED: Final = tuple(key for key, ruleset in rules.RULESETS.items() if not ruleset.squads)
"""Rulesets in which each player finishes alone: those that ladders, tournaments and seasons are for."""

LEAST_TURNS: Final = 3
"""Games with fewer turns than these tell nothing."""

ENDED_BY: Final = ("resigned-last", "left-last")
"""What is noted of those who have ended a game as they left it: they have not been replaced."""


def outcome_of(game: Game) -> Outcome | None:
    """Return how a game that is over ended, None where it is not rated.

    Those who did not keep their seats come last, no matter who played on for them, and those who left later
    before those who left earlier. Who took a seat over is not rated. Computers that sat down in the lobby are
    rated where their level is fixed on the scale; a Rookie is left out, and no squad with one is rated.
    Raises ValueError or LookupError where the log cannot be read.
    """
    if game.status != Game.Status.OVER or not _counts(game):
        return None
    seats = list(game.players.select_related("user").prefetch_related("replacements").order_by("number"))
    owners = {seat.number - 1: _owner_of(seat) for seat in seats}
    if not _agreed(game, seats, owners):
        return None
    left = _left(game, seats, owners)
    groups = _order(game)
    in_squads = any(seat.squad for seat in seats)
    finishes = _squads(groups, owners) if in_squads else _players(groups, owners, left)
    if len(finishes) < 2 or not any(member.person for side in finishes for member in side.members):
        return None
    assert game.ended_at
    return Outcome(game.ended_at, finishes, frozenset(left) if in_squads else frozenset())


def finishing_order(game: Game, *, turn: int | None = None, at: datetime | None = None) -> dict[int, int]:
    """Return the rank of each seat of a game, computers and all, rated or not; equals have the same.

    A game that is not over is ranked as it stands: by what was played up to ``turn``. Seats whose players had
    left, ``at`` that time, come last, no matter who plays on for them. It is for games without squads.
    Raises ValueError or LookupError where the log cannot be read.
    """
    seats = list(game.players.select_related("user").prefetch_related("replacements").order_by("number"))
    owners = {seat.number - 1: _owner_of(seat) for seat in seats}
    left = _left(game, seats, owners) if turn is None else _left_by(seats, owners, at)
    gone = {index: left[each.person] for index, each in owners.items() if each and each.person in left}
    groups = [[robot for (robot,) in group if robot not in gone] for group in _order(game, turn)]
    groups += [
        [robot for robot in gone if gone[robot] == then] for then in sorted(set(gone.values()), reverse=True)
    ]
    ranks: dict[int, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        ranks.update({robot + 1: rank for robot in group})
    return ranks


def _left_by(
    seats: Iterable[Seat], owners: Mapping[int, Member | None], at: datetime | None
) -> dict[int, datetime]:
    """Return those who did not have their seats any more at a time, each with when they left."""
    left: dict[int, datetime] = {}
    for seat in seats:
        before = [each for each in seat.replacements.all() if at is None or each.at <= at]
        owner = owners[seat.number - 1]
        if before and owner and owner.person and before[-1].became_id != owner.person:
            left[owner.person] = max(each.at for each in before if each.was_id == owner.person)
    return left


def _counts(game: Game) -> bool:
    """Return whether a game may be rated, by what it is."""
    return (
        game.leaves_records
        and game.mission_id is None
        and game.seats > 1
        and (game.last_played or 0) >= LEAST_TURNS
        and game.may_be_rated
        and not game.lobby.filter(kind=UNRATED).exists()
    )


def _agreed(game: Game, seats: Iterable[Seat], owners: Mapping[int, Member | None]) -> bool:
    """Return whether a game is rated as its host has it: usually among people alone."""
    if any(seat.user and seat.user.is_guest for seat in seats):
        return False
    if game.rated == Game.Rated.YES:
        return True
    return all(owner and owner.person for owner in owners.values())


def _owner_of(seat: Seat) -> Member | None:
    """Return who had a seat when the game began; None for those who tell nothing."""
    first = next(iter(seat.replacements.all()), None)
    person = first.was_id if first else seat.user_id
    if person is not None:
        return Member(person)
    fixed = not first and seat.computer in ANCHORS
    return Member(computer=seat.computer) if fixed else None


def _left(game: Game, seats: Iterable[Seat], owners: Mapping[int, Member | None]) -> dict[int, datetime]:
    """Return those who did not keep their seats, each with when they left."""
    left = _left_by(seats, owners, None)
    if game.ending == Game.Ending.RESIGNED:
        people = {owner.person for owner in owners.values() if owner}
        for entry in game.lobby.filter(kind__in=ENDED_BY, by__in=people - {None}):
            assert entry.by_id
            left[entry.by_id] = entry.at
    return left


def _order(game: Game, last: int | None = None) -> list[list[tuple[int, ...]]]:
    """Return the sides of a game in groups of equals, best first, as its log tells up to a ``last`` turn."""
    played = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    if last is not None:
        played = played.filter(number__lte=last)
    ship = stored.ship_of(game)
    if latest := played.last():
        state = stored.end_in(kept_of(latest), ship)
    else:
        state = stored.state_of(game.turns.order_by("number")[0], ship)
    departed: dict[int, Instant] = {}
    if any(robot.out for robot in state.players):
        for _, kept in each_played(played):
            start = stored.start_in(kept, ship)
            departed |= departures(start, stored.events_in(kept, ship, start))
    return rank_sides(state, departed, _winner(game, state) if last is None else None)


def _winner(game: Game, state: rules.State) -> int | str | None:
    """Return who has won: a robot by its index, or a squad; None where there is none."""
    robots = {robot.name: robot.index for robot in state.players}
    return robots.get(game.winner, game.winner or None)


def _players(
    groups: Sequence[Sequence[tuple[int, ...]]],
    owners: Mapping[int, Member | None],
    left: Mapping[int, datetime],
) -> tuple[Finish, ...]:
    stayed = [[owners[robot] for (robot,) in group] for group in groups]
    order = [[each for each in group if each and each.person not in left] for group in stayed]
    order += [
        [Member(person) for person in sorted(left) if left[person] == at]
        for at in sorted(set(left.values()), reverse=True)
    ]
    return _ranked([[(member,) for member in group] for group in order])


def _squads(
    groups: Sequence[Sequence[tuple[int, ...]]], owners: Mapping[int, Member | None]
) -> tuple[Finish, ...]:
    if not all(owners.values()):
        return ()
    members = [[tuple(owners[robot] or Member() for robot in side) for side in group] for group in groups]
    return _ranked(members)


def _ranked(groups: Iterable[Sequence[tuple[Member, ...]]]) -> tuple[Finish, ...]:
    """Return sides with their ranks: as many come before one as are better."""
    finishes: list[Finish] = []
    for group in groups:
        rank = len(finishes) + 1
        finishes += [Finish(rank, members) for members in group]
    return tuple(finishes)
