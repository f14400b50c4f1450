"""Kinds of notification about ships, for builders, reviewers and the design committee."""

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from accounts.time_zones import zone_of
from games.clocks.selectors import calendar_of
from games.dock.models import MOST_STARS, WARNING_PERIOD, Promotion, Prototype, Review, Tag
from games.dock.selectors import open_promotions, voters_about
from games.fleet.boards import starship_of
from games.fleet.models import Starship
from games.moderation.models import Moderation
from games.news.kinds import Content, Kind, empty_board_picture
from games.news.models import Notice
from games.news.timing import morning_after
from games.wording import names_in_words

TEMPLATE: Final = "dock/mail/news.html"

WHY_BUILDER: Final = _("You got this email because you built the ship.")
WHY_MEMBER: Final = _("You got this email because you are on the design committee.")

DECISION_TEXTS: Final = {
    Promotion.Status.PROMOTED.value: (
        _("{ship} joins the fleet"),
        _("The design committee promoted “{ship}” to the fleet. Your bay is free."),
    ),
    Promotion.Status.SENT_BACK.value: (
        _("The design committee sent {ship} back"),
        _(
            "The design committee sent “{ship}” back to its bay. You can change it and request"
            " promotion again."
        ),
    ),
    Promotion.Status.CLOSED.value: (
        _("The design committee closed {ship}"),
        _(
            "The design committee closed “{ship}”. Your bay is free. Running games continue, and you keep"
            " the draft."
        ),
    ),
}
"""The subject and sentence of the builder's notification, by the promotion's status."""


def _ship_of(notice: Notice) -> Starship:
    assert notice.starship
    return notice.starship


def _about(notice: Notice) -> int:
    assert notice.about is not None
    return notice.about


def _content(
    notice: Notice, *, path: str = "", link_text: str = "", lines: list[str] | None = None, **more: Any
) -> Content:
    """Return the content of a notification about a ship.

    ``more`` has the notification's ``subject`` and ``message``, the ``heading`` of its ``lines``, and the
    reason why the reader gets it (``why``).
    """
    ship = _ship_of(notice)
    assert notice.user
    context = {
        "name": notice.user.robo_name,
        "board_name": ship.name,
        "url": settings.BASE_URL + (path or ship.get_absolute_url()),
        "link_text": link_text or gettext("View the ship"),
        "lines": lines or [],
        **more,
    }
    return Content(context, lambda: _picture(ship))


def _picture(ship: Starship) -> bytes:
    assert ship.current
    return empty_board_picture(starship_of(ship.current))


def _review_of(notice: Notice) -> Review | None:
    """Return the review in a notification, or None if it is deleted, withheld or hidden."""
    found = Review.objects.select_related("author", "revision").filter(pk=_about(notice)).first()
    return found if found and found.is_shown else None


def _reviewed(notice: Notice) -> Content:
    review, ship = _review_of(notice), _ship_of(notice)
    assert review
    lines = [gettext("{number} of {most} stars").format(number=review.stars, most=MOST_STARS)]
    lines += [names_in_words([str(Tag(tag).label) for tag in review.tags])] if review.tags else []
    message = gettext("{player} reviewed version {number} of your ship “{ship}”. You can answer once.")
    return _content(
        notice,
        path=f"{reverse('starships:reviews', args=[ship.pk])}#review-{review.pk}",
        subject=gettext("{ship}: review by {player}").format(ship=ship.name, player=review.author.robo_name),
        message=message.format(player=review.author.robo_name, ship=ship.name, number=review.revision.number),
        link_text=gettext("Read and answer"),
        lines=[*lines, review.text] if review.text else lines,
        heading=gettext("The review"),
        why=WHY_BUILDER,
    )


def _review_settled(notice: Notice) -> str | None:
    review = _review_of(notice)
    if review is None:
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if review.answer else None


def _answered(notice: Notice) -> Content:
    review, ship = _review_of(notice), _ship_of(notice)
    assert review
    message = gettext("{player}, the builder of “{ship}”, answered your review.")
    return _content(
        notice,
        path=f"{reverse('starships:reviews', args=[ship.pk])}#review-{review.pk}",
        subject=gettext("{ship}: answer to your review").format(ship=ship.name),
        message=message.format(player=ship.builder, ship=ship.name),
        link_text=gettext("View your review"),
        lines=[review.answer],
        heading=gettext("The answer"),
        why=_("You got this email because you wrote the review."),
    )


def _answer_settled(notice: Notice) -> str | None:
    review = _review_of(notice)
    return None if review and review.answer else Notice.Status.OUTDATED


def _decided(notice: Notice) -> Content:
    promotion = Promotion.objects.get(pk=_about(notice))
    subject, message = (
        str(text).format(ship=_ship_of(notice).name) for text in DECISION_TEXTS[promotion.status]
    )
    votes = promotion.votes.exclude(words="").select_related("user")
    reason = gettext("{player} ({vote}): {text}")
    return _content(
        notice,
        subject=subject,
        message=message,
        lines=[
            reason.format(player=vote.user.robo_name, vote=vote.get_choice_display(), text=vote.words)
            for vote in votes
        ],
        heading=gettext("Votes and comments"),
        why=WHY_BUILDER,
    )


def _ready(notice: Notice) -> Content:
    promotion, ship = (
        Promotion.objects.select_related("prototype", "revision").get(pk=_about(notice)),
        _ship_of(notice),
    )
    prototype = promotion.prototype
    message = ngettext(
        "{builder} requests promotion for “{ship}”: version {version}, {ruleset}, {number} player.",
        "{builder} requests promotion for “{ship}”: version {version}, {ruleset}, {number} players.",
        prototype.players,
    )
    return _content(
        notice,
        path=reverse("promotions:one", args=[promotion.pk]),
        subject=gettext("{ship} needs your vote").format(ship=ship.name),
        message=message.format(
            builder=ship.builder,
            ship=ship.name,
            version=promotion.revision.number,
            ruleset=rules.ruleset(prototype.ruleset).name,
            number=prototype.players,
        ),
        link_text=gettext("View and vote"),
        why=WHY_MEMBER,
    )


def _undecided(notice: Notice) -> Content:
    promotion, ship = Promotion.objects.get(pk=_about(notice)), _ship_of(notice)
    message = gettext("“{ship}” has been waiting for a decision since {date}, and you haven’t voted yet.")
    return _content(
        notice,
        path=reverse("promotions:one", args=[promotion.pk]),
        subject=gettext("{ship} still needs your vote").format(ship=ship.name),
        message=message.format(ship=ship.name, date=_day(notice, promotion.asked_at)),
        link_text=gettext("View and vote"),
        why=_("You got this email because you are on the design committee. This is the only reminder."),
    )


def _vote_settled(notice: Notice) -> str | None:
    """Return the final status of a notification that asks for a vote, or None if the vote is still needed."""
    promotion = open_promotions().filter(pk=_about(notice)).first()
    if promotion is None or not voters_about(promotion).filter(pk=notice.user_id or 0).exists():
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if promotion.votes.filter(user=notice.user_id).exists() else None


def _idle(notice: Notice) -> Content:
    ship, leaves_at = _ship_of(notice), notice.created_at + WARNING_PERIOD
    message = gettext(
        "No two people have played together on “{ship}” for 90 days, so it leaves its bay on {date} and"
        " becomes a draft. To keep it there, play on it with another person or publish a new version."
    )
    return _content(
        notice,
        subject=gettext("{ship} will leave its bay").format(ship=ship.name),
        message=message.format(ship=ship.name, date=_day(notice, leaves_at)),
        deadline=leaves_at,
        why=WHY_BUILDER,
    )


def _idle_settled(notice: Notice) -> str | None:
    idle = Prototype.objects.filter(starship=notice.starship_id, status=Prototype.Status.TESTING)
    return None if idle.filter(used_at__lte=notice.created_at).exists() else Notice.Status.OUTDATED


def _taken_down(notice: Notice) -> Content:
    ship, moderation = _ship_of(notice), Moderation.objects.get(pk=_about(notice))
    return _content(
        notice,
        path=reverse("shipyard:list"),
        subject=gettext("{ship} was taken down").format(ship=ship.name),
        message=gettext("Staff took down your ship “{ship}”. New games can’t use it.").format(ship=ship.name),
        link_text=gettext("Your Space Dock"),
        lines=[moderation.reason],
        heading=gettext("Reason given by staff"),
        why=WHY_BUILDER,
    )


def _takedown_settled(notice: Notice) -> str | None:
    return None if _ship_of(notice).taken_down_at else Notice.Status.OUTDATED


def _day(notice: Notice, at: datetime) -> str:
    """Return a date in the recipient's time zone."""
    assert notice.user
    return date_format(at.astimezone(zone_of(notice.user.time_zone)), "DATE_FORMAT")


def _by_day(notice: Notice, now: datetime) -> datetime:
    """Return the time to send a notification: now, or after the recipient's night or quiet hours."""
    assert notice.user
    night = calendar_of(user=notice.user).night
    return morning_after(now, zone_of(notice.user.time_zone), night) or now


def _kind(**declared: Any) -> Kind:
    return Kind(template=TEMPLATE, to_players=False, send_at=_by_day, **declared)


DECISION: Final = _kind(
    name="decision",
    label=_("The design committee decided on your ship"),
    content=_decided,
    settled=lambda notice: None,
    daily=5,
)

TAKEN_DOWN: Final = _kind(
    name="taken-down",
    label=_("Your ship was taken down"),
    content=_taken_down,
    settled=_takedown_settled,
    daily=6,
    illustrated=False,
)

IDLE: Final = _kind(
    name="idle", label=_("Your prototype will leave its bay"), content=_idle, settled=_idle_settled, daily=7
)

READY: Final = _kind(
    name="ready", label=_("A ship needs your vote"), content=_ready, settled=_vote_settled, daily=8
)

UNDECIDED: Final = _kind(
    name="undecided",
    label=_("A ship still needs your vote"),
    content=_undecided,
    settled=_vote_settled,
    daily=9,
    illustrated=False,
)

REVIEW: Final = _kind(
    name="review",
    label=_("Your ship was reviewed"),
    content=_reviewed,
    settled=_review_settled,
    daily=10,
    illustrated=False,
)

ANSWER: Final = _kind(
    name="answer",
    label=_("Your review was answered"),
    content=_answered,
    settled=_answer_settled,
    daily=11,
    illustrated=False,
)

KINDS: Final = (DECISION, TAKEN_DOWN, IDLE, READY, UNDECIDED, REVIEW, ANSWER)
