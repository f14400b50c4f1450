"""Having games forget someone whose account was deleted; workers may die at any point of it.

Each game is rewritten in a transaction of its own, and noted as done with that. What was under way as the
account was closed may have written the name once more: so all is looked through a second time, a while later,
before the name itself is forgotten.
"""

import logging
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import forget_sessions
from games import live
from games.absence.seats import end_without_players, replace_by_computer
from games.errors import Conflict, NotFound, reason_of
from games.lobby.services.seats import vacate
from games.people.models import Deletion, Forgetting
from games.people.selectors.partings import alone_with
from games.people.services.deletion import delete_rows, note_games
from games.people.services.scrubbing import TAKEN_BACK, rename_player, scrub_elsewhere, scrubber_of
from games.people.services.ships import rename_ships
from games.play.models import Game, Hand, Replacement, Seat
from games.play.services.endings import call_off
from games.play.services.history import note
from games.play.services.locks import locked_game
from games.rights import Right, require
from games.votes.services import settle_votes
from games.work import enqueue
from games.work.jobs import encode_reason
from roborunner import faults

logger = logging.getLogger(__name__)

SETTLED: Final = timedelta(minutes=2)
"""How long after an account was closed nothing is under way any more that was begun before."""

ATTEMPTS: Final = 5
"""How often a game is tried before it waits for staff."""

MOST: Final = 20
"""Games that are rewritten for one message; turns are played in between."""

NOTING: Final = 20.0
"""Seconds for which a worker tries to note why a game could not be rewritten."""


def erase(*, deletion_id: int, now: datetime) -> bool:
    """Go on with a deletion; return whether it is done with this call, and the name forgotten.

    It may be called as often as one likes, and by several workers at once.
    """
    deletion = Deletion.objects.select_related("user").filter(pk=deletion_id, done_at=None).first()
    if deletion is None:
        return False
    with transaction.atomic():
        note_games(deletion=deletion)
        delete_rows(deletion=deletion)
    to_do = _to_do(deletion, now)
    first = to_do.filter(attempts__lt=ATTEMPTS).order_by(F("game__ended_at").asc(nulls_first=True), "game")
    for forgetting in first[:MOST]:
        _try(forgetting, deletion, now)
    if to_do.filter(attempts=0).exists():
        enqueue.erase(deletion.pk)
        return False
    rename_ships(builder=deletion.user, scrub=scrubber_of(deletion).scrub_own, now=now)
    with transaction.atomic():
        scrub_elsewhere(deletion=deletion)
    forget_sessions(user_id=deletion.user_id, name=deletion.name, address=deletion.address)
    return not to_do.exists() and now >= deletion.asked_at + SETTLED and _finish(deletion, now)


def erase_again(*, user: User, deletion_id: int) -> None:
    """Try games again that failed too often, as staff.

    Raises Forbidden for people without the right, NotFound, and Conflict for a deletion that is complete.
    """
    require(user, Right.CHANGE_DELETIONS)
    deletion = Deletion.objects.filter(pk=deletion_id).first()
    if deletion is None:
        raise NotFound("no-deletion", _("This deletion does not exist."))
    if deletion.done_at is not None:
        raise Conflict("finished", _("This deletion is already complete."))
    deletion.games.update(attempts=0)
    enqueue.erase(deletion.pk)


def to_go_on_with(*, now: datetime) -> QuerySet[Deletion]:
    """Return deletions that have something to do for a worker, none of which waits for staff alone."""
    games = Forgetting.objects.filter(deletion=OuterRef("pk"))
    to_try = Exists(games.filter(done_at=None, attempts__lt=ATTEMPTS))
    stuck = Exists(games.filter(attempts__gte=ATTEMPTS))
    return Deletion.objects.filter(to_try | Q(asked_at__lte=now - SETTLED) & ~Q(stuck), done_at=None)


def _to_do(deletion: Deletion, now: datetime) -> QuerySet[Forgetting]:
    """Return the games that know of the person, or may do so once more by what was under way."""
    settled = deletion.asked_at + SETTLED
    early = Q(done_at__lt=settled) if now >= settled else Q(pk__in=())
    return deletion.games.filter(Q(done_at=None) | early)


def _try(forgetting: Forgetting, deletion: Deletion, now: datetime) -> None:
    """Rewrite a game, if no one else did meanwhile; whatever keeps it from that is noted."""
    rows = Forgetting.objects.filter(pk=forgetting.pk)
    rows.update(attempts=F("attempts") + 1, error=encode_reason("unfinished"))
    try:
        with transaction.atomic():
            game = locked_game(forgetting.game_id)
            if not _to_do(deletion, now).filter(pk=forgetting.pk).exists():
                return
            _forget(game, deletion, now)
            rows.update(done_at=now, attempts=0, error="")
    except NotFound:
        return  # the game itself is gone
    except Exception as error:  # one game that cannot be read must not hold up the others
        logger.exception("Game %d: a person could not be taken out of it", forgetting.game_id)
        noted: dict[str, Any] = {"error": reason_of(error)}
        if faults.is_temporary(error):  # the game has no part in it
            noted["attempts"] = F("attempts") - 1
        faults.write_despite_outage(
            lambda: rows.filter(attempts__gt=0).update(**noted),
            f"Game {forgetting.game_id}: a person could not be taken out of it",
            seconds=NOTING,
        )


def _forget(game: Game, deletion: Deletion, now: datetime) -> None:
    user = deletion.user
    if alone_with(user=user).filter(pk=game.pk).exists():
        _delete(game)
        return
    forgotten = {"manner": "", "standing": "", "visited_at": None, "seen_turn": None, "read_chat": 0}
    game.players.filter(user=user).update(**forgotten)
    Hand.objects.filter(seat__game=game, seat__user=user, calendar__isnull=False).update(calendar=None)
    if deletion.takes_chat:
        game.chat.filter(user=user).update(text=TAKEN_BACK, rude=False)
    rename_player(game=game, user=user, scrubber=scrubber_of(deletion))
    seat = game.players.select_related("user").filter(user=user).first()
    if game.status == Game.Status.OPEN:
        _leave_lobby(game, user, seat, now)
    elif game.status == Game.Status.RUNNING:
        _leave_game(game, user, seat, now)
    invited = game.invitations.filter(invited_by=user)
    if game.ended_at is None and game.host_id != user.pk:
        invited.update(invited_by=game.host_id)
    else:
        invited.delete()
    live.announce_change(game)


def _delete(game: Game) -> None:
    course = game.course
    game.delete()
    if course is not None:
        course.delete()


def _leave_lobby(game: Game, user: User, seat: Seat | None, now: datetime) -> None:
    if seat is not None:
        note(game=game, by=user, kind="left", player=user.robo_name, now=now)
        vacate(game=game, seat=seat, now=now)


def _leave_game(game: Game, user: User, seat: Seat | None, now: datetime) -> None:
    """Have a computer play on if other people are left; otherwise the game ends."""
    others = game.players.exclude(user=None).exclude(user=user).select_related("user").order_by("number")
    heir = others.first()
    if heir is None:
        if seat is not None:
            end_without_players(game=game, seat=seat, now=now)
        else:
            call_off(game=game, by=Game.Ending.DESERTED, now=now)
            note(game=game, by=None, kind="no-players", now=now)
        return
    if game.host_id == user.pk:
        assert heir.user is not None
        game.host = heir.user
        game.save(update_fields=["host"])
        note(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
    if seat is not None:
        replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.DELETED, now=now)
        note(game=game, by=None, kind="deleted", player=user.robo_name, now=now)
        settle_votes(game=game, now=now)


def _finish(deletion: Deletion, now: datetime) -> bool:
    """Forget the name as well; return whether this call did it."""
    with transaction.atomic():
        deletion.games.all().delete()
        forgotten = {"name": "", "address": "", "done_at": now}
        done = Deletion.objects.filter(pk=deletion.pk, done_at=None).update(**forgotten)
    if done:
        logger.info("All games have forgotten person %d", deletion.user_id)
    return bool(done)
