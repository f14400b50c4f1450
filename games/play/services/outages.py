"""Outages of the service: noted by the first sweep after them, and given back to all clocks that ran."""

import logging
from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Final

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.clocks import clock
from games.clocks.clock import Span
from games.clocks.models import Heartbeat, Outage
from games.clocks.selectors import OUTAGE, PATIENCE
from games.news.models import Notice
from games.news.services import tell
from games.play.models import Game, Hand, Turn
from games.play.selectors.health import AHEAD
from games.play.services.clocks import pause_all_clocks
from games.play.services.history import note
from games.play.services.locks import locked_game
from games.work.jobs import each

logger = logging.getLogger(__name__)

MOST: Final = 1000
"""Games whose clocks get their time back in one pass; the next one goes on."""

WORTH_A_MAIL: Final = clock.HOUR
"""How long an outage lasts of which players are told by mail; pages tell of each."""


def beat(*, now: datetime) -> None:
    """Note that a worker sweeps; where none has for long, note an outage up to now."""
    with transaction.atomic():
        heart, _ = Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        if now - heart.at > PATIENCE:
            Outage.objects.create(began_at=heart.at, ended_at=now)
            away = round((now - heart.at).total_seconds())
            logger.warning("The service was away for %d s: players get the time back", away)
        if heart.at > now + AHEAD:
            logger.warning("The last sweep seems to be in the future: a clock was wrong, or is")
            heart.at = now
        heart.at = max(heart.at, now)
        heart.save(update_fields=["at"])


def give_time_back(*, now: datetime) -> int:
    """Put off the deadlines of clocks that ran through outages, the nearest first; return in how many games.

    No one loses by being late in that row: `lateness.catch_up` looks before anybody's time counts as up.
    Players are told once of a long outage, in the game in which they have the least time.
    """
    outages = list(Outage.objects.filter(settled_at=None))
    owed = reduce(or_, (Q(pk__in=_owed(outage).values("turn__game")) for outage in outages), Q(pk__in=()))
    hands = Hand.objects.filter(turn__game=OuterRef("pk"), turn__status=Turn.Status.OPEN)
    nearest = hands.filter(deadline__isnull=False).order_by("deadline").values("deadline")[:1]
    games = Game.objects.filter(owed).alias(nearest=Subquery(nearest)).order_by("nearest", "pk")
    given = each(
        "outages", games, lambda game_id: _give_back(game_id, outages, now), most=MOST, now=now, game="pk"
    )
    for outage in outages:
        if not given and not _owed(outage).exists():
            Outage.objects.filter(pk=outage.pk).update(settled_at=now)
    return given


def _give_back(game_id: int, outages: Iterable[Outage], now: datetime) -> bool:
    game = locked_game(game_id)
    for outage in outages:
        if _owed(outage).filter(turn__game=game_id).exists():
            _give_back_in(game, outage, now)
    return True


def _owed(outage: Outage) -> QuerySet[Hand]:
    """Return the hands whose clocks ran through an outage and do not know of it."""
    running = Hand.objects.filter(
        deadline__gt=outage.began_at,
        turn__opened_at__lt=outage.ended_at,
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
    )
    known = [{"from": outage.began_at.isoformat(), "until": outage.ended_at.isoformat(), "reason": OUTAGE}]
    told = running.filter(calendar__stops__contains=known).values("pk")
    return running.exclude(pk__in=told)


def _give_back_in(game: Game, outage: Outage, now: datetime) -> None:
    turn = game.turns.get(status=Turn.Status.OPEN)
    changed = pause_all_clocks(game=game, pause=Span(outage.began_at, outage.ended_at), reason=OUTAGE)
    note(game=game, by=None, kind="outage", now=now)
    if outage.ended_at - outage.began_at < WORTH_A_MAIL or game.is_practice:
        return
    people = [hand.seat.user for hand in changed if hand.seat and hand.seat.user]
    told = Notice.objects.filter(user__in=people, kind="outage")
    knowing = {
        *told.filter(created_at__gte=outage.ended_at).values_list("user", flat=True),
        *told.filter(game=game, turn=turn.number).values_list("user", flat=True),
    }
    tell(
        users=[person for person in people if person.pk not in knowing],
        kind="outage",
        game=game,
        turn=turn.number,
        now=now,
    )
