"""Outages of the service: noted by the first sweep after them, and given back to all clocks that ran."""

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games import clock
from games.clock import Span
from games.models import Game, Hand, Heartbeat, Notice, Outage, Turn
from games.selectors.outages import OUTAGE, PATIENCE
from games.services.locking import locked_game
from games.services.noting import note
from games.services.telling import tell
from games.services.timekeeping import pause_all_clocks

logger = logging.getLogger(__name__)

MOST: Final = 1000
"""Clocks that get their time back in one pass, with all others of their games; the next one goes on."""

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
        heart.at = max(heart.at, now)
        heart.save(update_fields=["at"])


def give_time_back(*, now: datetime) -> int:
    """Put off the deadlines of clocks that ran through outages, the nearest first; return in how many games.

    Nobody loses by being late in that row: `lateness.catch_up` looks before anybody's time counts as up.
    Players are told once of a long outage, in the game in which they have the least time.
    """
    return sum(_give_back(outage, now) for outage in Outage.objects.filter(settled_at=None))


def _give_back(outage: Outage, now: datetime) -> int:
    given = 0
    for game_id in dict.fromkeys(_owed(outage).values_list("turn__game", flat=True)[:MOST]):
        try:
            with transaction.atomic():
                _give_back_in(locked_game(game_id), outage, now)
        except Exception:  # one game that cannot be changed shall not hold up the others
            logger.exception("Game %s: the time of an outage was not given back", game_id)
            continue
        given += 1
    if not given:
        Outage.objects.filter(pk=outage.pk).update(settled_at=now)
    return given


def _owed(outage: Outage) -> QuerySet[Hand]:
    """Return the hands whose clocks ran through an outage and do not know of it, the most urgent first."""
    running = Hand.objects.filter(
        deadline__gt=outage.began_at,
        turn__opened_at__lt=outage.ended_at,
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
    )
    known = [{"from": outage.began_at.isoformat(), "until": outage.ended_at.isoformat(), "reason": OUTAGE}]
    told = running.filter(calendar__stops__contains=known).values("pk")
    return running.exclude(pk__in=told).order_by("deadline", "pk")


def _give_back_in(game: Game, outage: Outage, now: datetime) -> None:
    turn = game.turns.get(status=Turn.Status.OPEN)
    changed = pause_all_clocks(game=game, pause=Span(outage.began_at, outage.ended_at), reason=OUTAGE)
    note(game=game, by=None, text="The service was away: all clocks have that time back.", now=now)
    if outage.ended_at - outage.began_at < WORTH_A_MAIL or game.mission_id is not None:
        return
    people = [hand.seat.user for hand in changed if hand.seat and hand.seat.user]
    told = Notice.objects.filter(user__in=people, kind=Notice.Kind.OUTAGE)
    knowing = {
        *told.filter(created_at__gte=outage.ended_at).values_list("user", flat=True),
        *told.filter(game=game, turn=turn.number).values_list("user", flat=True),
    }
    tell(
        users=[person for person in people if person.pk not in knowing],
        kind=Notice.Kind.OUTAGE,
        game=game,
        turn=turn.number,
        now=now,
    )
