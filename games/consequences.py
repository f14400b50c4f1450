"""The consequences of each event in a game, in order, in all rooms (packages of `games`).

These functions run in the transaction that changes the game, and the game's row is locked. The room `play`
calls them as `lifecycle.hooks`, and does not know the rooms named here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

import rules
from accounts.models import User
from games.absence.missed_turns import (
    cancel_deserted_game,
    needs_computer,
    record_clean_turns,
    submit_substitute_orders,
)
from games.absence.reliability import ask_attendance, record_attendance
from games.absence.seats import withdraw_offers
from games.fleet.figures import FIGURES_JOB, is_counted
from games.groups.announcements import announce_early_end, announce_start, announce_turn, ask_for_channels
from games.people.services.records import divide, grant_test_pilot, lock_and_sum, record_turn
from games.play.models import Game, Hand, Program, Seat, Turn
from games.puzzles import mining
from games.standings import services as standings
from games.votes.services import ask_for_votes, drop_votes, settle_votes
from games.work import jobs
from roborunner.postgres.queries import Pipeline


def time_is_up(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
) -> Program:
    """Submit standing orders for an overdue player. After too many missed turns, a computer takes over."""
    return submit_substitute_orders(game=game, turn=turn, hand=hand, seat=seat, setup=setup, now=now)


def asks_computers(*, game: Game, turn: Turn, seats: Iterable[Seat]) -> bool:
    """Return whether a computer must choose orders for any of the given overdue players."""
    return any(needs_computer(game=game, turn=turn, seat=seat) for seat in seats)


def game_started(*, game: Game, now: datetime) -> None:
    """Announce the first turn to groups."""
    announce_start(game=game, now=now)


def turn_played(
    *,
    game: Game,
    turn: Turn,
    hands: Mapping[int, Hand],
    before: rules.State,
    events: Sequence[rules.Event],
    pipeline: Pipeline,
    now: datetime,
) -> None:
    """Count a played turn in the records and the reliability of its players.

    Locks the players' rows, so that their turns are counted in the order of the game's log. Also looks up
    the game's open votes and group channels, for `turn_resolved`.
    """
    sums = lock_and_sum(game=game, turn=turn, pipeline=pipeline)
    figures = ask_attendance(game=game, people=sums.locked, pipeline=pipeline)
    ask_for_votes(game=game, pipeline=pipeline)
    ask_for_channels(game=game, pipeline=pipeline)
    pipeline.send()
    record_clean_turns(game=game, hands=hands.values(), pipeline=pipeline, now=now)
    record_turn(
        game=game, turn=turn, state_before=before, events=events, sums=sums, pipeline=pipeline, now=now
    )
    record_attendance(game=game, turn=turn, hands=hands.values(), figures=figures, pipeline=pipeline)


def turn_resolved(*, game: Game, turn: Turn, now: datetime) -> None:
    """Announce the turn to groups, grant the Test Pilot achievement, and end deserted games and votes."""
    announce_turn(game=game, turn=turn, now=now)
    grant_test_pilot(game=game)
    cancel_deserted_game(game=game, turn=turn, now=now)
    settle_votes(game=game, now=now)


ENDED_GAMES: Final[Mapping[str, Callable[[Game], bool]]] = {
    FIGURES_JOB: is_counted,
    standings.RESULTS_JOB: lambda game: game.leaves_records,
    standings.MONTHS_JOB: standings.may_count,
    mining.PUZZLES_JOB: mining.may_mine,
}
"""The jobs that process ended games, each with a function that returns whether the job applies to a game."""


def game_ended(*, game: Game, now: datetime) -> None:
    """Close the game's votes and open seats.

    Queue the game for jobs in `ENDED_GAMES`, unless it was cancelled. An end by the rules is announced to
    groups with the last turn.
    """
    if game.ending or game.status == Game.Status.CANCELLED:
        announce_early_end(game=game, now=now)
    drop_votes(game=game, now=now)
    withdraw_offers(game=game)
    if game.status == Game.Status.OVER:
        jobs.note_ended(game.pk, [job for job, counts in ENDED_GAMES.items() if counts(game)])


def player_leaving(*, seat: Seat, user: User) -> None:
    """Credit a robot's counters so far to the player who leaves, before a computer takes the seat."""
    divide(seat=seat, user=user)


def players_changed(*, game: Game, now: datetime) -> None:
    """Close the votes that are decided now that the players of the game have changed."""
    settle_votes(game=game, now=now)
