"""How a game ended, for ratings: the people and computers that are rated, in result order."""

from collections.abc import Iterable, Sequence
from typing import Final

import rules
from games.play.history import UNRATED
from games.play.models import Game
from games.ratings.fold import Finish, Member, Outcome
from games.ratings.selectors.order import Contest, ResultOrder, contest_of, result_order

RANKED: Final = tuple(key for key, ruleset in rules.RULESETS.items() if not ruleset.squads)
"""Rulesets in which each player finishes alone: those of ladders, tournaments and seasons."""


def outcome_of(game: Game) -> Outcome | None:
    """Return how a game that is over ended; None if it is not rated.

    Players who took over a seat are not rated. Computers that sat down in the lobby are rated if their level
    is fixed on the scale. A Rookie is left out, and no squad with one is rated. Raises ValueError or
    LookupError if the log cannot be read.
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
    """Return whether a game may be rated, by what it is."""
    return (
        game.leaves_records
        and game.mission_id is None
        and game.seats > 1
        and game.may_be_rated
        and not game.lobby.filter(kind=UNRATED).exists()
    )


def _agreed(game: Game, order: ResultOrder) -> bool:
    """Return whether a game is rated by its host's choice: usually among people only."""
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
    """Return sides with their ranks, which count the better sides."""
    finishes: list[Finish] = []
    for group in groups:
        rank = len(finishes) + 1
        finishes += [Finish(rank, members) for members in group]
    return tuple(finishes)
