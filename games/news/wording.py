"""What a notification says, whichever channel it goes by."""

from datetime import datetime
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.time_zones import zone_of
from games.news.kinds import KINDS, Context
from games.news.models import Notice


class Brief(NamedTuple):
    """A notification in short, for programs and small screens."""

    subject: str
    lines: list[str]
    deadline: datetime | None
    url: str


def written(template: str, layout: str, context: Context) -> str:
    """Return a template of a kind in one of the layouts of `templates/news/mail/`.

    A kind has one template, and each layout takes other blocks of it: ``subject.txt``, ``mail.txt``,
    ``mail.html``, and for the daily mail ``daily_part.txt`` and ``daily_part.html``.
    """
    return SafeString(render_to_string(template, context | {"layout": f"news/mail/{layout}"}).strip())


def brief(notice: Notice) -> Brief:
    """Return a notification in short, with times as its reader's clock has them."""
    kind = KINDS[notice.kind]
    context = kind.tell(notice).context
    with timezone.override(zone_of(notice.user.time_zone if notice.user else "UTC")):
        subject = written(kind.template, "subject.txt", context)
    return Brief(subject, context.get("lines", []), context.get("deadline"), context["url"])
