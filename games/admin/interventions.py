"""Interventions in the admin: what staff did about which game, who of them, and why."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.play.models import Intervention
from games.play.selectors.interventions import sentence_of
from games.web.admin import WatchedAdmin


@admin.register(Intervention)
class InterventionAdmin(WatchedAdmin):
    """What was done; nothing of it can be changed."""

    list_display = ["at", "game", "turn", "done", "reason", "by"]
    list_filter = ["action", "at"]
    related = ["game", "by", "seat__user"]
    search_fields = ["game__name", "by__robo_name", "reason"]
    search_help_text = _("The game, the member of staff, or the reason.")
    links = ("game__id__exact",)
    fields = ["at", "game", "turn", "done", "reason", "by"]

    @admin.display(description=_("what"))
    def done(self, row: Intervention) -> str:
        return sentence_of(row)
