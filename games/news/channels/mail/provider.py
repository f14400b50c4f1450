"""What a provider of mail tells of mails that it took: that they came back, or were taken for spam."""

from typing import Any, Final, NamedTuple

from anymail.exceptions import AnymailConfigurationError, AnymailError, AnymailWebhookValidationFailure
from anymail.signals import EventType, RejectReason
from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from games.news.channels.mail.bounces import FOR_GOOD, MARK, marked, status_in
from games.news.models import Notice

USER: Final = "robo"
"""The name that stands before the secret in the address which a provider is given."""

CAME_BACK: Final = frozenset({EventType.BOUNCED, EventType.REJECTED, EventType.FAILED})
"""What becomes of mails that do not arrive."""

NONSENSE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What goes wrong where what is told has another form than a provider gives it."""


class Unproven(Exception):
    """Anyone who tells does not know the secret."""


class Unreadable(Exception):
    """What is told is nothing that a provider tells."""


class Fate(NamedTuple):
    """What became of a mail: whose, what was said of it, and what that means."""

    notice: Notice
    said: str
    for_good: bool = False
    """Whether nothing that is sent to the address will arrive."""
    spam: bool = False
    """Whether its reader called it spam."""


def fates_in(request: HttpRequest) -> list[Fate]:
    """Return what a provider tells of mails about games that did not arrive, or were not welcome.

    All else that it may tell, of others' mails as well, is passed over. Raises Unproven and Unreadable.
    """
    reader = _reader()
    try:
        reader.run_validators(request)
    except (AnymailWebhookValidationFailure, *NONSENSE):
        raise Unproven from None
    try:
        events = reader.parse_events(request)
    except (AnymailError, AnymailConfigurationError, *NONSENSE):
        raise Unreadable from None
    return [fate for event in events if (fate := _fate(event))]


def _reader() -> Any:
    """Return what reads the provider's events.

    Mailgun signs them with the secret; Postmark shows it, since it is in the address that it was given.
    """
    name = settings.MAIL_PROVIDER
    view = import_string(f"anymail.webhooks.{name.lower()}.{name}TrackingWebhookView")
    if name == "Mailgun":
        return view(webhook_signing_key=settings.MAIL_EVENTS_SECRET)
    return view(webhook_secret=f"{USER}:{settings.MAIL_EVENTS_SECRET}")


def _fate(event: Any) -> Fate | None:
    if event.event_type not in CAME_BACK | {EventType.COMPLAINED}:
        return None
    mark = event.metadata.get(MARK) if isinstance(event.metadata, dict) else None
    notice = marked(mark) if isinstance(mark, str) else None
    if notice is None:
        return None
    if event.event_type == EventType.COMPLAINED:
        return Fate(notice, "Its reader called it spam.", spam=True)
    said = str(event.mta_response or event.description or event.reject_reason or "without a reason")
    no_address = event.reject_reason == RejectReason.INVALID
    return Fate(notice, said, for_good=no_address or status_in(said) in FOR_GOOD)
