"""The language of a reader, and of the answer to a request.

People choose a language in their settings. Strangers and guests get the first language in their browser's
list that the site has. Mail, feeds and other texts for one person are written inside `as_read_by`.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import User
from accounts.time_zones import zone_of

_ENGLISH: Final = ("/admin/", "/api/v1/docs", "/api/v1/schema")
"""The path prefixes of pages in English only: for staff, and for users of the API."""

_API: Final = "/api/"


def are_several() -> bool:
    """Return whether the site has more than one language."""
    return len(settings.LANGUAGES) > 1


def quoted(text: object) -> str:
    """Return a text in the quotation marks of the reader's language.

    >>> quoted("Hello")
    '“Hello”'
    """
    return gettext("“{text}”").format(text=text)


def language_of(user: User | None) -> str:
    """Return a person's language, or the site's first language if theirs is unset or switched off."""
    chosen = user.language if user else ""
    return chosen if chosen in dict(settings.LANGUAGES) else _first()


def _first() -> str:
    first: str = settings.LANGUAGES[0][0]
    return first


@contextmanager
def as_read_by(user: User | None, language: str = "") -> Iterator[None]:
    """Use a person's language and time zone in a ``with`` block.

    Without a person, use the site's language and time zone. If ``language`` is set, it overrides the person's
    language.
    """
    zone = zone_of(user.time_zone) if user else None
    with timezone.override(zone), translation.override(language or language_of(user)):
        yield


@contextmanager
def as_read_in(request: HttpRequest) -> Iterator[None]:
    """Use the language and time zone of a request's sender in a ``with`` block."""
    user = request.user if isinstance(request.user, User) else None
    request.language = _language_for(request)  # type: ignore[attr-defined]
    with as_read_by(user, request.language):  # type: ignore[attr-defined]
        yield


def _language_for(request: HttpRequest) -> str:
    """Return the language of the answer to a request.

    For strangers, answers of the API are in English. For logged-in people, they are in the person's
    language, because pages show them.
    """
    if request.path.startswith(_ENGLISH):
        return "en"
    if isinstance(request.user, User):
        return _asked_for(request) if request.user.is_guest else language_of(request.user)
    return _language_for_strangers(request)


def language_after_error(request: HttpRequest) -> str:
    """Return the language of an error page. The request may have failed before its reader was known."""
    known: str | None = getattr(request, "language", None)
    return known or _language_for_strangers(request)


def _language_for_strangers(request: HttpRequest) -> str:
    return "en" if request.path.startswith((*_ENGLISH, _API)) else _asked_for(request)


def _asked_for(request: HttpRequest) -> str:
    """Return which of the site's languages a browser prefers.

    Records that the response varies with the browser.
    """
    request.language_asked = True  # type: ignore[attr-defined]
    for asked, quality in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        with suppress(LookupError):
            if quality:  # quality 0 means "any language except this"
                return translation.get_supported_language_variant(asked)
    return _first()


def note_language(request: HttpRequest, response: HttpResponseBase) -> None:
    """Tell browsers and caches the language of an answer, if the site has several languages.

    Does nothing for pictures.
    """
    media = response.headers.get("Content-Type", "")
    if not are_several() or media.startswith("image/"):
        return
    if media.startswith("text/html"):
        response.headers.setdefault("Content-Language", translation.get_language())
    if hasattr(request, "language_asked"):
        patch_vary_headers(response, ["Accept-Language"])
