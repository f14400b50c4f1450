"""Admin pages for cases about players, sanctions, appeals and the log of decisions, with hints."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games.errors import ServiceError
from games.moderation.admin.questions import BEGIN, CONFIRM, LIFT, OVERTURN, QUESTIONS, SHORTEN, UPHOLD
from games.moderation.hints import TOGETHER_WITHIN, games_with_one_browser, pairs_in, similar_accounts
from games.moderation.models import Appeal, Case, ConductEntry, Sanction
from games.moderation.sanctions import HEAVY, may_decide
from games.moderation.selectors import cases_for, context_of, earlier_sanctions, entries_for
from games.moderation.services.decisions import begin_case
from games.play.models import Game
from games.rights import may
from games.staff.admin import InterveningAdmin
from games.web.admin import Conditions, WatchedAdmin, row_link, staff_of


def may_see_hints(request: HttpRequest) -> bool:
    return may(staff_of(request), HEAVY)


class HintedAdmin(WatchedAdmin):
    """An admin with hints. At the bottom of the page of a single row, moderators see hints about the row."""

    change_form_template = "admin/games/hinted_form.html"

    def hints_for(self, row: Any, request: HttpRequest) -> dict[str, object]:
        """Return the hints about a row, as variables for the template."""
        raise NotImplementedError

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **more: Any
    ) -> HttpResponse:
        """Add the hints about the row to the page, if its reader is a moderator."""
        if (row := more.get("obj")) and may_see_hints(request):
            context |= {"hinted": True, **self.hints_for(row, request)}
        return super().render_change_form(request, context, *args, **more)


class OneBrowser(admin.SimpleListFilter):
    """Filters games by whether two of the game's players use the same browser.

    Only moderators see this filter.
    """

    title = _("players with the same browser")
    parameter_name = "one_browser"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes"))] if may_see_hints(request) else []

    def queryset(self, request: HttpRequest, rows: QuerySet[Game]) -> QuerySet[Game]:
        if self.value() != "yes" or not may_see_hints(request):
            return rows
        return rows.filter(pk__in=games_with_one_browser().values("pk"))


GAMES_SHOWN = 5
"""The maximum number of a case's reported games to show hints for. The newest games come first."""


class OthersAdmin(InterveningAdmin):
    """An admin for rows about other people. Staff do not see rows about themselves."""

    about: ClassVar[str]
    """The database lookup from a row to the person that the row is about."""

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Return whether a person has the right to any kind of decision.

        Each service also checks the right to its own kind of decision.
        """
        return may_decide(staff_of(request))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).exclude(**{self.about: request.user.pk})


def _confirmed_action(name: str, words: Any) -> Any:
    """Return an admin action that shows the confirmation form with this name in `QUESTIONS`."""

    @admin.action(permissions=["act"], description=words)
    def ask(pages: InterveningAdmin, request: HttpRequest, rows: QuerySet[Case]) -> TemplateResponse | None:
        return pages.intervene(request, rows, QUESTIONS[name])

    return ask


class CaseState(Conditions):
    """Filters cases by whether they are open or decided."""

    title = _("state")
    parameter_name = "state"
    conditions: ClassVar[Mapping[str, tuple[str | Promise, Q]]] = {
        "open": (_("To be decided"), Q(decided_at=None)),
        "decided": (_("Decided"), Q(decided_at__isnull=False)),
    }


@admin.register(Case)
class CaseAdmin(HintedAdmin, OthersAdmin):
    """Cases about players. Each report of a player is added to the player's open case."""

    about = "person"
    list_display = ["person", "status", "opened_at", "number", "taken_by", "decided_at", "dismissed"]
    list_filter = [CaseState, "status", "opened_at"]
    links = ("person__id__exact",)
    related = ["person", "taken_by"]
    search_fields = ["person__robo_name"]
    search_help_text = _("Search by player.")
    actions = [*QUESTIONS]
    fields = ["person", "status", "opened_at", "taken_by", "taken_until", "decided_at", "all_reports"]
    fields += ["said", "decisions"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        """Leave out cases with a report by the reader. Other members of staff decide those cases."""
        return (
            super().get_queryset(request).filter(pk__in=cases_for(staff_of(request)).order_by().values("pk"))
        )

    def hints_for(self, row: Case, request: HttpRequest) -> dict[str, object]:
        """Return accounts similar to the player's, and hints about pairs of players in the reported games."""
        viewer, games = staff_of(request), Game.objects.filter(pk__in=row.reports.values("game"))
        latest = games.order_by("-pk")[:GAMES_SHOWN]
        return {
            "accounts": similar_accounts(row.person, viewer=viewer) if row.person else [],
            "together_minutes": TOGETHER_WITHIN.seconds // 60,
            "games": [(game, pairs_in(game, viewer=viewer, of=row.person)) for game in latest],
        }

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether a person may decide cases, and so may open a case without a report."""
        return may_decide(staff_of(request))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for a player's name, and open a case about the player.

        The case is then reserved for this member of staff.
        """
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = BEGIN.form(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                case = begin_case(user=staff_of(request), now=timezone.now(), **form.cleaned_data)
            except ServiceError as refusal:
                form.add_error("robo_name", refusal.detail)
            else:
                return redirect("admin:games_case_change", case.pk)
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": BEGIN.title}
        return TemplateResponse(
            request, "admin/games/intervene.html", {**context, "question": BEGIN, "form": form}
        )

    @admin.display(description=_("reports"))
    def number(self, case: Case) -> int:
        return case.reports.count()

    @admin.display(description=_("reports"))
    def all_reports(self, case: Case) -> SafeString | str:
        """List the reports of a case, each with its time, reporter, subject, reason and text."""
        rows = [
            (
                date_format(each.at, "DATETIME_FORMAT"),
                each.reporter,
                each.get_about_display(),
                " · ".join(
                    str(part)
                    for part in (each.get_reason_display(), each.game or each.club, each.text)
                    if part
                ),
            )
            for each in case.reports.select_related("reporter", "game", "club")
        ]
        if not rows:
            return gettext("None. Staff opened this case.")
        return format_html_join(mark_safe("<br>"), "{}, {}: <b>{}</b>, {}", rows)

    @admin.display(description=_("reported chat lines in context"))
    def said(self, case: Case) -> SafeString | str:
        """List the reported chat lines with their IDs, and the lines before and after each."""
        rows = [
            (
                line.pk,
                date_format(line.at, "DATETIME_FORMAT"),
                line.name,
                line.text,
                mark_safe(" ←") if own else "",
            )
            for line, own in context_of(case)
        ]
        return (
            format_html_join(mark_safe("<br>"), "{} · {} <b>{}</b>: {}{}", rows)
            or self.get_empty_value_display()
        )

    @admin.display(description=_("decisions about this player"))
    def decisions(self, case: Case) -> SafeString | str:
        """List all decisions about the player of a case, in this case and in other cases."""
        rows = [
            (
                row_link(each, date_format(each.at, "DATETIME_FORMAT")),
                each.by,
                each.get_kind_display(),
                each.facts,
                gettext("(undone)") if each.lifted_at else "",
            )
            for each in earlier_sanctions(case)
        ]
        return format_html_join(mark_safe("<br>"), "{}, {}: <b>{}</b> {} {}", rows) or gettext("None yet.")

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the actions for a case: none if it is dismissed, and only sanctions if it is decided."""
        case = self.get_object(request, object_id) if object_id else None
        actions = super().actions_on(request, object_id)
        if case is None or case.dismissed:
            return []
        return [
            each for each in actions if not case.decided_at or each[0] not in ("take", "release", "dismiss")
        ]

    def named(self, row: Case) -> str:
        return str(row.person)

    take = _confirmed_action("take", _("Take"))
    release = _confirmed_action("release", _("Give back"))
    dismiss = _confirmed_action("dismiss", _("Dismiss"))
    hide = _confirmed_action("hide", _("Hide a chat line"))
    warn = _confirmed_action("warn", _("Warn"))
    mute = _confirmed_action("mute", _("Mute"))
    bar = _confirmed_action("bar", _("Bar from tournaments"))
    suspend = _confirmed_action("suspend", _("Suspend"))
    rename = _confirmed_action("rename", _("Change Robo Name"))
    change_club = _confirmed_action("change_club", _("Rename a club"))


@admin.register(Sanction)
class SanctionAdmin(OthersAdmin):
    about = "user"
    list_display = ["at", "user", "kind", "rule", "days", "ends_at", "by", "confirmed_by", "lifted_at"]
    list_filter = ["kind", "rule", "at"]
    links = ("user__id__exact",)
    related = ["user", "by", "confirmed_by", "case__person", "line", "club"]
    search_fields = ["user__robo_name", "by__robo_name", "facts"]
    search_help_text = _("Search by player, member of staff or facts.")
    actions = ["confirm", "shorten", "lift"]
    fields = ["at", "case", "user", "kind", "rule", "facts", "days", "ends_at", "line", "club", "before"]
    fields += ["by", "confirmed_by", "lifted_at"]

    @admin.action(permissions=["act"], description=_("Confirm the suspension"))
    def confirm(self, request: HttpRequest, rows: QuerySet[Sanction]) -> TemplateResponse | None:
        return self.intervene(request, rows, CONFIRM)

    @admin.action(permissions=["act"], description=_("Shorten"))
    def shorten(self, request: HttpRequest, rows: QuerySet[Sanction]) -> TemplateResponse | None:
        return self.intervene(request, rows, SHORTEN)

    @admin.action(permissions=["act"], description=_("Undo"))
    def lift(self, request: HttpRequest, rows: QuerySet[Sanction]) -> TemplateResponse | None:
        return self.intervene(request, rows, LIFT)


class AppealState(Conditions):
    title = _("state")
    parameter_name = "state"
    conditions: ClassVar[Mapping[str, tuple[str | Promise, Q]]] = {
        "open": (_("To be answered"), Q(answered_at=None)),
        "answered": (_("Answered"), Q(answered_at__isnull=False)),
    }


@admin.register(Appeal)
class AppealAdmin(OthersAdmin):
    """Appeals of players. The member of staff who answers an appeal must not have made the decision."""

    about = "sanction__user"
    list_display = ["at", "player", "sanction", "decided_by", "answered_at", "outcome"]
    list_filter = [AppealState, "outcome", "at"]
    related = ["sanction__user", "sanction__by", "answered_by"]
    search_fields = ["sanction__user__robo_name"]
    search_help_text = _("Search by player.")
    actions = ["uphold", "overturn"]
    fields = ["at", "player", "sanction_link", "facts", "decided_by", "text", "answered_by", "answered_at"]
    fields += ["outcome", "answer"]

    @admin.display(description=_("player"))
    def player(self, appeal: Appeal) -> User:
        return appeal.sanction.user

    @admin.display(description=_("decision"))
    def sanction_link(self, appeal: Appeal) -> SafeString:
        return row_link(appeal.sanction)

    @admin.display(description=_("what happened"))
    def facts(self, appeal: Appeal) -> str:
        return appeal.sanction.facts

    @admin.display(description=_("decided by"))
    def decided_by(self, appeal: Appeal) -> User:
        return appeal.sanction.by

    @admin.action(permissions=["act"], description=_("Uphold the decision"))
    def uphold(self, request: HttpRequest, rows: QuerySet[Appeal]) -> TemplateResponse | None:
        return self.intervene(request, rows, UPHOLD)

    @admin.action(permissions=["act"], description=_("Overturn the decision"))
    def overturn(self, request: HttpRequest, rows: QuerySet[Appeal]) -> TemplateResponse | None:
        return self.intervene(request, rows, OVERTURN)


@admin.register(ConductEntry)
class ConductEntryAdmin(WatchedAdmin):
    """The read-only log of decisions. Staff do not see entries about themselves or about their reports."""

    list_display = ["at", "deed", "kind", "person", "by", "case", "sanction"]
    list_filter = ["deed", "kind", "at"]
    related = ["person", "by"]
    search_fields = ["person__robo_name", "by__robo_name"]
    search_help_text = _("Search by player or member of staff.")
    fields = ["at", "deed", "kind", "person", "by", "case", "sanction"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ConductEntry]:
        known = entries_for(staff_of(request)).order_by().values("pk")
        return super().get_queryset(request).filter(pk__in=known)
