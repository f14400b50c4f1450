"""Mail that comes back for good: its address gets no more, and its person is told so on their page."""

import logging
import poplib
from datetime import datetime
from typing import Final

from django.conf import settings

from accounts import mail
from accounts.mail import LONGEST_REASON, stop_mail, without_addresses
from accounts.models import ClosedAddress, User
from games.errors import reason_of
from games.news.channels.mail.bounces import read, replies
from games.news.channels.mail.mailbox import fetched
from games.news.channels.mail.messages import stops_all
from games.news.channels.mail.provider import Fate
from games.news.models import Notice
from games.news.services import mail_server
from games.news.services.settings import stop_mail_of_lobbies, stop_mail_of_starships
from games.work.jobs import encode_reason

logger = logging.getLogger(__name__)

CAME_BACK: Final = ClosedAddress.Cause.CAME_BACK


def take_return(*, message: bytes, recipient: str = "", now: datetime) -> str:
    """Take a mail that came to the site's return address; return what came of it, as a sentence.

    ``recipient`` is the address that it came for, where the mail server says so.
    """
    found = read(message, recipient=recipient)
    if found is None:
        return "This is no report of a mail of this site that came back."
    notice = found.notice
    Notice.objects.filter(pk=notice.pk).update(
        last_error=encode_reason("came-back", without_addresses(found.said))
    )
    if not found.for_good:
        return f"Notice {notice.pk} came back, but not for good: its address gets further mail."
    _close(notice, found.said, now)
    return f"Notice {notice.pk} came back for good: its address gets no more mail about games."


def take_fate(*, fate: Fate, now: datetime) -> None:
    """Take what a provider tells of a mail; to call it spam is to stop what one click on it would have."""
    notice = fate.notice
    came_back = encode_reason("came-back", without_addresses(fate.said)[:LONGEST_REASON])
    said = encode_reason("spam") if fate.spam else came_back
    Notice.objects.filter(pk=notice.pk).update(last_error=said)
    if fate.for_good:
        _close(notice, fate.said, now)
    elif fate.spam and notice.user and stops_all(notice):
        stop_mail(user=notice.user)
    elif fate.spam and notice.user and notice.starship_id:
        stop_mail_of_starships(user=notice.user)
    elif fate.spam and notice.game_id:
        stop_mail_of_lobbies(whom=notice.user or mail.digest_of(notice.email), now=now)


def fetch_returns(*, now: datetime) -> int:
    """Take what has come to the mailbox of the settings, if any; return how many mails there were.

    Where it cannot be asked, that is logged, and what is there comes the next time.
    """
    count = 0
    try:
        for message in fetched(settings.BOUNCE_MAILBOX) if settings.BOUNCE_MAILBOX else ():
            take_return(message=message, now=now)
            count += 1
    except (OSError, poplib.error_proto) as error:
        logger.warning("The mailbox of mail that came back cannot be fetched: %s", reason_of(error))
    return count


def refused_for_good(*, notice: Notice, error: Exception, now: datetime) -> bool:
    """Return whether the mail server refused a notification's address for good; then it is closed.

    Some say so only when they have read the mail.
    """
    if not mail_server.is_for_good(error):
        return False
    _close(notice, replies(error)[0], now)
    return True


def try_address_again(*, user: User) -> None:
    """Send someone mail about games again, at the address that it came back from."""
    mail.reopen_address(user.email)


def _close(notice: Notice, said: str, now: datetime) -> None:
    address = notice.user.email if notice.user else notice.email
    digest = mail.digest_of(address)
    mail.close_address(digest=digest, cause=CAME_BACK, reason=said, now=now)
