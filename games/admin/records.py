"""What games leave behind, in the admin: all of it follows from the logs (``manage.py recount``)."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.people.achievements import ACHIEVEMENTS
from games.people.models import Achievement, Tally
from games.web.admin import WatchedAdmin, linked
from rules.statistics import COUNTERS


@admin.register(Tally)
class TallyAdmin(WatchedAdmin):
    """What robots did, game by game."""

    list_display = ["robot", "game_link", *COUNTERS]
    list_filter = ["seat__game__status", "seat__game__ruleset"]
    related = ["seat__user", "seat__game"]
    search_fields = ["seat__user__robo_name", "seat__name", "seat__game__name"]
    search_help_text = _("The player or the game.")
    ordering = ["-seat__game__created_at", "seat__number"]
    fields = ["robot", "game_link", *COUNTERS]

    @admin.display(ordering="seat__user__robo_name")
    def robot(self, tally: Tally) -> str:
        return tally.seat.robo_name

    @admin.display(description=_("game"), ordering="seat__game__name")
    def game_link(self, tally: Tally) -> SafeString:
        return linked(tally.seat.game)


@admin.register(Achievement)
class AchievementAdmin(WatchedAdmin):
    """What players have earned."""

    list_display = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]
    list_filter = ["key", "earned_at"]
    related = ["user", "game"]
    search_fields = ["user__robo_name", "game__name", "key"]
    search_help_text = _("The player, the game or the key.")
    fields = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]

    @admin.display(ordering="key")
    def achievement(self, achievement: Achievement) -> str:
        known = ACHIEVEMENTS.get(achievement.key)
        return known.english if known else achievement.key
