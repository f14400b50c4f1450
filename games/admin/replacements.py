"""Replacements in the admin: which seats passed on, from whom to whom, and why."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.play.models import Replacement
from games.web.admin import WatchedAdmin, linked


@admin.register(Replacement)
class ReplacementAdmin(WatchedAdmin):
    """Seats that passed on; all who see a game may know of them, and nothing of it can be changed."""

    list_display = ["at", "robot", "game_link", "turn", "before", "after", "reason"]
    list_filter = ["reason", "at"]
    related = ["seat__user", "seat__game", "was", "became"]
    search_fields = ["seat__game__name", "seat__robot", "was__robo_name", "became__robo_name"]
    search_help_text = _("The game, the robot, or a player who had its seat.")
    links = ("seat__game__id__exact",)
    fields = ["at", "seat_link", "game_link", "turn", "before", "after", "reason"]

    @admin.display(ordering="seat__number")
    def robot(self, row: Replacement) -> str:
        return row.seat.robo_name

    @admin.display(description=_("robot"))
    def seat_link(self, row: Replacement) -> SafeString:
        return linked(row.seat, row.seat.robo_name)

    @admin.display(description=_("game"), ordering="seat__game__name")
    def game_link(self, row: Replacement) -> SafeString:
        return linked(row.seat.game)

    @admin.display(description=_("from"), ordering="was__robo_name")
    def before(self, row: Replacement) -> str:
        return _named(row.was)

    @admin.display(description=_("to"), ordering="became__robo_name")
    def after(self, row: Replacement) -> str:
        return _named(row.became)


def _named(user: User | None) -> str:
    return user.robo_name if user else "a computer"
