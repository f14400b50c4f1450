"""Moments of a game from which something follows in rooms that this one does not know.

`games.consequences` says what follows, and takes its place here when the service starts.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import rules
from accounts.models import User
from games.play.models import Game, Hand, Program, Seat, Turn
from roborunner.postgres.queries import Pipeline


class Consequences(Protocol):
    """What follows from each moment, in the same transaction, with the game's row held."""

    def time_is_up(
        self, *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
    ) -> Program:
        """Return the orders that are played for a player who has submitted none."""

    def asks_computers(self, *, game: Game, turn: Turn, seats: Iterable[Seat]) -> bool:
        """Return whether a computer thinks in the place of any of these players, whose time is up."""

    def turn_played(
        self,
        *,
        game: Game,
        turn: Turn,
        hands: Mapping[int, Hand],
        before: rules.State,
        events: Sequence[rules.Event],
        batch: Pipeline,
        now: datetime,
    ) -> None:
        """Keep what a turn leaves behind; nothing of it is written yet, not even the log.

        The batch asks something already; it is to be sent, and then writes what is kept.
        """

    def turn_resolved(self, *, game: Game, turn: Turn, now: datetime) -> None:
        """Go on after a turn; its log is written, and the next turn is open or the game is over."""

    def game_ended(self, *, game: Game, now: datetime) -> None:
        """Close what cannot be decided any more; the game is not saved yet."""

    def seat_passes_on(self, *, seat: Seat, user: User) -> None:
        """Part what a robot did between its players; this one has the seat still."""

    def players_changed(self, *, game: Game, now: datetime) -> None:
        """Decide what fewer players decide."""


follow: Consequences
