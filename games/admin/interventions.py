"""Interventions in the admin: what staff did about which game, who of them, and why."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin.watching import WatchedAdmin
from games.play.models import Intervention
from games.play.selectors.interventions import sentence_of


@admin.register(Intervention)
class InterventionAdmin(WatchedAdmin):
    """What was done; nothing of it can be changed."""

    list_display = ["at", "game", "turn", "done", "reason", "by"]
    list_filter = ["action", "at"]
    list_select_related = ["game", "by", "seat__user"]
    search_fields = ["game__name", "by__robo_name", "reason"]
    search_help_text = "The game, who it was, or the reason."
    links = ("game__id__exact",)
    fields = ["at", "game", "turn", "done", "reason", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Intervention]:
        """Interventions with their games and people."""
        return super().get_queryset(request).select_related("game", "by", "seat__user")

    @admin.display(description="what")
    def done(self, row: Intervention) -> str:
        """What was done, as the players are told it."""
        return sentence_of(row)
