"""Pages for notification settings, browsers, webhooks, sent mail and mail events."""

import logging
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.mail import has_opted_out
from accounts.models import User
from accounts.navigation import mail_link_page
from accounts.rights import has_all_rights, staff_accounts
from accounts.sessions import browser_of
from games.errors import ServiceError, number_in
from games.news.channels import CHANNELS
from games.news.channels.bounces import Unreadable, WrongSecret, mail_events_in
from games.news.channels.browser import add_device, drop_device
from games.news.channels.mail import (
    lobby_mail_reader,
    record_mail_event,
    starship_mail_reader,
    try_address_again,
)
from games.news.channels.webhook import drop_webhook, renew_secret, set_webhook, try_webhook
from games.news.feeds import feed_urls
from games.news.inputs import NewsForm
from games.news.models import Feed
from games.news.services import (
    change_notification_settings,
    seats_with_own_frequency,
    stop_lobby_mail,
    stop_starship_mail,
)
from games.web.actions import Done, action
from games.web.pages import user_of


def _settings(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the page with the viewer's notification settings."""
    user = user_of(request)
    feed = Feed.objects.filter(user=user).first()
    initial = {name: getattr(user, name) for name in NewsForm.base_fields}
    context = {
        "initial": initial | {"lobby_mail": user.lobby_mail and not has_opted_out(user.email)},
        "given": {"zone": user.time_zone},
        "exceptions": seats_with_own_frequency(user=user),
        "feed_urls": feed_urls(feed) if feed else {},
    }
    for channel in CHANNELS.values():
        context |= channel.settings_of(user)
    return context


@action(
    NewsForm,
    template="news/settings.html",
    context=_settings,
    says=_("Your notification settings are saved."),
    then="people:news",
)
def news(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Change the viewer's notification settings."""
    change_notification_settings(user=user_of(request), **asked, now=timezone.now())


@action(says=_("We’ll send mail to your address again."))
def try_address(request: HttpRequest) -> None:
    """Send mail to the viewer's bounced address again."""
    try_address_again(user=user_of(request))


@action()
def change_browsers(request: HttpRequest) -> Done:
    """Add this browser for notifications, or remove one of the viewer's browsers."""
    user, given = user_of(request), request.POST
    if "drop" in given:
        drop_device(user=user, device_id=number_in(given["drop"]) or 0)
        return Done(_("That browser no longer shows notifications."))
    keys = {name: given.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    agent = request.headers.get("User-Agent", "")
    add_device(user=user, **keys, agent=agent, browser=browser_of(request), now=timezone.now())
    return Done(_("This browser now shows your notifications."))


def _refuse_webhook(request: HttpRequest, refusal: ServiceError) -> HttpResponse:
    context = _settings(request) | {"refusal": refusal}
    context["form"] = NewsForm(initial=context["initial"], **context["given"])
    if "url" in request.POST:
        context["webhook_url"] = request.POST["url"]
    return render(request, "news/settings.html", context, status=refusal.status)


@action(refused_on=_refuse_webhook)
def change_webhook(request: HttpRequest) -> Done:
    """Set, test or remove the viewer's webhook, or renew its secret."""
    user, now = user_of(request), timezone.now()
    match request.POST.get("do"):
        case "test":
            try_webhook(user=user, now=now)
            return Done(_("The test arrived."))
        case "renew":
            renew_secret(user=user)
            return Done(_("Notifications are now signed with the new secret."))
        case "drop":
            drop_webhook(user=user)
            return Done(_("Your webhook was removed."))
    set_webhook(user=user, url=request.POST.get("url", ""), now=now)
    said = _("Your webhook is saved. Send a test to check that notifications arrive.")
    return Done(said)


@mail_link_page(lobby_mail_reader)
def unsubscribe_lobby(request: HttpRequest, whom: User | str) -> HttpResponse:
    """Ask whether to stop mail about games that have not started. On POST, stop it."""
    stopped = request.method == "POST"
    if stopped:
        stop_lobby_mail(whom=whom, now=timezone.now())
    person = whom if isinstance(whom, User) else None
    return render(request, "news/unsubscribe_lobby.html", {"person": person, "stopped": stopped})


@mail_link_page(starship_mail_reader)
def unsubscribe_starships(request: HttpRequest, person: User) -> HttpResponse:
    """Ask whether to stop mail about starships. On POST, stop it."""
    if request.method == "POST":
        stop_starship_mail(user=person)
    return render(request, "news/unsubscribe_starships.html", {"person": person})


MAILS_LISTED = 50
"""The maximum number of emails on the page of saved emails."""

MAIL_SEPARATOR = b"\n" + b"-" * 79 + b"\n"
"""The line between two emails in a file."""


PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""The headers that show that a proxy has forwarded a request."""


@dataclass(frozen=True, slots=True)
class MailFile:
    """An email in a file. ``key`` has the name of the file, a colon, and the email's number in the file."""

    key: str
    message: EmailMessage

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or gettext("No subject"))

    @property
    def to(self) -> str:
        return str(self.message["To"] or "")

    @property
    def recipients(self) -> set[str]:
        fields = (self.message.get_all(name, []) for name in ("To", "Cc", "Bcc"))
        found = getaddresses([str(value) for values in fields for value in values])
        return {address.lower() for _, address in found if address}

    @property
    def date(self) -> datetime | None:
        try:
            date = parsedate_to_datetime(str(self.message["Date"]))
        except ValueError:
            return None
        return date if date.tzinfo else date.replace(tzinfo=UTC)  # naive if the zone is "-0000"

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        """The HTML part, with its pictures embedded, or an empty string."""
        html = self._part("html")
        for part in self.message.walk():
            if name := part.get("Content-ID"):
                picture = part.get_payload(decode=True)
                if isinstance(picture, bytes):
                    data = f"data:{part.get_content_type()};base64,{b64encode(picture).decode()}"
                    html = html.replace(f"cid:{str(name).strip().strip('<>')}", data)
        return html

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part else ""


@require_safe
@login_required
def mailbox(request: HttpRequest) -> HttpResponse:
    """List the emails saved as files, newest first."""
    mails = list(islice(_shown(request, _mails(_directory(request))), MAILS_LISTED))
    return render(request, "news/mailbox.html", {"mails": mails})


@require_safe
@login_required
def mail(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "news/mail_one.html", {"mail": _mail(request, key)})


@require_safe
@login_required
@csp_replace(  # type: ignore[arg-type]  # its types know no views with arguments
    {
        "default-src": ["'none'"],
        "style-src": ["'unsafe-inline'"],
        "img-src": ["data:"],
        "frame-ancestors": ["'self'"],
        "sandbox": ["allow-popups", "allow-popups-to-escape-sandbox"],
    }
)
def contents(request: HttpRequest, key: str) -> HttpResponse:
    """Show an email's HTML as mail programs do, without scripts and remote content."""
    html = _mail(request, key).html
    if not html:
        raise Http404(gettext("This email has no HTML part."))
    html = html.replace("<head>", '<head><base target="_blank">', 1)  # open links outside of the frame
    return HttpResponse(html, headers={"X-Frame-Options": "SAMEORIGIN"})


def may_read_mail(request: HttpRequest) -> bool:
    """Return whether a person may see the emails that the site saves as files instead of sending.

    Superusers may see the emails. So may the demo account, if the browser runs on the site's own machine.
    """
    user = request.user
    if settings.MAIL_DIRECTORY is None or not isinstance(user, User):
        return False
    return has_all_rights(user) or (user.robo_name == settings.DEMO_NAME and by_loopback(request))


def by_loopback(request: HttpRequest) -> bool:
    """Return whether the site's address is a loopback address, and the request came from this machine.

    A request that a proxy has forwarded does not count.
    """
    asked = urlsplit(f"//{request.get_host()}").hostname
    at_home = all(_is_loopback(host or "") for host in (urlsplit(settings.BASE_URL).hostname, asked))
    forwarded = any(name in request.headers for name in PROXY_HEADERS)
    return at_home and not forwarded and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(request: HttpRequest, mails: Iterable[MailFile]) -> Iterator[MailFile]:
    """Yield the emails visible to a person. Only superusers see emails to staff."""
    assert isinstance(request.user, User)
    if has_all_rights(request.user):
        yield from mails
        return
    staff = _addresses_of_staff()
    yield from (mail for mail in mails if mail.recipients and not mail.recipients & staff)


def _addresses_of_staff() -> set[str]:
    staff = staff_accounts()
    further = EmailAddress.objects.filter(user__in=staff)
    found = [*staff.values_list("email", flat=True), *further.values_list("email", flat=True)]
    return {address.lower() for address in found}


def _directory(request: HttpRequest) -> Path:
    """Return the directory of the saved emails. Raise Http404 if the person may not see any."""
    if not may_read_mail(request):
        raise Http404(gettext("This page does not exist."))
    assert settings.MAIL_DIRECTORY is not None
    return settings.MAIL_DIRECTORY


def _mail(request: HttpRequest, key: str) -> MailFile:
    name, _colon, number = key.partition(":")
    file = _directory(request) / Path(name).name
    if number.isdecimal() and file.is_file():
        for found in _shown(request, _mails_in(file)):
            if found.key == key:
                return found
    raise Http404(gettext("This email does not exist."))


def _mails(directory: Path) -> Iterator[MailFile]:
    if not directory.is_dir():
        return
    for file in sorted(directory.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True):
        yield from reversed(_mails_in(file))


def _mails_in(file: Path) -> list[MailFile]:
    parts = file.read_bytes().split(MAIL_SEPARATOR)
    return [
        MailFile(f"{file.name}:{number}", message_from_bytes(part, policy=policy.default))
        for number, part in enumerate(parts, 1)
        if part.strip()
    ]


WORKER: Final = Path("static", "news", "worker.js")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the script of the service worker. Its address at the root lets it serve the whole site."""
    script = (settings.BASE_DIR / WORKER).read_bytes()
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


logger = logging.getLogger(__name__)


@csrf_exempt  # a provider has no cookie; its secret is checked instead
@require_POST
def mail_events(request: HttpRequest) -> HttpResponse:
    """Receive the reports of a mail provider. Raise Http404 if the settings have no secret for them."""
    if not settings.MAIL_EVENTS_SECRET:
        raise Http404
    try:
        fates = mail_events_in(request)
    except WrongSecret:
        logger.warning("A mail event was refused: the secret of MAIL_EVENTS_SECRET is missing or wrong.")
        answer = HttpResponse(
            gettext("The secret is missing or wrong."), status=401, content_type="text/plain"
        )
        answer.headers["WWW-Authenticate"] = 'Basic realm="mail events"'
        return answer
    except Unreadable:
        said = gettext("These are not mail events.")
        return HttpResponse(said, status=400, content_type="text/plain")
    for event in fates:
        record_mail_event(event=event, now=timezone.now())
    return HttpResponse(content_type="text/plain")
