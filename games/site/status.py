"""The status page for players: the state of each part of the site, and the outages of the last 90 days.

It checks the same parts as the probes for operators (`roborunner.operations.probes`), and explains each
failure in plain words. It needs the database, but neither Redis nor a script.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.clocks.models import Outage
from games.news.delivery import MAIL_JOB
from games.play.selectors import workers_are_active
from games.work.models import failing_jobs

PERIOD: Final = timedelta(days=90)
"""The maximum age of listed outages."""

MAX_OUTAGES: Final = 30
"""The maximum number of listed outages."""

REDIS_SECONDS: Final = 1.0
"""The seconds to wait for Redis."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the site: whether it works, and a sentence about it."""

    key: str
    name: str
    works: bool
    sentence: str


def parts_of_site(*, now: datetime) -> list[Part]:
    """Return the parts of the site as players know them, each with its present state."""
    failing = failing_jobs()
    workers, live = workers_are_active(now=now), _redis_answers()
    mail = workers and MAIL_JOB not in failing
    others = workers and not set(failing) - {MAIL_JOB}
    return [
        Part("pages", _("Pages"), True, _("Pages and forms work.")),
        Part(
            "turns",
            _("Turns"),
            workers,
            _("Turns are played as soon as all orders are in, or at the deadline.")
            if workers
            else _(
                "Turns are not being played right now. Your orders are saved, and deadlines are extended."
            ),
        ),
        Part(
            "live",
            _("Live updates"),
            live,
            _("Open pages show new turns at once.")
            if live
            else _("Open pages don’t update at once. Reload a page to see what is new."),
        ),
        Part(
            "mail",
            _("Mail"),
            mail,
            _("Mail is sent.")
            if mail
            else _("Mail is delayed. We’ll send it when mail works again. Your games continue."),
        ),
        Part(
            "others",
            _("Everything else"),
            others,
            _("Ratings, tournaments and other work in the background are up to date.")
            if others
            else _("Some work in the background is delayed, such as ratings or tournaments. Staff know."),
        ),
    ]


def _redis_answers() -> bool:
    try:
        with redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


@dataclass(frozen=True, slots=True)
class PastOutage:
    """An outage as the page shows it. ``minutes`` is at least 1."""

    began_at: datetime
    ended_at: datetime
    minutes: int


def past_outages(*, now: datetime) -> list[PastOutage]:
    """Return the outages of the last 90 days, latest first, at most `MAX_OUTAGES`."""
    found = Outage.objects.filter(ended_at__gt=now - PERIOD).order_by("-began_at")[:MAX_OUTAGES]
    return [
        PastOutage(
            each.began_at, each.ended_at, max(1, round((each.ended_at - each.began_at).total_seconds() / 60))
        )
        for each in found
    ]


@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    """Show which parts of the site work now, and the outages of the last 90 days."""
    now = timezone.now()
    parts = parts_of_site(now=now)
    context = {
        "parts": parts,
        "all_work": all(part.works for part in parts),
        "outages": past_outages(now=now),
        "days": PERIOD.days,
        "now": now,
    }
    return render(request, "site/status.html", context)
