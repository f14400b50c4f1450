"""Whether someone's time is up, all considered that has stopped their clock."""

from collections.abc import Iterable
from datetime import datetime

from games.clocks.selectors import OUTAGE, outages_since
from games.play.models import Hand, Turn
from games.play.services.clocks import pause_clocks
from games.play.services.vacations import go_on_vacation


def catch_up(*, turn: Turn, hands: Iterable[Hand], now: datetime) -> None:
    """Put off the deadlines of hands by what has stopped their clocks and was not calculated yet.

    No one's time is up before this was asked; the game's row is held. The hands are such for which orders are
    missing.
    """
    hands = list(hands)
    for outage in outages_since(since=turn.opened_at, now=now):
        pause_clocks(turn=turn, hands=hands, pause=outage, reason=OUTAGE)
    go_on_vacation(turn=turn, hands=hands, now=now)
