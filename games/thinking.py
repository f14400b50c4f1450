"""Computers think about one turn after another: for themselves, and for players whose time is up."""

from datetime import datetime
from time import process_time
from typing import Final

from games import fair
from games.absence.missed_turns import play_absent
from games.clocks import machine_clock
from games.play.services.computers import play_computers

SHARE: Final = 1.0
"""Seconds of thinking about a turn after which a turn of another host goes first."""


def think_next(*, turn_id: int, now: datetime) -> bool:
    """Have computers think about the turn that is next by the fair order; return whether there was one.

    The message that asks for it names ``turn_id``, which another worker may have taken before.
    """
    for each, host in fair.take(turn_id):
        began = process_time()
        done = think_about(turn_id=each, now=now)
        fair.note_spent(host, process_time() - began)
        if done:
            return True
    return False


def think_about(*, turn_id: int, now: datetime) -> bool:
    """Have computers give the orders that they owe for a turn, and those of players whose time is up.

    After the clock has jumped, nobody's time counts as up. Returns whether anything was owed.
    """
    given = play_computers(turn_id=turn_id, share=SHARE, now=now)
    if machine_clock.is_confirmed(process=now, machine=machine_clock.this_machine()):
        given += play_absent(turn_id=turn_id, now=now)
    return given > 0
