"""Alarms in the admin: turns that are not played in time, and jobs and rows of the sweeper that failed."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import jobs
from games.admin.intervening import RESOLVE, InterveningAdmin
from games.admin.watching import Conditions, linked, staff_of
from games.alarms import Alarm
from games.reasons import tell


class Open(Conditions):
    """Whether it still waits."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "open": (_("Open"), Q(closed_at=None)),
        "closed": (_("Closed"), Q(closed_at__isnull=False)),
    }


class About(Conditions):
    """What does not go on."""

    title = _("about")
    parameter_name = "about"
    conditions = {
        "turn": (_("Turns"), Q(turn__isnull=False)),
        "row": (_("Rows set aside"), Q(row__gt=0)),
        "job": (_("Whole jobs"), Q(turn=None, row=0)),
    }


@admin.register(Alarm)
class AlarmAdmin(InterveningAdmin):
    """Alarms; staff may have their turns, jobs and rows tried again."""

    list_display = ["about", "game_link", "due_at", "raised_at", "tries", "short_error"]
    list_display_links = ["due_at"]
    list_filter = [Open, About, "raised_at"]
    search_fields = ["turn__game__name", "turn__error", "game__name", "error", "job"]
    search_help_text = _("The game, the error or the job.")
    actions = ["resolve_again", "try_again"]
    related = ["turn__game", "game"]
    withheld = [
        "turn__snapshot",
        "turn__outcome",
        "turn__record",
        "turn__game__seed",
        "turn__game__link_token",
        "game__seed",
        "game__link_token",
    ]
    fields = ["about", "game_link", "due_at", "raised_at", "retry_at", "closed_at", "tries", "last_error"]

    def deeds_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Only turns are resolved, and only rows that were set aside are tried."""
        alarm = self.get_object(request, object_id) if object_id else None
        fits = {
            "resolve_again": bool(alarm and (alarm.turn_id or alarm.kind == "turn")),
            "try_again": bool(alarm and alarm.row),
        }
        return [deed for deed in super().deeds_on(request, object_id) if fits.get(deed[0], True)]

    @admin.display(description=_("about"), ordering="turn__number")
    def about(self, alarm: Alarm) -> SafeString | str:
        """The turn, the row or the job."""
        if alarm.turn is not None:
            return linked(alarm.turn, gettext("turn {number}").format(number=alarm.turn.number))
        if not alarm.row:
            return self.named(alarm)
        for model in self.admin_site._registry:
            if model._meta.model_name == alarm.kind:
                address = reverse(f"admin:{model._meta.app_label}_{alarm.kind}_change", args=[alarm.row])
                return format_html('<a href="{}">{}</a>', address, self.named(alarm))
        return self.named(alarm)

    @admin.display(description=_("game"), ordering="turn__game__name")
    def game_link(self, alarm: Alarm) -> SafeString | str:
        game = alarm.turn.game if alarm.turn is not None else alarm.game
        return linked(game) if game is not None else self.get_empty_value_display()

    @admin.display(description=_("attempts"), ordering="turn__attempts")
    def tries(self, alarm: Alarm) -> int:
        return alarm.attempts if alarm.turn is None else alarm.turn.attempts

    @admin.display(description=_("last error"))
    def short_error(self, alarm: Alarm) -> str:
        return Truncator(self.last_error(alarm)).chars(80)

    @admin.display(description=_("last error"))
    def last_error(self, alarm: Alarm) -> str:
        error = alarm.turn.error if alarm.turn is not None else ""
        return tell(error or alarm.error) or self.get_empty_value_display()

    @admin.action(permissions=["act"], description=_("Resolve again"))
    def resolve_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> TemplateResponse | None:
        return self.intervene(request, alarms, RESOLVE)

    def number_of(self, row: Alarm) -> int:
        """Return the number of its turn; no turn has the number 0."""
        return row.turn_id or (row.row if row.kind == "turn" else 0)

    @admin.action(permissions=["act"], description=_("Try the row again"))
    def try_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> None:
        """Have the next pass of the sweeper try rows again that were set aside."""
        now = timezone.now()

        def deed(alarm: Alarm) -> object:
            return jobs.try_again(user=staff_of(request), alarm_id=alarm.pk, now=now)

        self.do_for_each(request, alarms, deed, gettext("To be tried again"))

    def named(self, row: Alarm) -> str:
        if row.turn is not None:
            return gettext("turn {number} of {game}").format(number=row.turn.number, game=row.turn.game.name)
        told = gettext("{kind} {row} (job “{job}”)") if row.row else gettext("the job “{job}”")
        return told.format(kind=row.kind, row=row.row, job=row.job)
