"""The kinds of notification about missed turns, replaced players and sitters."""

from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import Frequency
from games.absence.models import Replacement, SitterTurn, Sitting
from games.absence.selectors import seat_to_return_to
from games.absence.sitters import waiting_hands
from games.news.kinds import PLAIN, Content, Kind, plain
from games.news.models import Notice
from games.play.models import Game
from games.play.news import about_game, about_turn, is_open, present_board
from games.play.selectors import deadline_of, missed_turn_of_seat
from games.play.viewers import lasting_sittings, sitting_in
from games.wording import direction_name

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


# --- Sitters ------------------------------------------------------------------------------------------------


def _sitting(notice: Notice) -> Sitting | None:
    """Return the sitting that a notification is about, or None if it was deleted."""
    return Sitting.objects.select_related("owner", "sitter").filter(pk=notice.about or 0).first()


def _days(sitting: Sitting) -> str:
    first, last = (date_format(day, "DATE_FORMAT") for day in (sitting.first, sitting.last))
    return gettext("{first} to {last}").format(first=first, last=last) if first != last else first


def _about_sitting(notice: Notice, *, subject: str, message: str, link_text: str, why: str) -> Content:
    sitting = _sitting(notice)
    assert sitting is not None
    names = {"player": sitting.owner.robo_name, "sitter": sitting.sitter.robo_name, "days": _days(sitting)}
    return plain(
        notice,
        path=reverse("people:sitters"),
        subject=subject.format(**names),
        message=message.format(**names),
        link_text=link_text,
        why=why,
    )


def _asked(notice: Notice) -> Content:
    return _about_sitting(
        notice,
        subject=gettext("{player} asks you to be their sitter"),
        message=gettext(
            "{player} will be away and asks you to submit their orders: {days}. If you accept, you see their"
            " hand in their games on these days, and nothing else."
        ),
        link_text=gettext("Accept or decline"),
        why=gettext("You got this email because you and this player follow each other."),
    )


def _accepted(notice: Notice) -> Content:
    return _about_sitting(
        notice,
        subject=gettext("{sitter} sits for you"),
        message=gettext("{sitter} accepted to submit your orders: {days}. You can end this at any time."),
        link_text=gettext("View your sitters"),
        why=gettext("You got this email because you asked this player to be your sitter."),
    )


def _ended(notice: Notice) -> Content:
    sitting = _sitting(notice)
    accepted = sitting is not None and sitting.accepted_at is not None
    if sitting is not None and notice.user_id == sitting.owner_id:
        subject = (
            gettext("{sitter} doesn’t sit for you any more")
            if accepted
            else gettext("{sitter} declined to sit for you")
        )
        message = gettext("{sitter} can’t submit your orders: {days}.")
    else:
        subject = gettext("You don’t sit for {player} any more")
        message = gettext("You can’t submit orders for {player} any more: {days}.")
    return _about_sitting(
        notice,
        subject=subject,
        message=message,
        link_text=gettext("View your sitters"),
        why=gettext("You got this email because one of you is or was asked to be a sitter."),
    )


def _asked_settled(notice: Notice) -> str | None:
    sitting = lasting_sittings(now=timezone.now()).filter(pk=notice.about or 0).first()
    if sitting is None:
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if sitting.accepted_at else None


def _sitting_settled(notice: Notice) -> str | None:
    return None if _sitting(notice) else Notice.Status.OUTDATED


def _accepted_settled(notice: Notice) -> str | None:
    lasts = lasting_sittings(now=timezone.now()).filter(pk=notice.about or 0, accepted_at__isnull=False)
    return None if lasts.exists() else Notice.Status.OUTDATED


def _sitters_page(notice: Notice) -> tuple[str, str]:
    return gettext("Sitters"), reverse("people:sitters")


def _sitters_turn(notice: Notice) -> Content:
    game = notice.game
    assert game is not None and notice.user is not None
    sitting = sitting_in(viewer=notice.user, game=game)
    assert sitting is not None
    turn = game.turns.get(number=notice.turn)
    hand = turn.hands.filter(seat__user=sitting.owner_id).first()
    names = {"game": game.name, "turn": notice.turn, "player": sitting.owner.robo_name}
    message = gettext(
        "Turn {turn} of “{game}” needs orders for {player}. You are their sitter until {until}."
    )
    return plain(
        notice,
        path=reverse("games:move", args=[game.pk]),
        subject=gettext("{game}, turn {turn}: order for {player}").format(**names),
        message=message.format(**names, until=date_format(sitting.last, "DATE_FORMAT")),
        link_text=gettext("Open the game"),
        why=gettext("You got this email because you accepted to be this player’s sitter."),
        deadline=deadline_of(turn=turn, hand=hand),
    )


def _sitters_turn_settled(notice: Notice) -> str | None:
    """Return the final status of a sitter's notification about a turn, or None if it must be sent."""
    user, game = notice.user, notice.game
    if user is None or game is None or game.turn != notice.turn or user.manner == Frequency.NONE:
        return Notice.Status.UNWANTED if user and user.manner == Frequency.NONE else Notice.Status.OUTDATED
    sitting = sitting_in(viewer=user, game=game)
    if sitting is None:
        return Notice.Status.OUTDATED
    hands = waiting_hands(sitting=sitting).filter(turn__game=game, turn__number=notice.turn)
    return None if hands.exists() else Notice.Status.SEEN


def _ordered(notice: Notice) -> Content:
    game = notice.game
    assert game is not None
    row = (
        SitterTurn.objects.select_related("sitting__sitter")
        .filter(game=game, turn=notice.turn, sitting__owner=notice.user)
        .latest("pk")
    )
    names = {"game": game.name, "turn": notice.turn, "sitter": row.sitting.sitter.robo_name}
    return plain(
        notice,
        path=game.get_absolute_url(),
        lines=orders_in_words(row),
        subject=gettext("{game}, turn {turn}: {sitter} ordered for you").format(**names),
        message=gettext("{sitter} submitted your orders for turn {turn} of “{game}”.").format(**names),
        heading=gettext("The orders"),
        link_text=gettext("View the game"),
        why=gettext("You got this email because this player is your sitter."),
    )


def orders_in_words(row: SitterTurn) -> list[str]:
    """Return a sitter's orders in words: a line for each register, and one for each other order."""
    lines = []
    for number, kind in enumerate(row.chips, 1):
        chip = (
            render_to_string("components/chip_name.html", {"kind": kind}).strip()
            if kind
            else gettext("locked")
        )
        lines.append(gettext("Register {number}: {chip}").format(number=number, chip=chip))
    if heading := row.orders.get("heading"):
        lines.append(gettext("Heading: {heading}").format(heading=direction_name(heading)))
    if row.orders.get("power_down"):
        lines.append(gettext("The robot powers down afterwards."))
    if row.orders.get("stay_down"):
        lines.append(gettext("The robot stays off."))
    return lines


def _ordered_settled(notice: Notice) -> str | None:
    rows = SitterTurn.objects.filter(game=notice.game, turn=notice.turn, sitting__owner=notice.user)
    return None if rows.exists() else Notice.Status.OUTDATED


ASKED: Final = Kind(
    name="sit-asked",
    label=_("A friend asks you to be their sitter"),
    content=_asked,
    settled=_asked_settled,
    template=PLAIN,
    drawn=False,
    to_players=False,
    topic_page=_sitters_page,
)

ACCEPTED: Final = Kind(
    name="sit-yes",
    label=_("A friend accepted to be your sitter"),
    content=_accepted,
    settled=_accepted_settled,
    template=PLAIN,
    drawn=False,
    to_players=False,
    topic_page=_sitters_page,
)

ENDED: Final = Kind(
    name="sit-over",
    label=_("A sitter’s time has ended early"),
    content=_ended,
    settled=_sitting_settled,
    template=PLAIN,
    drawn=False,
    to_players=False,
    topic_page=_sitters_page,
)

SITTERS_TURN: Final = Kind(
    name="sit-turn",
    label=_("A turn waits for you as a sitter"),
    template="absence/mail/sitter.html",
    content=_sitters_turn,
    settled=_sitters_turn_settled,
    drawn=False,
    to_players=False,
)

ORDERED: Final = Kind(
    name="sit-order",
    label=_("Your sitter submitted your orders"),
    template="absence/mail/ordered.html",
    content=_ordered,
    settled=_ordered_settled,
    drawn=False,
    illustrated=False,
    daily=3,
)

KINDS: Final = (MISSED, REPLACED, ASKED, ACCEPTED, ENDED, SITTERS_TURN, ORDERED)
