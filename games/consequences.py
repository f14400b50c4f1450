"""What follows from what happens in a game: the whole story of a turn, in the order in which it happens.

All of it happens in the transaction that changes the game, with the game's row held. The room `play` calls
these functions as `lifecycle.hooks`, and knows none of the rooms that are named here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

import rules
from accounts.models import User
from games.absence.missed_turns import asks_computer, call_off_deserted, note_clean, play_missing
from games.absence.reliability import ask_attendance, note_attendance
from games.absence.seats import withdraw_offers
from games.fleet.figures import FIGURES_JOB, is_counted
from games.people.services.records import divide, grant_test_pilot, hold_and_sum, record_turn
from games.play.models import Game, Hand, Program, Seat, Turn
from games.standings import services as standings
from games.votes.services import ask_for_votes, drop_votes, settle_votes
from games.work import jobs
from roborunner.postgres.queries import Pipeline


def time_is_up(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
) -> Program:
    """Have someone else's orders played for a player, or replace a player who missed too many turns."""
    return play_missing(game=game, turn=turn, hand=hand, seat=seat, setup=setup, now=now)


def asks_computers(*, game: Game, turn: Turn, seats: Iterable[Seat]) -> bool:
    """Return whether a computer thinks in the place of any of these players, whose time is up."""
    return any(asks_computer(game=game, turn=turn, seat=seat) for seat in seats)


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
    """Count the turn for its players, whose rows are held from here on: turns count in the log's order."""
    sums = hold_and_sum(game=game, turn=turn, pipeline=pipeline)
    figures = ask_attendance(game=game, people=sums.held, pipeline=pipeline)
    ask_for_votes(game=game, pipeline=pipeline)
    pipeline.send()
    note_clean(game=game, hands=hands.values(), pipeline=pipeline)
    record_turn(
        game=game, turn=turn, state_before=before, events=events, sums=sums, pipeline=pipeline, now=now
    )
    note_attendance(game=game, turn=turn, hands=hands.values(), figures=figures, pipeline=pipeline)


def turn_resolved(*, game: Game, turn: Turn, now: datetime) -> None:
    """Note who has tested a prototype, call off a game that all have left, and close votes now decided."""
    grant_test_pilot(game=game)
    call_off_deserted(game=game, turn=turn, now=now)
    settle_votes(game=game, now=now)


ENDED_GAMES: Final[Mapping[str, Callable[[Game], bool]]] = {
    FIGURES_JOB: is_counted,
    standings.RESULTS_JOB: lambda game: game.leaves_records,
    standings.MONTHS_JOB: standings.may_count,
}
"""The jobs that count games that are over, each with the games that it counts."""


def game_ended(*, game: Game, now: datetime) -> None:
    """Close votes, offer no seats, note what its starship counts and what is rated: the game has ended."""
    drop_votes(game=game, now=now)
    withdraw_offers(game=game)
    if game.status == Game.Status.OVER:
        jobs.note_ended(game.pk, [job for job, counts in ENDED_GAMES.items() if counts(game)])


def seat_passes_on(*, seat: Seat, user: User) -> None:
    """Give a player their share of what the robot did, before a computer takes the seat."""
    divide(seat=seat, user=user)


def players_changed(*, game: Game, now: datetime) -> None:
    """Close votes that fewer players decide."""
    settle_votes(game=game, now=now)
