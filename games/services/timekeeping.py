"""Players' clocks: started when hands are dealt, and stopped once, by orders or because time ran out."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games import clock, stored
from games.clock import Bank, Pace
from games.models import Game, Hand, Seat, Turn
from games.selectors.deadlines import deadline_of
from games.selectors.rests import calendar_of


def fill_banks(*, game: Game) -> None:
    """Give all players of a game that starts what its banks hold at first."""
    pace = stored.pace_of(game)
    if isinstance(pace, Bank):
        game.players.update(bank=pace.hours * clock.HOUR)


def start_clocks(*, game: Game, turn: Turn, hands: Iterable[Hand]) -> None:
    """Settle until when each hand may be played, and with them the turn; nothing is saved yet."""
    pace = stored.pace_of(game)
    deadlines = []
    for hand in hands:
        if hand.seat is None:
            continue
        calendar = calendar_of(user=hand.seat.user) if pace else clock.ALWAYS
        bank = hand.seat.bank or timedelta(0)
        hand.calendar = stored.write_calendar(calendar)
        hand.deadline = clock.deadline(pace, turn.opened_at, bank=bank, calendar=calendar)
        deadlines.append(hand.deadline)
    turn.deadline = _latest(deadlines)


def stop_clock(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> None:
    """Stop the clock of a hand, the orders for it being given, in a turn whose game's row is held.

    It runs once: a hand without deadline is left alone. What the turn has used is taken from the bank, and
    the turn's deadline is that of those who are missing still; where nobody is, it stays.
    """
    if hand.deadline is None:
        return
    spent = clock.used(stored.calendar_of(hand), turn.opened_at, now)
    charge(pace=stored.pace_of(game), seat=seat, spent=spent)
    hand.deadline = None
    hand.save(update_fields=["deadline"])
    missing = list(turn.hands.filter(seat__isnull=False, program=None).exclude(pk=hand.pk))
    if missing:
        turn.deadline = _latest([deadline_of(turn=turn, hand=other) for other in missing])
        turn.save(update_fields=["deadline"])


def stop_clocks(*, game: Game) -> None:
    """Stop all clocks of a game that comes to an end before its time."""
    Hand.objects.filter(turn__game=game, deadline__isnull=False).update(deadline=None)


def charge(*, pace: Pace, seat: Seat, spent: timedelta) -> None:
    """Take what a turn has used from a player's bank, and put the increment in; elsewhere there is none."""
    if isinstance(pace, Bank) and seat.bank is not None:
        seat.bank = clock.bank_after(pace, seat.bank, spent)
        seat.save(update_fields=["bank"])


def _latest(deadlines: list[datetime | None]) -> datetime | None:
    """Return the last of some deadlines; None where one of them is for ever."""
    limited = [deadline for deadline in deadlines if deadline is not None]
    return max(limited) if limited and len(limited) == len(deadlines) else None
