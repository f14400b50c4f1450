"""What games leave behind, in the admin: all of it follows from the logs (``manage.py recount``)."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from games.admin.watching import WatchedAdmin, linked
from games.people.models import Achievement, Tally
from rules.achievements import ACHIEVEMENTS
from rules.statistics import COUNTERS


@admin.register(Tally)
class TallyAdmin(WatchedAdmin):
    """What robots did, game by game."""

    list_display = ["robot", "game", *COUNTERS]
    list_filter = ["seat__game__status", "seat__game__ruleset"]
    search_fields = ["seat__user__robo_name", "seat__name", "seat__game__name"]
    search_help_text = "The player or the game."
    ordering = ["-seat__game__created_at", "seat__number"]
    fields = ["robot", "game", *COUNTERS]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        """Tallies with their seats."""
        return super().get_queryset(request).select_related("seat__user", "seat__game")

    @admin.display(ordering="seat__user__robo_name")
    def robot(self, tally: Tally) -> str:
        """Whose robot it is."""
        return tally.seat.robo_name

    @admin.display(ordering="seat__game__name")
    def game(self, tally: Tally) -> SafeString:
        """The game."""
        return linked(tally.seat.game)


@admin.register(Achievement)
class AchievementAdmin(WatchedAdmin):
    """What players have earned."""

    list_display = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]
    list_filter = ["key", "earned_at"]
    list_select_related = ["user", "game"]
    search_fields = ["user__robo_name", "game__name", "key"]
    search_help_text = "The player, the game or the key."
    fields = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Achievement]:
        """Achievements with who earned them, and where."""
        return super().get_queryset(request).select_related("user", "game")

    @admin.display(ordering="key")
    def achievement(self, achievement: Achievement) -> str:
        """What it is called."""
        known = ACHIEVEMENTS.get(achievement.key)
        return known.english if known else achievement.key
