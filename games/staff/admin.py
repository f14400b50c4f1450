"""Alarms, incidents, errors and backups in the admin, and confirmation forms for interventions in games."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy as _

from games.staff import services
from games.staff.errors import forget_error
from games.staff.inputs import Grounds, MoreTime
from games.staff.models import BackupRun, ErrorGroup, Incident
from games.web.admin import ActionAdmin, Conditions, WatchedAdmin, row_link, staff_of
from games.web.forms import form_of
from games.work import jobs
from games.work.jobs import reason_in_words
from games.work.models import Alarm

# --- Questions ----------------------------------------------------------------------------------------------


GroundsForm = form_of(Grounds)


@dataclass(frozen=True)
class Question:
    """The confirmation form for a service: its title, its effect, its button and its success message.

    ``about`` is the name of the service's argument for the ID of a row. If ``logs_reason`` is true, the log
    of the admin also has the reason, because no other table has it. The fields ``unused`` are not passed to
    the service.
    """

    title: str | Promise
    means: str | Promise
    button: str | Promise
    done: str | Promise
    service: Callable[..., object]
    about: str
    form: type[forms.Form] = GroundsForm
    unused: tuple[str, ...] = ()
    logs_reason: bool = False


RESOLVE = Question(
    _("Resolve again?"),
    _("Fix the cause first. The turn’s count of attempts then starts again at 0."),
    _("Resolve again"),
    _("Will be resolved again"),
    services.resolve_again,
    "turn_id",
)
RESOLVE_GAME = replace(RESOLVE, service=services.resolve_game_again, about="game_id")
EXTEND = Question(
    _("Extend the deadline?"),
    _("All players without orders for this turn get more time. Turns already played at random don’t change."),
    _("Extend the deadline"),
    _("Deadline extended"),
    services.extend_turn,
    "game_id",
    form_of(MoreTime),
)
REPLACE = Question(
    _("Replace this player with a computer?"),
    _(
        "A Rookie plays the robot from now on, and submits any missing orders for this turn. Another player"
        " can take over the seat. The replaced player can’t come back to this game."
    ),
    _("Replace with a computer"),
    _("Replaced"),
    services.replace_as_staff,
    "seat_id",
)
CANCEL = Question(
    _("Cancel this game?"),
    _("A cancelled game ends without a winner and can’t be resumed."),
    _("Cancel"),
    _("Cancelled"),
    services.cancel_as_staff,
    "game_id",
)


class ConfirmingAdmin(ActionAdmin):
    """An admin whose actions ask for confirmation with a form."""

    def intervene(
        self, request: HttpRequest, rows: QuerySet[Any], question: Question
    ) -> TemplateResponse | None:
        """Show the confirmation form of an intervention. After confirmation, run its service on each row."""
        answered = "sure" in request.POST
        form = question.form(request.POST if answered else None)
        if answered and form.is_valid():
            given = {"user": staff_of(request), "now": timezone.now(), **form.cleaned_data}
            reason = given["reason"] if question.logs_reason else ""
            for name in question.unused:
                del given[name]

            def deed(row: Any) -> object:
                return question.service(**{question.about: self.number_of(row)}, **given)

            self.do_for_each(request, rows, deed, str(question.done), reason=reason)
            return None
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": question.title,
            "question": question,
            "form": form,
            "action": request.POST.get("action", ""),
            "rows": [(row, row_link(row, self.named(row))) for row in rows],
        }
        return TemplateResponse(request, "admin/games/intervene.html", context)

    def number_of(self, row: Any) -> int:
        """Return the ID to pass to an intervention's service for a row. By default, it is the row's ID."""
        number: int = row.pk
        return number


class InterveningAdmin(WatchedAdmin, ConfirmingAdmin):
    """An admin with actions to intervene in games. Players see each intervention."""


# --- Alarms -------------------------------------------------------------------------------------------------


class Open(Conditions):
    """Filters alarms by whether they are open or closed."""

    title = _("state")
    parameter_name = "state"
    conditions = {"open": (_("Open"), Q(closed_at=None)), "closed": (_("Closed"), Q(closed_at__isnull=False))}


class About(Conditions):
    """Filters alarms by their subject: a turn, a row or a whole job."""

    title = _("about")
    parameter_name = "about"
    conditions = {
        "turn": (_("Turns"), Q(turn__isnull=False)),
        "row": (_("Rows set aside"), Q(row__gt=0)),
        "job": (_("Whole jobs"), Q(turn=None, row=0)),
    }


@admin.register(Alarm)
class AlarmAdmin(InterveningAdmin):
    """Alarms, with actions to retry the failed turn or row."""

    list_display = ["about", "game_link", "due_at", "raised_at", "tries", "short_error"]
    list_display_links = ["due_at"]
    list_filter = [Open, About, "raised_at"]
    search_fields = ["turn__game__name", "turn__error", "game__name", "error", "job"]
    search_help_text = _("Search by game, error or job.")
    actions = ["resolve_again", "try_again"]
    related = ["turn__game", "game"]
    withheld = [
        "turn__snapshot",
        "turn__record",
        "turn__game__seed",
        "turn__game__link_token",
        "game__seed",
        "game__link_token",
    ]
    fields = ["about", "game_link", "due_at", "raised_at", "retry_at", "closed_at", "tries", "last_error"]

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the actions for an alarm: resolve its turn again, or retry its failed row."""
        alarm = self.get_object(request, object_id) if object_id else None
        fits = {
            "resolve_again": bool(alarm and (alarm.turn_id or alarm.kind == "turn")),
            "try_again": bool(alarm and alarm.row),
        }
        return [deed for deed in super().actions_on(request, object_id) if fits.get(deed[0], True)]

    @admin.display(description=_("about"), ordering="turn__number")
    def about(self, alarm: Alarm) -> SafeString | str:
        """Return the alarm's turn, row or job, as a link if it has a page."""
        if alarm.turn is not None:
            return row_link(alarm.turn, gettext("turn {number}").format(number=alarm.turn.number))
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
        return row_link(game) if game is not None else self.get_empty_value_display()

    @admin.display(description=_("attempts"), ordering="turn__attempts")
    def tries(self, alarm: Alarm) -> int:
        return alarm.attempts if alarm.turn is None else alarm.turn.attempts

    @admin.display(description=_("last error"))
    def short_error(self, alarm: Alarm) -> str:
        return Truncator(self.last_error(alarm)).chars(80)

    @admin.display(description=_("last error"))
    def last_error(self, alarm: Alarm) -> str:
        error = alarm.turn.error if alarm.turn is not None else ""
        return reason_in_words(error or alarm.error) or self.get_empty_value_display()

    @admin.action(permissions=["act"], description=_("Resolve again"))
    def resolve_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> TemplateResponse | None:
        return self.intervene(request, alarms, RESOLVE)

    def number_of(self, row: Alarm) -> int:
        """Return the ID of the alarm's turn, or 0 if the alarm is not about a turn."""
        return row.turn_id or (row.row if row.kind == "turn" else 0)

    @admin.action(permissions=["act"], description=_("Try the row again"))
    def try_again(self, request: HttpRequest, alarms: QuerySet[Alarm]) -> None:
        """Make the next pass of the sweeper retry the failed rows of the chosen alarms."""
        now = timezone.now()

        def deed(alarm: Alarm) -> object:
            return jobs.try_again(user=staff_of(request), alarm_id=alarm.pk, now=now)

        self.do_for_each(request, alarms, deed, gettext("Will be tried again"))

    def named(self, row: Alarm) -> str:
        if row.turn is not None:
            return gettext("turn {number} of {game}").format(number=row.turn.number, game=row.turn.game.name)
        message = gettext("{kind} {row} (job “{job}”)") if row.row else gettext("the job “{job}”")
        return message.format(kind=row.kind, row=row.row, job=row.job)


# --- Backups ------------------------------------------------------------------------------------------------


@admin.register(BackupRun)
class BackupRunAdmin(WatchedAdmin):
    """A read-only list of past backups and restore drills."""

    list_display = ["started_at", "kind", "ok", "file", "size_in_words", "copied", "duration"]
    list_filter = ["kind", "ok"]
    fields = ["kind", "ok", "started_at", "ended_at", "file", "size_in_words", "copied", "report", "error"]

    @admin.display(description=_("size"), ordering="size")
    def size_in_words(self, run: BackupRun) -> str:
        return self.get_empty_value_display() if run.size is None else filesizeformat(run.size)

    @admin.display(description=_("duration"))
    def duration(self, run: BackupRun) -> str:
        return gettext("{seconds} s").format(seconds=round((run.ended_at - run.started_at).total_seconds()))


# --- Incidents and errors -----------------------------------------------------------------------------------


class StillOpen(Conditions):
    """Filters incidents by whether they last or are over."""

    title = _("state")
    parameter_name = "state"
    conditions = {"open": (_("Open"), Q(ended_at=None)), "over": (_("Over"), Q(ended_at__isnull=False))}


@admin.register(Incident)
class IncidentAdmin(WatchedAdmin):
    """A read-only list of incidents, and of the messages to the operator."""

    list_display = ["subject", "opened_at", "ended_at", "messages", "sent_at"]
    list_filter = [StillOpen]
    fields = ["subject", "detail", "advice", "place", "opened_at", "ended_at", "messages", "sent_at"]

    @admin.display(description=_("more"))
    def place(self, incident: Incident) -> SafeString | str:
        if not incident.path:
            return self.get_empty_value_display()
        return format_html('<a href="{}">{}</a>', incident.path, incident.path)


@admin.register(ErrorGroup)
class ErrorGroupAdmin(WatchedAdmin):
    """Errors in the code, by their type and place."""

    list_display = ["kind", "place", "count", "last_at", "origin"]
    list_filter = ["last_at", "release"]
    search_fields = ["kind", "place", "message"]
    search_help_text = _("Search by error or place.")
    actions = ["forget"]
    withheld = ["fingerprint"]
    fields = [
        *("kind", "place", "message", "count", "first_at", "last_at", "origin", "release", "request"),
        "lines",
    ]

    @admin.display(description=_("traceback"))
    def lines(self, group: ErrorGroup) -> SafeString:
        return format_html('<pre class="traceback">{}</pre>', group.traceback)

    @admin.action(permissions=["act"], description=_("Delete, because it is fixed"))
    def forget(self, request: HttpRequest, groups: QuerySet[ErrorGroup]) -> None:
        def deed(group: ErrorGroup) -> None:
            forget_error(user=staff_of(request), error_id=group.pk)

        self.do_for_each(request, groups, deed, gettext("Deleted"))
