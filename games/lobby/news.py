"""Notifications about games before their start."""

from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

import rules
from accounts.navigation import reverse_with_next
from games.clocks.paces import pace_in_words
from games.lobby.models import Invitation
from games.news.kinds import Content, Kind
from games.news.models import Notice
from games.play import stored
from games.play.models import Game
from games.play.news import about_game, url_of


def _invitation(notice: Notice) -> Invitation | None:
    """Return the invitation in a notification, or None if the invitation was deleted."""
    assert notice.game
    invitations = notice.game.invitations.select_related("invited_by")
    to_whom = {"user": notice.user} if notice.user else {"email": notice.email}
    return invitations.filter(**to_whom).first()


def _invited(notice: Notice) -> Content:
    game, invitation = notice.game, _invitation(notice)
    assert game
    query = f"?link={game.link_token}" if invitation else ""
    signup = reverse_with_next("account_signup", game.get_absolute_url() + query)
    return about_game(
        notice,
        inviter=(invitation.invited_by if invitation else game.host).robo_name,
        ruleset=rules.ruleset(game.ruleset).name,
        seats=game.seats,
        pace=pace_in_words(stored.pace_of(game)),
        url=url_of(game) + query,
        signup_url="" if notice.user else settings.BASE_URL + signup,
    )


def _invited_settled(notice: Notice) -> str | None:
    invitation = _invitation(notice)
    waits = invitation is not None and invitation.answer == Invitation.Answer.PENDING
    return (
        None if waits and notice.game and notice.game.status == Game.Status.OPEN else Notice.Status.OUTDATED
    )


INVITED: Final = Kind(
    name="invited",
    label=_("You are invited to a game"),
    label_when_settled=_("You were invited. The invitation is no longer open."),
    template="lobby/mail/invited.html",
    content=_invited,
    settled=_invited_settled,
    to_players=False,
)

REMOVED: Final = Kind(
    name="removed",
    label=_("You were removed from a game"),
    template="lobby/mail/removed.html",
    content=about_game,
    settled=lambda notice: None,
    to_players=False,
)

KINDS: Final = (INVITED, REMOVED)
