"""What mails about a game tell somebody who has no seat in it: before it starts, or no more."""

from datetime import timedelta
from typing import Any

from django.conf import settings

import rules
from games import stored
from games.clocks.paces import pace_in_words
from games.lobby.models import Invitation
from games.news.models import Notice
from games.news.picture import Draw, empty_board_picture
from games.play.models import Game
from games.play.selectors.heads import head_of
from games.staff.models import Intervention
from games.templatetags.wording import how_it_broke_off


def of_lobby(notice: Notice) -> tuple[dict[str, Any], Draw]:
    """Return what the templates tell, and what draws the picture: the board as it is laid out now."""
    game, user = notice.game, notice.user
    invitation = _invitation(notice)
    url = f"{settings.BASE_URL}{game.get_absolute_url()}"
    if invitation:
        url += f"?link={game.link_token}"
    context = {
        "game": game.name,
        "name": user.robo_name if user else "",
        "host": game.host.robo_name,
        "inviter": invitation.invited_by.robo_name if invitation else game.host.robo_name,
        "ruleset": rules.ruleset(game.ruleset).name,
        "seats": game.seats,
        "free": game.seats - game.players.count(),
        "pace": pace_in_words(stored.pace_of(game)),
        "days": settings.LOBBY_DAYS,
        "expired": _waited_in_vain(game),
        "broke_off": how_it_broke_off(game) if game.broke_off else "",
        "reason": _reason(notice),
        "head": _head(game),
        "url": url,
        "board_name": game.board_name,
    }
    return context, lambda: empty_board_picture(stored.drawn_board(game))


def _head(game: Game) -> dict[str, Any] | None:
    """Return the head of a game that has started; a player who leaves it gets no other."""
    turn = None if game.turn is None else game.turns.get(number=game.turn)
    return head_of(turn, opening=bool(stored.edition_of(game).opening))


def _reason(notice: Notice) -> str:
    """Return why staff cancelled a game, where they did."""
    if notice.kind != Notice.Kind.CANCELLED:
        return ""
    cancelled = notice.game.interventions.filter(action=Intervention.Action.CANCEL)
    return cancelled.values_list("reason", flat=True).first() or ""


def _waited_in_vain(game: Game) -> bool:
    """Return whether a cancelled game had waited for its players for as long as games may."""
    waited = timedelta(days=settings.LOBBY_DAYS)
    return game.started_at is None and game.ended_at is not None and game.ended_at - game.created_at >= waited


def _invitation(notice: Notice) -> Invitation | None:
    """Return the invitation that a notice is about, as long as it is there."""
    if notice.kind != Notice.Kind.INVITED:
        return None
    invitations = Invitation.objects.filter(game=notice.game).select_related("invited_by")
    if notice.user:
        return invitations.filter(user=notice.user).first()
    return invitations.filter(email=notice.email).first()


def is_pointless(notice: Notice) -> bool:
    """Return whether a notice about a lobby has nothing to tell any more."""
    if notice.kind == Notice.Kind.REPLACED:
        return (
            notice.game.status != Game.Status.RUNNING or notice.game.players.filter(user=notice.user).exists()
        )
    if notice.kind != Notice.Kind.INVITED:
        return False
    invitation = _invitation(notice)
    answered = invitation is None or invitation.answer != Invitation.Answer.PENDING
    return answered or notice.game.status != Game.Status.OPEN
