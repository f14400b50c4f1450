"""Site notices of the operator to all readers, on pages and in mail."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.errors import Conflict, Invalid
from games.news.models import SiteNotice
from roborunner.cache import Memo

MAX_TEXT_LENGTH: Final = 300
"""The maximum length of a site notice, in characters."""

MAX_CURRENT: Final = 3
"""The maximum number of site notices at the same time."""

MAX_LENGTH: Final = timedelta(days=90)
"""The maximum time from the start of a site notice to its end."""


class Shown(NamedTuple):
    """A site notice as processes remember it."""

    starts_at: datetime
    ends_at: datetime
    text: str
    translations: Mapping[str, str]


def _coming() -> tuple[Shown, ...]:
    rows = SiteNotice.objects.order_by("-ends_at").values_list("starts_at", "ends_at", "text", "translations")
    return tuple(sorted(Shown(*row) for row in rows[: 10 * MAX_CURRENT]))


COMING: Final[Memo[tuple[Shown, ...]]] = Memo(_coming, ())
"""The current and future site notices."""


def site_notices_at(now: datetime) -> list[str]:
    """Return the texts of the site notices at an instant, in the reader's language if they have one.

    They are at most some seconds old, and need no query in between.
    """
    language = translation.get_language() or ""
    current = [each for each in COMING.value() if each.starts_at <= now < each.ends_at]
    return [each.translations.get(language) or each.text for each in current]


def save_site_notice(
    changed: SiteNotice | None = None,
    *,
    text: str,
    translations: Mapping[str, str],
    starts_at: datetime,
    ends_at: datetime,
) -> SiteNotice:
    """Create or change a site notice.

    Raises Invalid if a text is empty, too long or not on one line, if a language is not one of the site's, or
    if the end does not follow the start within `MAX_LENGTH`. Raises Conflict if there are too many at a time.
    """
    problems = [
        {"code": "text", "detail": detail}
        for each in (text, *translations.values())
        if (detail := _fault_of(each))
    ]
    if unknown := sorted(translations.keys() - dict(settings.LANGUAGES).keys()):
        problems.append(
            {"code": "language", "detail": _("This site has no language “{code}”.").format(code=unknown[0])}
        )
    if not timedelta(0) < ends_at - starts_at <= MAX_LENGTH:
        detail = _("A site notice must end after its start, and can last up to {days} days.")
        problems.append({"code": "ends_at", "detail": detail.format(days=MAX_LENGTH.days)})
    if problems:
        raise Invalid("no-site-notice", str(problems[0]["detail"]), problems)
    row = changed or SiteNotice()
    others = SiteNotice.objects.exclude(pk=row.pk)
    if others.filter(starts_at__lt=ends_at, ends_at__gt=starts_at).count() >= MAX_CURRENT:
        raise Conflict(
            "too-many",
            _("There can be {number} site notices at a time. Delete one first.").format(number=MAX_CURRENT),
        )
    row.text, row.translations = text, dict(translations)
    row.starts_at, row.ends_at = starts_at, ends_at
    row.save()
    COMING.forget()
    return row


def end_site_notices(*, now: datetime) -> int:
    """Delete all site notices that are not over. Return how many there were."""
    deleted, _rows = SiteNotice.objects.filter(ends_at__gt=now).delete()
    COMING.forget()
    return deleted


def _fault_of(text: str) -> str:
    if not text.strip() or not text.isprintable():
        return _("Write the site notice on one line.")
    if len(text) > MAX_TEXT_LENGTH:
        return _("Your text has {count} characters, and the limit is {most}. Shorten it.").format(
            count=len(text), most=MAX_TEXT_LENGTH
        )
    return ""
