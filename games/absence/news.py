"""The kinds of notification about missed turns and replaced players."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.absence.selectors import seat_to_return_to
from games.news.kinds import Content, Kind
from games.news.models import Notice
from games.play.models import Game, Replacement
from games.play.news import about_game, about_turn, is_open, present_board
from games.play.selectors import missed_turn_of_seat

WHY: Final = {
    Replacement.Reason.MISSED: _("You missed too many turns."),
    Replacement.Reason.VOTED: _("The players voted to replace you."),
    Replacement.Reason.STAFF: _("Staff replaced you."),
}
"""Sentences to a player about why a computer has replaced them."""


def _missed(notice: Notice) -> Content:
    assert notice.seat
    return about_turn(notice, missed=missed_turn_of_seat(seat=notice.seat, turn=notice.turn), lines=[])


def _missed_settled(notice: Notice) -> str | None:
    """Return the final status of a notification about a missed turn, or None if it must be sent.

    Once the turn is over, the notification is out of date, because the mail about the next turn also tells
    the player about the missed turn.
    """
    if not is_open(notice):
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if notice.came else None


def _replaced(notice: Notice) -> Content:
    game, user = notice.game, notice.user
    content = about_game(notice)
    replaced = Replacement.objects.select_related("seat").filter(seat__game=game, was=user).last()
    if replaced is None or game is None or user is None:
        return content
    reasons = game.interventions.filter(seat=replaced.seat_id, action="replace").values_list(
        "reason", flat=True
    )
    more = {
        "why": WHY.get(Replacement.Reason(replaced.reason), ""),
        "reason": reasons.first() if replaced.reason == Replacement.Reason.STAFF else "",
        "may_return": seat_to_return_to(user=user, game=game) is not None,
    }
    return Content(content.context | more, present_board(game, replaced.seat))


def _replaced_settled(notice: Notice) -> str | None:
    game = notice.game
    plays = game is not None and game.status == Game.Status.RUNNING and notice.seat is None
    return None if plays else Notice.Status.OUTDATED


MISSED: Final = Kind(
    name="missed",
    label=_("You missed a turn"),
    template="absence/mail/missed.html",
    content=_missed,
    settled=_missed_settled,
)

REPLACED: Final = Kind(
    name="replaced",
    label=_("A computer plays for you"),
    template="absence/mail/replaced.html",
    content=_replaced,
    settled=_replaced_settled,
    to_players=False,
)

KINDS: Final = (MISSED, REPLACED)
