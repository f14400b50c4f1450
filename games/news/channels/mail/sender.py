"""Mail as a channel."""

import poplib
from collections.abc import Iterator, Sequence
from datetime import datetime
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import mail as closures
from accounts.models import ClosedAddress, Frequency, User
from games.errors import reason_of
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel
from games.news.channels.mail import mailbox
from games.news.channels.mail.bounces import replies
from games.news.channels.mail.messages import compose, compose_daily
from games.news.channels.mail.returns import refused_for_good
from games.news.kinds import Kind
from games.news.models import Notice
from games.news.services import mail_server
from games.work import jobs


class Mail(Channel):
    """Everyone is reached by mail. It goes as often as its reader wants, or once a day."""

    name = "mail"
    label = _("Mail")
    task = "games.tasks.send_mail"
    failures = jobs.MAIL_FAILURES

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send it; raise whatever keeps the mail server from taking it."""
        mail_server.send(compose(notice), now=now)
        return True

    def send_daily(self, user: User, notices: Sequence[Notice], *, now: datetime) -> None:
        """Send a person what a day has brought in one mail; raise as `send` does."""
        mail_server.send(compose_daily(user, notices), now=now)

    def note_taken(self, *, now: datetime) -> None:
        """Note that the mail server takes mail."""
        mail_server.note_taken(now=now)

    def note_given_up(self, reason: str, *, mails: int = 1, now: datetime) -> None:
        """Raise the one alarm about mail that was given up."""
        mail_server.note_given_up(reason, mails=mails, now=now)

    def refused(self, notice: Notice, kind: Kind) -> str | None:
        """Return why a notification's person gets no mail: it bounces, or they asked for none."""
        user, status = notice.user, Notice.Status
        if user and not user.email:
            return status.UNWANTED
        closed = closures.closure_of(user.email if user else notice.email)
        if closed and closed.cause == ClosedAddress.Cause.CAME_BACK:
            return status.CLOSED
        if user is None:
            return status.UNWANTED if closed else None
        if kind.to_players:
            return None
        if notice.topic is user:
            return None if kind.always or user.manner != Frequency.NONE else status.UNWANTED
        if notice.game is None:
            return None if user.starship_mail and user.manner != Frequency.NONE else status.UNWANTED
        started = notice.game.started_at is not None
        # Anyone who asked for no mail about lobbies before they had an account gets mail about their games.
        wanted = user.manner != Frequency.NONE if started else user.lobby_mail and not closed
        return None if wanted else status.UNWANTED

    def frequency_of(self, notice: Notice, kind: Kind) -> Frequency:
        """Return how often its person wants mail.

        One click stops all mail, whatever a person chose for a game. A player who is away from a live game
        gets one mail about it, and not one each minute. Mail about starships comes once a day, or at once,
        and what is about the person at once.
        """
        user, seat = notice.user, notice.seat
        if user and notice.starship_id:
            return Frequency.DAILY if user.manner == Frequency.DAILY else Frequency.AT_ONCE
        if user is None or notice.game is None or not kind.to_players:
            return Frequency.AT_ONCE
        if user.manner == Frequency.NONE:
            return Frequency.NONE
        manner = Frequency((seat and seat.manner) or user.manner)
        return Frequency.ONE if manner == Frequency.AT_ONCE and notice.game.is_live else manner

    def close(self, notice: Notice, error: Exception, *, now: datetime) -> bool:
        """Send nothing more to an address that the mail server refused for good."""
        return refused_for_good(notice=notice, error=error, now=now)

    def reason_of(self, error: Exception) -> str:
        """Return what the mail server said, without the address that the mail was for."""
        return mail_server.reason_for(error)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Send a test to an address, and look whether bounced mail can be fetched."""
        yield Attempt(self.name, *self._tried(address, now))
        yield Attempt("returned mail", *_returns())

    def settings_of(self, user: User) -> dict[str, object]:
        """Return whether an address takes no mail, and why."""
        return {"closed": closures.closure_of(user.email)}

    def _tried(self, address: str, now: datetime) -> tuple[str, str]:
        if not address:
            return NOT_SET_UP, "This account has no address."
        mail = EmailMessage(
            subject=gettext("A test from Robo Runner"),
            body=gettext("This is a test. Mail from {site} reaches you.").format(site=settings.BASE_URL)
            + "\n",
            to=[address],
        )
        try:
            mail_server.send(mail, now=now)
            mail_server.note_taken(now=now)
        except Exception as error:  # each kind of server and provider has errors of its own
            said = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
            return FAILED, f"The mail server said: {said}" if said else reason_of(error)
        if settings.MAIL_DIRECTORY:
            where = settings.MAIL_DIRECTORY
            return NOT_SET_UP, f"EMAIL_URL names no mail server: the mail is a file in {where}."
        closed = closures.closure_of(address)
        but = f" But mail about games does not go there: {closed.get_cause_display()}." if closed else ""
        by = settings.MAIL_PROVIDER or f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
        return SENT, f"{by} took it for {address}.{but}"


def _returns() -> tuple[str, str]:
    if not settings.BOUNCE_MAILBOX:
        return NOT_SET_UP, "BOUNCE_MAILBOX names no mailbox."
    try:
        waiting = mailbox.waiting_in(settings.BOUNCE_MAILBOX)
    except (OSError, poplib.error_proto) as error:
        return FAILED, f"The mailbox cannot be opened: {reason_of(error)}"
    return SENT, f"The mailbox opens. Mails in it: {waiting}."
