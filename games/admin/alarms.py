"""Alarms in the admin: turns that are not played though they could be."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from games import services
from games.admin.intervening import RESOLVE, InterveningAdmin
from games.admin.watching import linked, staff_of
from games.models import Alarm


class Open(admin.SimpleListFilter):
    """Whether the turn still waits."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [("open", "Open"), ("closed", "Closed")]

    def queryset(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> QuerySet[Alarm]:
        """The alarms of a choice."""
        if self.value() in ("open", "closed"):
            return alarms.filter(closed_at__isnull=self.value() == "open")
        return alarms


@admin.register(Alarm)
class AlarmAdmin(InterveningAdmin):
    """Alarms; staff may have their turns tried again."""

    list_display = ["turn_link", "game", "due_at", "raised_at", "attempts", "short_error"]
    list_display_links = ["due_at"]
    list_filter = [Open, "raised_at"]
    search_fields = ["turn__game__name", "turn__error"]
    search_help_text = "The game or the error."
    actions = ["resolve_again"]
    fields = ["turn_link", "game", "due_at", "raised_at", "closed_at", "attempts", "error"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Alarm]:
        """Alarms with their turns and games; states and seeds are left behind."""
        alarms = super().get_queryset(request).select_related("turn__game")
        return alarms.defer("turn__snapshot", "turn__outcome", "turn__game__seed", "turn__game__link_token")

    @admin.display(description="turn", ordering="turn__number")
    def turn_link(self, alarm: Alarm) -> SafeString:
        """The turn."""
        return linked(alarm.turn, f"turn {alarm.turn.number}")

    @admin.display(ordering="turn__game__name")
    def game(self, alarm: Alarm) -> SafeString:
        """The game."""
        return linked(alarm.turn.game)

    @admin.display(ordering="turn__attempts")
    def attempts(self, alarm: Alarm) -> int:
        """How often it was tried."""
        return alarm.turn.attempts

    @admin.display(description="last error")
    def short_error(self, alarm: Alarm) -> str:
        """The beginning of the last error."""
        return Truncator(alarm.turn.error).chars(80)

    @admin.display(description="last error")
    def error(self, alarm: Alarm) -> str:
        """The last error."""
        return alarm.turn.error or self.get_empty_value_display()

    @admin.action(permissions=["act"], description="Resolve again")
    def resolve_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> TemplateResponse | None:
        """Have another try at the turns."""
        staff, now = staff_of(request), timezone.now()

        def deed(alarm: Alarm, given: dict[str, Any]) -> object:
            return services.resolve_again(user=staff, turn_id=alarm.turn_id, now=now, **given)

        return self.intervene(request, alarms, RESOLVE, deed, "To be resolved again")

    def named(self, row: Alarm) -> str:
        """An alarm by its turn."""
        return f"turn {row.turn.number} of {row.turn.game.name}"
