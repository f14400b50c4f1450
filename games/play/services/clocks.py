"""Players' clocks: started when hands are dealt, and stopped once, by orders or because time ran out."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.clocks import clock
from games.clocks.clock import Bank, Live, Span
from games.clocks.selectors import calendar_of
from games.play import stored
from games.play.models import Game, Hand, Seat, Turn
from games.play.selectors.deadlines import deadline_of
from games.play.selectors.gathering import missing_hands
from games.play.selectors.pauses import PAUSED, pause_of
from games.play.selectors.reminders import when_to_remind


def fill_banks(*, game: Game) -> None:
    """Give all players of a game that starts what its banks hold at first."""
    pace = stored.pace_of(game)
    if isinstance(pace, Bank):
        game.players.update(bank=pace.hours * clock.HOUR)


def start_clocks(*, game: Game, turn: Turn, hands: Iterable[Hand]) -> None:
    """Settle until when each hand may be played, and with them the turn; nothing is saved yet."""
    pace, pause = stored.pace_of(game), pause_of(game)
    everyone_is_there = pace is None or isinstance(pace, Live)  # no limit, or no time to sleep
    deadlines = []
    for hand in hands:
        if hand.seat is None:
            continue
        run = clock.started(
            pace,
            turn.opened_at,
            bank=hand.seat.bank or timedelta(0),
            calendar=clock.ALWAYS if everyone_is_there else calendar_of(user=hand.seat.user),
            pauses=[(pause, PAUSED)] if pause else [],
        )
        hand.deadline = run.until if run else None
        hand.calendar = stored.write_clock(run) if run else None
        deadlines.append(hand.deadline)
    turn.deadline = _latest(deadlines)


def stop_clock(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> None:
    """Stop the clock of a hand, the orders for it being given, in a turn whose game's row is held.

    It runs once: a hand without deadline is left alone. What the turn has used is taken from the bank, and
    the turn's deadline is that of those who are missing still; where no one is, it stays.
    """
    bank, deadline = seat.bank, turn.deadline
    if not halt_clock(game=game, turn=turn, hand=hand, seat=seat, now=now):
        return
    hand.save(update_fields=["deadline", "calendar"])
    if seat.bank != bank:
        seat.save(update_fields=["bank"])
    if turn.deadline != deadline:
        turn.save(update_fields=["deadline"])


def halt_clock(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> bool:
    """Do what `stop_clock` does; nothing is saved yet. Return whether the clock ran."""
    if hand.deadline is None:
        return False
    seat.bank = bank_left(game=game, turn=turn, hand=hand, seat=seat, now=now)
    hand.deadline = hand.calendar = None
    if missing := [other for other in missing_hands(turn) if other.pk != hand.pk]:
        turn.deadline = _latest([deadline_of(turn=turn, hand=other) for other in missing])
    return True


def bank_left(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> timedelta | None:
    """Return what a bank holds if its player's clock stops now; None in games without banks."""
    pace = stored.pace_of(game)
    if hand.deadline is None or not isinstance(pace, Bank) or seat.bank is None:
        return seat.bank
    run = stored.clock_of(hand, start=turn.opened_at, until=hand.deadline)
    return clock.bank_after(pace, seat.bank, clock.used(run.whole, turn.opened_at, now))


def pause_clocks(*, turn: Turn, hands: Iterable[Hand], pause: Span, reason: str) -> list[Hand]:
    """Have a pause stop the clocks of some hands of a turn whose game's row is held.

    It takes the place of one for the same reason that began at the same instant (`clock.Clock.stopped`).
    Clocks that do not run are left alone, and so is who has been reminded already. Returns the hands whose
    clocks it has stopped.
    """
    changed = []
    for hand in hands:
        until = deadline_of(turn=turn, hand=hand)
        if until is None:
            continue
        before = stored.clock_of(hand, start=turn.opened_at, until=until)
        after = before.stopped(pause, reason)
        if after == before:
            continue
        hand.deadline, hand.calendar = after.until, stored.write_clock(after)
        if hand.remind_at is not None:
            hand.remind_at = when_to_remind(turn=turn, hand=hand)
        changed.append(hand)
    if changed:
        Hand.objects.bulk_update(changed, ["deadline", "calendar", "remind_at"])
        _settle(turn, missing_hands(turn))
    return changed


def pause_all_clocks(*, game: Game, pause: Span, reason: str) -> list[Hand]:
    """Have a pause stop all clocks of a game whose row is held, as `pause_clocks` does."""
    turn = game.turns.filter(status=Turn.Status.OPEN).first()
    if turn is None:
        return []
    turn.game = game
    return pause_clocks(turn=turn, hands=missing_hands(turn), pause=pause, reason=reason)


def stop_clocks(*, game: Game) -> None:
    """Stop all clocks of a game that comes to an end before its time."""
    Hand.objects.filter(turn__game=game, deadline__isnull=False).update(deadline=None, calendar=None)
    game.turns.filter(status=Turn.Status.OPEN).update(deadline=None)


def _settle(turn: Turn, missing: Iterable[Hand]) -> None:
    """Give a turn the deadline of who has time the longest of those who are missing."""
    latest = _latest([deadline_of(turn=turn, hand=hand) for hand in missing])
    if latest != turn.deadline:
        turn.deadline = latest
        turn.save(update_fields=["deadline"])


def _latest(deadlines: list[datetime | None]) -> datetime | None:
    """Return the last of some deadlines; None where one of them is for ever."""
    limited = [deadline for deadline in deadlines if deadline is not None]
    return max(limited) if limited and len(limited) == len(deadlines) else None
