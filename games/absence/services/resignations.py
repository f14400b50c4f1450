"""Resigning from a game under way, and leaving it: a computer plays on, or the game is over.

Nothing happens to the robot: the rules know no resignation. A player who resigns has lost, and cannot come
back. A player who leaves opens their seat, and may come back until another player takes it over.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.selectors.resignations import Aftermath, outcome_of, why_not_resign
from games.absence.services.replacements import replace_by_computer
from games.errors import Conflict
from games.news.services.notifications import people_in, tell, tell_of_lobby
from games.play import moments
from games.play.models import Game, Replacement, Seat
from games.play.selectors.sides import was_begun
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.endings import call_off, resign
from games.play.services.history import note
from games.play.services.locks import locked_game


def resign_game(*, user: User, game_id: int, ends: bool | None = None, now: datetime) -> Game:
    """Resign from a game under way: a computer plays on to the end, or the game ends at once.

    It ends where one other side is left, or no other person. ``ends`` is whether the player expects that.
    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict where
    there is nothing to resign (any more), or where it comes out differently.
    """
    return _part(user=user, game_id=game_id, reason=Replacement.Reason.RESIGNED, ends=ends, now=now)


def give_up_seat(*, user: User, game_id: int, ends: bool | None = None, now: datetime) -> Game:
    """Leave a game under way: a computer plays until someone takes the seat over, or its player is back.

    Where no other person plays, the game ends. Raises what `resign_game` does.
    """
    return _part(user=user, game_id=game_id, reason=Replacement.Reason.LEFT, ends=ends, now=now)


def _part(*, user: User, game_id: int, reason: Replacement.Reason, ends: bool | None, now: datetime) -> Game:
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        seat = _seat_to_give_up(game, user)
        resigns = reason == Replacement.Reason.RESIGNED
        outcome = outcome_of(game=game, seat=seat, resigns=resigns)
        if ends is not None and ends != outcome.ends:
            detail = _("The game has changed: look again at what happens when you resign or leave.")
            raise Conflict("changed", detail)
        if outcome.ends:
            note(
                game=game,
                by=user,
                kind="resigned-last" if resigns else "left-last",
                player=user.robo_name,
                now=now,
            )
            _end(game=game, seat=seat, outcome=outcome, now=now)
        else:
            replace_by_computer(game=game, seat=seat, reason=reason, offered=not resigns, now=now)
            note(
                game=game,
                by=user,
                kind="resigned" if resigns else "left-seat",
                player=user.robo_name,
                robot=seat.robo_name,
                now=now,
            )
            _pass_host_on(game, user, now)
            moments.follow.players_changed(game=game, now=now)
    game.refresh_from_db()
    return game


def end_without_players(*, game: Game, seat: Seat, now: datetime) -> None:
    """End a game under way, whose row is held, because its last person deletes their account."""
    assert seat.user
    note(game=game, by=seat.user, kind="deleted-last", player=seat.user.robo_name, now=now)
    _end(game=game, seat=seat, outcome=outcome_of(game=game, seat=seat, resigns=False), now=now)


def _seat_to_give_up(game: Game, user: User) -> Seat:
    last = Replacement.objects.filter(seat__game=game, was=user).last()
    if last is not None and not game.players.filter(user=user).exists():
        if last.reason == Replacement.Reason.RESIGNED:
            raise Conflict("resigned", _("You resigned from this game already."))
        if last.reason == Replacement.Reason.LEFT:
            raise Conflict("left", _("You left this game already."))
    seat = own_seat(user=user, game=game)
    if refusal := why_not_resign(game=game, seat=seat):
        raise Conflict("nothing-to-resign", refusal)
    return seat


def _end(*, game: Game, seat: Seat, outcome: Aftermath, now: datetime) -> None:
    """End a game for want of players; a solo flight without a turn played counts for nothing."""
    others = [user for user in people_in(game) if user.pk != seat.user_id]
    if not outcome.counts:
        call_off(game=game, by=Game.Ending.RESIGNED, now=now)
        tell_of_lobby(users=others, kind="cancelled", game=game, now=now)
        return
    resign(game=game, winner=outcome.winner, now=now)
    if not game.is_practice:
        last = game.last_played if was_begun(game) else game.turn
        tell(users=others, kind="over", game=game, turn=last or 0, now=now)


def _pass_host_on(game: Game, user: User, now: datetime) -> None:
    """Have the next person be the host of a game that its host has given up."""
    if game.host_id != user.pk:
        return
    heir = game.players.exclude(user=None).select_related("user").order_by("number").first()
    assert heir is not None and heir.user is not None, "with nobody left the game ends"
    game.host = heir.user
    game.save(update_fields=["host"])
    note(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
