"""What the mail looks like: the mails of a site that sends none, for superusers and for the demonstration.

Without a mail server each mail is a file in ``MAIL_DIRECTORY``. A mail can have a link to a new password in
it, so only superusers see all mails. Everyone knows the password of the demonstration: it sees mails only
where the site is reached from its own machine, and never those to staff.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.rights import has_all_rights, staff_accounts

NEWEST = 50
"""The most mails on the page."""

BETWEEN = b"\n" + b"-" * 79 + b"\n"
"""What stands between the mails of a file."""


FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""By which a server in front says that it asks for someone else."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail: ``key`` is the name of its file, and which mail of the file it is."""

    key: str
    message: EmailMessage

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or _("No subject"))

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
            return parsedate_to_datetime(str(self.message["Date"]))
        except ValueError:
            return None

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        """The HTML part, with its pictures in it; empty where it has none."""
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
    """List the mails, the newest first."""
    mails = list(islice(_shown(request, _mails(_directory(request))), NEWEST))
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
    """Show a mail's HTML as a mail program would: it runs no script, and loads nothing."""
    html = _mail(request, key).html
    if not html:
        raise Http404(_("This mail has no HTML."))
    html = html.replace("<head>", '<head><base target="_blank">', 1)  # links leave the frame
    return HttpResponse(html, headers={"X-Frame-Options": "SAMEORIGIN"})


def may_read_mail(request: HttpRequest) -> bool:
    """Say whether a person gets to see the page: there is one only where mails are files."""
    user = request.user
    if settings.MAIL_DIRECTORY is None or not isinstance(user, User):
        return False
    return has_all_rights(user) or (user.robo_name == settings.DEMO_NAME and by_loopback(request))


def by_loopback(request: HttpRequest) -> bool:
    """Return whether the site has an address on this machine alone, and is asked from there."""
    asked = urlsplit(f"//{request.get_host()}").hostname
    at_home = all(_is_loopback(host or "") for host in (urlsplit(settings.BASE_URL).hostname, asked))
    forwarded = any(name in request.headers for name in FORWARDED)
    return at_home and not forwarded and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(request: HttpRequest, mails: Iterable[Letter]) -> Iterator[Letter]:
    """Yield those mails that a person gets to see."""
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
    """Return where the mails are; raises Http404 where there is nothing for this person to see."""
    if not may_read_mail(request):
        raise Http404(_("This page does not exist."))
    assert settings.MAIL_DIRECTORY is not None
    return settings.MAIL_DIRECTORY


def _mail(request: HttpRequest, key: str) -> Letter:
    name, _colon, number = key.partition(":")
    file = _directory(request) / Path(name).name
    if number.isdecimal() and file.is_file():
        for found in _shown(request, _mails_in(file)):
            if found.key == key:
                return found
    raise Http404(_("This mail does not exist."))


def _mails(directory: Path) -> Iterator[Letter]:
    if not directory.is_dir():
        return
    for file in sorted(directory.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True):
        yield from reversed(_mails_in(file))


def _mails_in(file: Path) -> list[Letter]:
    parts = file.read_bytes().split(BETWEEN)
    return [
        Letter(f"{file.name}:{number}", message_from_bytes(part, policy=policy.default))
        for number, part in enumerate(parts, 1)
        if part.strip()
    ]
