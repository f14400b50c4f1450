"""Outages in the admin: when the service was away, and since when all clocks have the time back."""

from datetime import datetime

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clocks.models import Outage
from games.news.models import Notice
from games.play.models import Game
from games.play.news import OUTAGE
from games.web.admin import WatchedAdmin, listed
from games.wording import stretch


@admin.register(Outage)
class OutageAdmin(WatchedAdmin):
    """Outages: each is there for all games, and nothing of it can be changed."""

    list_display = ["began_at", "ended_at", "lasted", "given_back"]
    list_filter = ["began_at", ("settled_at", admin.EmptyFieldListFilter)]
    links = ("began_at__lt", "ended_at__gt", "settled_at__isempty")
    fields = ["began_at", "ended_at", "lasted", "given_back", "more"]

    @admin.display
    def lasted(self, outage: Outage) -> str:
        """How long no worker swept."""
        return stretch(round((outage.ended_at - outage.began_at).total_seconds()))

    @admin.display(description=_("given back to all clocks"), ordering="settled_at")
    def given_back(self, outage: Outage) -> datetime | None:
        """Since when all clocks that ran have the time back; nothing as long as some have not."""
        return outage.settled_at

    @admin.display(description=_("related"))
    def more(self, outage: Outage) -> SafeString:
        mail = {"kind__exact": OUTAGE.name, "created_at__gte": outage.ended_at.isoformat()}
        return listed(Notice, gettext("notifications since"), **mail)


def outages_of(game: Game) -> SafeString | None:
    """Return a link to the outages while a game was played; None for one that has not started."""
    if game.started_at is None:
        return None
    span = {"ended_at__gt": game.started_at.isoformat()}
    if game.ended_at is not None:
        span["began_at__lt"] = game.ended_at.isoformat()
    return listed(Outage, gettext("outages"), **span)
