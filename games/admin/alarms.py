"""Alarms in the admin: turns that are not played in time, and jobs and rows of the sweeper that failed."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from games import jobs
from games.admin.intervening import RESOLVE, InterveningAdmin
from games.admin.watching import linked, staff_of
from games.alarms import Alarm
from games.staff.services import interventions


class Open(admin.SimpleListFilter):
    """Whether it still waits."""

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


class About(admin.SimpleListFilter):
    """What does not go on."""

    title = "about"
    parameter_name = "about"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [("turn", "Turns"), ("row", "Rows set aside"), ("job", "Whole jobs")]

    def queryset(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> QuerySet[Alarm]:
        """The alarms of a choice."""
        match self.value():
            case "turn":
                return alarms.filter(turn__isnull=False)
            case "row":
                return alarms.filter(row__gt=0)
            case "job":
                return alarms.filter(turn=None, row=0)
        return alarms


@admin.register(Alarm)
class AlarmAdmin(InterveningAdmin):
    """Alarms; staff may have their turns, jobs and rows tried again."""

    list_display = ["about", "game_link", "due_at", "raised_at", "tries", "short_error"]
    list_display_links = ["due_at"]
    list_filter = [Open, About, "raised_at"]
    search_fields = ["turn__game__name", "turn__error", "game__name", "error", "job"]
    search_help_text = "The game, the error or the job."
    actions = ["resolve_again", "try_again"]
    fields = ["about", "game_link", "due_at", "raised_at", "retry_at", "closed_at", "tries", "last_error"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Alarm]:
        """Alarms with their turns and games; states and seeds are left behind."""
        secrets = ("turn__snapshot", "turn__outcome", "turn__game__seed", "turn__game__link_token")
        alarms = super().get_queryset(request).select_related("turn__game", "game")
        return alarms.defer(*secrets, "game__seed", "game__link_token")

    def deeds_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Only turns are resolved, and only rows that were set aside are tried."""
        alarm = self.get_object(request, object_id) if object_id else None
        fits = {
            "resolve_again": bool(alarm and (alarm.turn_id or alarm.kind == "turn")),
            "try_again": bool(alarm and alarm.row),
        }
        return [deed for deed in super().deeds_on(request, object_id) if fits.get(deed[0], True)]

    @admin.display(description="about", ordering="turn__number")
    def about(self, alarm: Alarm) -> SafeString | str:
        """The turn, the row or the job."""
        if alarm.turn is not None:
            return linked(alarm.turn, f"turn {alarm.turn.number}")
        if not alarm.row:
            return self.named(alarm)
        for model in self.admin_site._registry:
            if model._meta.model_name == alarm.kind:
                address = reverse(f"admin:{model._meta.app_label}_{alarm.kind}_change", args=[alarm.row])
                return format_html('<a href="{}">{}</a>', address, self.named(alarm))
        return self.named(alarm)

    @admin.display(description="game", ordering="turn__game__name")
    def game_link(self, alarm: Alarm) -> SafeString | str:
        """The game, where it is about one."""
        game = alarm.turn.game if alarm.turn is not None else alarm.game
        return linked(game) if game is not None else self.get_empty_value_display()

    @admin.display(description="attempts", ordering="turn__attempts")
    def tries(self, alarm: Alarm) -> int:
        """How often it was tried."""
        return alarm.attempts if alarm.turn is None else alarm.turn.attempts

    @admin.display(description="last error")
    def short_error(self, alarm: Alarm) -> str:
        """The beginning of the last error."""
        return Truncator(self.last_error(alarm)).chars(80)

    @admin.display(description="last error")
    def last_error(self, alarm: Alarm) -> str:
        """The last error."""
        error = alarm.turn.error if alarm.turn is not None else ""
        return error or alarm.error or self.get_empty_value_display()

    @admin.action(permissions=["act"], description="Resolve again")
    def resolve_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> TemplateResponse | None:
        """Have another try at the turns."""
        staff, now = staff_of(request), timezone.now()

        def deed(alarm: Alarm, given: dict[str, Any]) -> object:
            turn = alarm.turn_id or (alarm.row if alarm.kind == "turn" else 0)
            return interventions.resolve_again(user=staff, turn_id=turn, now=now, **given)

        return self.intervene(request, alarms, RESOLVE, deed, "To be resolved again")

    @admin.action(permissions=["act"], description="Try the row again")
    def try_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> None:
        """Have the next pass of the sweeper try rows again that were set aside."""
        now = timezone.now()

        def deed(alarm: Alarm) -> object:
            return jobs.try_again(user=staff_of(request), alarm_id=alarm.pk, now=now)

        self.do_for_each(request, alarms, deed, "To be tried again")

    def named(self, row: Alarm) -> str:
        """An alarm by what it is about."""
        if row.turn is not None:
            return f"turn {row.turn.number} of {row.turn.game.name}"
        return f"{row.kind} {row.row} (job “{row.job}”)" if row.row else f"the job “{row.job}”"
