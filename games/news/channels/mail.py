"""Notifications by mail: text and HTML, with a picture and a link to the game.

Signed links stop mail without a login. If an email bounces because its address can never receive mail,
the address gets no more mail, and the person's settings page says so.
"""

import logging
import poplib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.mime.image import MIMEImage
from functools import partial
from smtplib import SMTPException
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import mail
from accounts.languages import as_read_by
from accounts.mail import MAX_REASON_LENGTH, stop_mail, unsubscribe_url, without_addresses
from accounts.models import ClosedAddress, Frequency, User
from games.errors import describe_error
from games.news import delivery
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel, bounces
from games.news.channels.bounces import (
    MARK,
    MailEvent,
    fetch_mails,
    mark_of,
    read_bounce,
    replies,
    return_address,
)
from games.news.kinds import KINDS, Context, Kind, rendered
from games.news.models import Notice
from games.news.services import stop_lobby_mail, stop_starship_mail
from games.news.site_notices import site_notices_at
from games.reading import read_safely
from games.work import jobs
from games.work.jobs import encode_reason

_SIGNER = Signer(salt="games.unsubscribe")
_LOBBIES = Signer(salt="games.lobby-mail")
_STARSHIPS = Signer(salt="games.starship-mail")


def stop_url(*, user_id: int, game_id: int) -> str:
    """Return the link to stop a person's mail about a game.

    GET asks for confirmation, and POST stops the mail. The link never expires, since people keep emails for
    years.
    """
    mark = _SIGNER.sign(f"{user_id}-{game_id}").replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe", args=[mark])


def reader_and_game_in(mark: str) -> tuple[int, int] | None:
    """Return the IDs of the person and the game in a link to stop mail about a game.

    ``mark`` is the last part of the link. Returns None if this site did not sign the link.
    """
    try:
        user_id, game_id, signature = mark.split("-", 2)
        _SIGNER.unsign(f"{user_id}-{game_id}:{signature}")
    except (BadSignature, ValueError):
        return None
    return int(user_id), int(game_id)


def lobby_stop_url(notice: Notice) -> str:
    """Return the link for the reader of a notification to stop mail about open games.

    If the reader has no account, the link has the hash of the reader's address.
    """
    whom = str(notice.user_id) if notice.user_id else mail.digest_of(notice.email)
    mark = _LOBBIES.sign(whom).replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe_lobby", args=[mark])


def starships_stop_url(*, user_id: int) -> str:
    """Return the link to stop a person's mail about starships."""
    mark = _STARSHIPS.sign(str(user_id)).replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe_starships", args=[mark])


def starship_mail_reader(mark: str) -> User | None:
    """Return the person in a link to stop mail about starships.

    ``mark`` is the last part of the link. Returns None if this site did not sign the link, or if the person
    no longer exists.
    """
    try:
        return User.objects.filter(pk=int(_STARSHIPS.unsign(mark.replace("-", ":", 1)))).first()
    except BadSignature:
        return None


def lobby_mail_reader(mark: str) -> User | str | None:
    """Return the person, or the hash of an address, in a link to stop mail about open games.

    ``mark`` is the last part of the link. Returns None if this site did not sign the link, or if the person
    no longer exists.
    """
    try:
        whom = _LOBBIES.unsign(mark.replace("-", ":", 1))
    except BadSignature:
        return None
    return User.objects.filter(pk=int(whom)).first() if len(whom) < 19 else whom


BOARD = "board"

PICTURES_PER_MAIL = 6
"""The maximum number of pictures of boards in a daily email."""


UNREADABLE = "news/mail/unreadable.html"

NO_DEADLINE = datetime.max.replace(tzinfo=UTC)
"""A time in the far future, to sort notifications without a deadline last."""


class IllustratedMail(EmailMultiAlternatives):
    """An email with pictures shown inside its HTML part, and not attached as files."""

    mixed_subtype = "related"

    metadata: dict[str, str]
    """Data that a mail provider repeats in its reports. Other mail servers never get it."""


def compose(notice: Notice) -> EmailMultiAlternatives:
    """Return the email for a notification, in the reader's language and time zone."""
    with as_read_by(notice.user):
        return _compose(notice)


def _compose(notice: Notice) -> EmailMultiAlternatives:
    user, kind = notice.user, KINDS[notice.kind]
    context, draw = kind.content(notice)
    context |= {"board_id": BOARD, "topic": notice.heading}
    if user and notice.topic is user:
        context["news_url"] = _news_url()
        if not kind.mandatory:
            context["unsubscribe_url"] = unsubscribe_url(user)
    elif user and notice.game_id is None:
        context["unsubscribe_url"] = context["starships_stop_url"] = starships_stop_url(user_id=user.pk)
        context["news_url"] = _news_url()
    elif user and notice.game_id and stops_all(notice):
        context["unsubscribe_url"] = unsubscribe_url(user)
        if kind.to_players:
            context["stop_url"] = stop_url(user_id=user.pk, game_id=notice.game_id)
            context["news_url"] = _news_url()
    else:
        context["unsubscribe_url"] = context["lobby_stop_url"] = lobby_stop_url(notice)
    host = urlsplit(settings.BASE_URL).hostname
    person = f"person-{notice.user_id}" if notice.user_id else f"invitation-{notice.about}"
    about = f"starship-{notice.starship_id}" if notice.starship_id else person
    of = f"game-{notice.game_id}" if notice.game_id else about
    headers = {"Message-ID": f"<notice-{notice.pk}@{host}>", "References": f"<{of}@{host}>"}
    pictures = {BOARD: draw()} if kind.drawn else {}
    return _mail(notice, kind.template, context, pictures, headers)


def compose_daily(user: User, notices: Sequence[Notice]) -> EmailMultiAlternatives:
    """Return a person's daily email about the given notifications.

    The email lists them in the order of `Kind.daily`, then by deadline. Games and starships that cannot be
    read come last, with only their names.
    """
    with as_read_by(user):
        return _compose_daily(user, notices)


def _compose_daily(user: User, notices: Sequence[Notice]) -> EmailMultiAlternatives:
    told, unreadable = [], []
    for notice in sorted(notices, key=lambda each: each.pk):
        kind, topic = KINDS[notice.kind], notice.topic
        if read := read_safely(partial(kind.content, notice), topic):
            told.append((kind, notice, read))
        else:
            url = f"{settings.BASE_URL}{notice.path}"
            unreadable.append((UNREADABLE, {"topic": notice.heading, "url": url}))
    told.sort(key=lambda each: (each[0].daily, each[2].context.get("deadline") or NO_DEADLINE))
    parts, pictures = [], {}
    for number, (kind, notice, (part, draw)) in enumerate(told):
        part["topic"] = notice.heading
        if kind.illustrated and number < PICTURES_PER_MAIL and (picture := read_safely(draw, notice.topic)):
            part["board_id"] = f"{BOARD}-{number}"
            pictures[part["board_id"]] = picture
        parts.append((kind.template, part))
    waiting = {notice.game_id for notice in notices if KINDS[notice.kind].game_waits}
    context = {
        "name": user.robo_name,
        "waiting": len(waiting),
        "news": len({notice.game_id for notice in notices} - waiting - {None}),
        "ships": len({notice.starship_id for notice in notices} - {None}),
        "unsubscribe_url": unsubscribe_url(user),
        "news_url": _news_url(),
    }
    last = max(notices, key=lambda notice: (notice.game_id is not None, notice.pk))
    if last.game_id is None:  # none of the notifications is about a game
        context["unsubscribe_url"] = context["starships_stop_url"] = starships_stop_url(user_id=user.pk)
    headers = {"Message-ID": f"<daily-{last.pk}@{urlsplit(settings.BASE_URL).hostname}>"}
    for form in ("txt", "html"):
        layout = f"daily_part.{form}"
        context[form] = [rendered(template, layout, part) for template, part in parts + unreadable]
    return _mail(last, "news/mail/daily.html", context, pictures, headers)


def stops_all(notice: Notice) -> bool:
    """Return whether the one-click link in a notification's email stops all mail about games.

    If not, the link stops only some mail, such as mail about open games.
    """
    if notice.user is None or notice.game is None:
        return False
    return KINDS[notice.kind].to_players or notice.game.started_at is not None


def _mail(
    notice: Notice, template: str, context: Context, pictures: Mapping[str, bytes], headers: Mapping[str, str]
) -> IllustratedMail:
    """Return the email for a notification, from a template and pictures.

    Mail programs can offer to stop such mail with one click (RFC 8058). The email is marked as automatic, so
    that no program replies to it. A bounced email comes back to the site's return address.
    """
    to = notice.user.email if notice.user else notice.email
    context = context | {"site_notices": site_notices_at(timezone.now())}
    mail = IllustratedMail(
        subject=rendered(template, "subject.txt", context),
        body=rendered(template, "mail.txt", context) + "\n",
        to=[to],
        headers={**headers, **_one_click(context), "Auto-Submitted": "auto-generated"},
    )
    mail.attach_alternative(rendered(template, "mail.html", context), "text/html")
    for key, picture in pictures.items():
        image = MIMEImage(picture, "png")
        image.add_header("Content-ID", f"<{key}>")
        image.add_header("Content-Disposition", "inline", filename=f"{key}.png")
        mail.attach(image)
    mail.metadata = {MARK: mark_of(notice, to)}
    if address := return_address(notice, to):
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = address
    return mail


def _one_click(context: Context) -> dict[str, str]:
    """Return the headers for stopping mail with one click, or none if the email has no such link."""
    if "unsubscribe_url" not in context:
        return {}
    return {
        "List-Unsubscribe": f"<{context['unsubscribe_url']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _news_url() -> str:
    return settings.BASE_URL + reverse("people:news")


logger = logging.getLogger(__name__)

CAME_BACK: Final = ClosedAddress.Cause.CAME_BACK


def record_bounce(*, message: bytes, recipient: str = "", now: datetime) -> str:
    """Process an email to the site's return address. Return the outcome as a sentence.

    ``recipient`` is the recipient in the email's envelope, if the mail server passes it on.
    """
    found = read_bounce(message, recipient=recipient)
    if found is None:
        return "This is not a bounce of an email from this site."
    notice = found.notice
    Notice.objects.filter(pk=notice.pk).update(
        last_error=encode_reason("came-back", without_addresses(found.reply))
    )
    if not found.is_permanent:
        return f"Notice {notice.pk} bounced, but not permanently. Its address still gets mail."
    _close(notice, found.reply, now)
    return f"Notice {notice.pk} bounced permanently. Its address gets no more mail about games."


def record_mail_event(*, event: MailEvent, now: datetime) -> None:
    """Process a mail provider's report on an email.

    If the reader marked the email as spam, stops the mail that the link in the email would stop.
    """
    notice = event.notice
    came_back = encode_reason("came-back", without_addresses(event.reply)[:MAX_REASON_LENGTH])
    reason = encode_reason("spam") if event.spam else came_back
    Notice.objects.filter(pk=notice.pk).update(last_error=reason)
    if event.is_permanent:
        _close(notice, event.reply, now)
    elif event.spam and notice.user and stops_all(notice):
        stop_mail(user=notice.user)
    elif event.spam and notice.user and notice.starship_id:
        stop_starship_mail(user=notice.user)
    elif event.spam and (notice.game_id or notice.email):
        stop_lobby_mail(whom=notice.user or mail.digest_of(notice.email), now=now)


def fetch_bounces(*, now: datetime) -> int:
    """Process the bounced mail in the mailbox named in the settings. Without a mailbox, do nothing.

    Returns the number of emails processed. If the mailbox cannot be read, logs a warning. The next call tries
    again.
    """
    count = 0
    try:
        for message in fetch_mails(settings.BOUNCE_MAILBOX) if settings.BOUNCE_MAILBOX else ():
            record_bounce(message=message, now=now)
            count += 1
    except (OSError, poplib.error_proto) as error:
        logger.warning("Can't fetch the mailbox for bounces: %s", describe_error(error))
    return count


def close_if_refused(*, notice: Notice, error: Exception, now: datetime) -> bool:
    """Stop mail to a notification's address if the mail server permanently refused the address.

    Returns whether mail was stopped. Some servers refuse an address only after they have read the email.
    """
    if not delivery.is_permanent_failure(error):
        return False
    _close(notice, replies(error)[0], now)
    return True


def try_address_again(*, user: User) -> None:
    """Send mail about games to a person's bounced address again."""
    mail.reopen_address(user.email)


def _close(notice: Notice, reply: str, now: datetime) -> None:
    address = notice.user.email if notice.user else notice.email
    digest = mail.digest_of(address)
    mail.close_address(digest=digest, cause=CAME_BACK, reason=reply, now=now)


class Mail(Channel):
    """The mail channel. It reaches everyone, as often as the reader wants."""

    name = "mail"
    label = _("Mail")
    task = "games.tasks.send_mail"
    failures = jobs.MAIL_FAILURES

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send an email about a notification, or raise the mail server's error."""
        delivery.send_email(compose(notice), now=now)
        return True

    def send_daily(self, user: User, notices: Sequence[Notice], *, now: datetime) -> None:
        """Send a person the daily email, or raise the mail server's error."""
        delivery.send_email(compose_daily(user, notices), now=now)

    def note_accepted(self, *, now: datetime) -> None:
        delivery.note_accepted(now=now)

    def note_given_up(self, reason: str, *, mails: int = 1, now: datetime) -> None:
        """Count emails that were given up after the last attempt, and raise the alarm about given-up mail."""
        delivery.note_given_up(reason, mails=mails, now=now)

    def refused(self, notice: Notice, kind: Kind) -> str | None:
        """Return a final status if mail to the address bounces or the reader does not want the email.

        Otherwise, returns None.
        """
        user, status = notice.user, Notice.Status
        if user and not user.email:
            return status.UNWANTED
        closed = mail.closure_of(user.email if user else notice.email)
        if closed and closed.cause == ClosedAddress.Cause.CAME_BACK:
            return status.CLOSED
        if user is None:
            return status.UNWANTED if closed else None
        if kind.to_players:
            return None
        if notice.topic is user:
            return None if kind.mandatory or user.manner != Frequency.NONE else status.UNWANTED
        if notice.game is None:
            return None if user.starship_mail and user.manner != Frequency.NONE else status.UNWANTED
        started = notice.game.started_at is not None
        # An opt-out from mail about open games, made without an account, does not apply to started games.
        wanted = user.manner != Frequency.NONE if started else user.lobby_mail and not closed
        return None if wanted else status.UNWANTED

    def why_unwanted(self, notice: Notice, user: User) -> str:
        """Return why a person does not get an email, as far as today's settings tell."""
        seat = notice.seat
        if not user.email:
            return gettext("The account has no confirmed address.")
        if user.manner == Frequency.NONE:
            return gettext("The person wants no mail about games.")
        if seat is not None and seat.manner == Frequency.NONE:
            return gettext("The person wants no mail about this game.")
        if ((seat and seat.manner) or user.manner) == Frequency.DAILY:
            return gettext("The person wants one daily email, which does not have this kind.")
        if notice.starship_id and not user.starship_mail:
            return gettext("The person wants no mail about starships.")
        if notice.game_id and not user.lobby_mail:
            return gettext("The person wants no mail about games that have not started.")
        return gettext("The person was notified about this game before, and has not looked at it since.")

    def frequency_of(self, notice: Notice, kind: Kind) -> Frequency:
        """Return how often the reader of a notification gets mail of the notification's kind.

        If a person wants no mail about games, that applies to all games, even to a game with another setting.
        An absent player of a live game gets one email about the game, instead of one for each turn. Mail
        about starships is part of the daily email for people who want one, and comes at once to others. Mail
        of other kinds without `Kind.to_players` comes at once.
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
        """Stop mail to an address permanently refused by the mail server. Return whether mail was stopped."""
        return close_if_refused(notice=notice, error=error, now=now)

    def reason_of(self, error: Exception) -> str:
        return delivery.reason_for(error)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Send a test email to an address, and check the mailbox for bounced mail. Yield both results."""
        yield Attempt(self.name, *self._tried(address, now))
        yield Attempt("bounce mailbox", *_returns())

    def settings_of(self, user: User) -> dict[str, object]:
        """Return the `ClosedAddress` if mail to the person's address is stopped, or None."""
        return {"closed": mail.closure_of(user.email)}

    def _tried(self, address: str, now: datetime) -> tuple[str, str]:
        if not address:
            return NOT_SET_UP, "This account has no email address."
        message = EmailMessage(
            subject=gettext("A test from {site}").format(site=settings.SITE_NAME),
            body=gettext("This is a test. Mail from {site} reaches you.").format(site=settings.BASE_URL)
            + "\n",
            to=[address],
        )
        try:
            delivery.send_email(message, now=now)
            delivery.note_accepted(now=now)
        except Exception as error:  # servers and providers raise different errors
            said = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
            return FAILED, f"The mail server said: {said}" if said else describe_error(error)
        if settings.MAIL_DIRECTORY:
            where = settings.MAIL_DIRECTORY
            return NOT_SET_UP, f"EMAIL_URL names no mail server, so the mail was saved in {where}."
        closed = mail.closure_of(address)
        but = f" Mail about games is off for it: {closed.get_cause_display()}." if closed else ""
        by = settings.MAIL_PROVIDER or f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
        return SENT, f"{by} accepted it for {address}.{but}"


def _returns() -> tuple[str, str]:
    if not settings.BOUNCE_MAILBOX:
        return NOT_SET_UP, "BOUNCE_MAILBOX names no mailbox."
    try:
        waiting = bounces.count_mails(settings.BOUNCE_MAILBOX)
    except (OSError, poplib.error_proto) as error:
        return FAILED, f"Can't open the mailbox: {describe_error(error)}"
    return SENT, f"The mailbox works. Messages in it: {waiting}."
