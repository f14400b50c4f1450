"""The first program of a training mission: the instructor begins it, and its player fills the rest."""

from collections.abc import Iterable
from datetime import datetime

import rules
from games.fleet.missions import lesson_of
from games.fleet.models import Mission
from games.play import stored
from games.play.models import Draft, Hand

FIRST = 1
"""The first turn with a program: in turn 0 the heading is chosen."""


def begin_first_program(
    *, mission: Mission, setup: rules.Setup, state: rules.State, hands: Iterable[Hand], now: datetime
) -> None:
    """Fill the registers that a mission's lesson has filled, as a draft that its player may change or drop.

    Nothing is filled where it has none.
    """
    if state.turn != FIRST:
        return
    lesson = lesson_of(mission, ship=setup.starship)
    if lesson is None or not lesson.filled:
        return
    for hand in hands:
        if hand.seat_id is not None:
            orders = rules.computers.begin_program(
                setup, rules.view(state), hand.robot - 1, stored.chips_of(hand), lesson.filled
            )
            written = stored.write_orders(orders)
            Draft.objects.create(game_id=hand.game_id, hand=hand, orders=written, saved_at=now)
