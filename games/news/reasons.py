"""Explain to staff why a notification was sent, held or dropped."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from accounts.models import Frequency
from games.news.channels import CHANNELS
from games.news.kinds import KINDS
from games.news.models import Notice
from games.news.services import is_looking
from games.work.jobs import reason_in_words

Status = Notice.Status


def explain(notice: Notice, *, now: datetime) -> str:
    """Return the reason for a notification's status as a sentence, or "" if it was simply sent.

    Dropped notifications have no stored reason. Theirs follows from the person's settings of today.
    """
    error = reason_in_words(notice.last_error)
    if notice.status == Status.PENDING:
        return _waiting(notice, error)
    if notice.status == Status.HELD:
        return _held(notice, now)
    if notice.status == Status.UNWANTED:
        return _unwanted(notice)
    sentences = {
        Status.SENT: gettext("It was sent, but then: {error}") if error else "",
        Status.SEEN: gettext("The reader saw it on the site first."),
        Status.OUTDATED: gettext("It was out of date before it could be sent."),
        Status.CLOSED: gettext("The address gets no mail about games, because mail to it bounced. {error}"),
        Status.UNANSWERED: gettext("The person’s own webhook did not accept it. {error}"),
        Status.GIVEN_UP: gettext("All attempts failed. {error}"),
    }
    return sentences[Status(notice.status)].format(error=error).strip()


def _waiting(notice: Notice, error: str) -> str:
    if not notice.attempts:
        return gettext("It waits for a worker.")
    again = _time(notice.lease_until) if notice.lease_until else gettext("soon")
    words = gettext("Failed attempts: {number}. The next one is due {time}. {error}")
    return words.format(number=notice.attempts, time=again, error=error).strip()


def _held(notice: Notice, now: datetime) -> str:
    due = _time(notice.due_at) if notice.due_at else gettext("soon")
    kind, channel = KINDS.get(notice.kind), CHANNELS.get(notice.channel)
    if kind and channel and channel.frequency_of(notice, kind) == Frequency.DAILY:
        return gettext("It waits for the daily email, due {time}.").format(time=due)
    if notice.seat is not None and is_looking(notice.seat, now):
        return gettext("The reader is watching the game. Checked again {time}.").format(time=due)
    return gettext("It is held until {time}.").format(time=due)


def _unwanted(notice: Notice) -> str:
    """Return why a person does not want a notification, as far as today's settings tell."""
    user, kind, channel = notice.user, KINDS.get(notice.kind), CHANNELS.get(notice.channel)
    if user is None:
        return gettext("The owner of the address opted out.")
    if kind and kind.name in user.silenced:
        return gettext("The person has muted this kind of notification.")
    if not user.is_active:
        return gettext("The account is locked.")
    return channel.why_unwanted(notice, user) if channel else ""


def _time(time: datetime) -> str:
    return date_format(localtime(time), "DATETIME_FORMAT")
