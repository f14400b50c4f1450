"""Hints for moderators that one person has several accounts, on the pages of games and cases."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.conduct.roles import HEAVY
from games.conduct.selectors.hints import games_with_one_browser
from games.play.models import Game
from games.rights import may
from games.web.admin import WatchedAdmin, staff_of


def may_see_hints(request: HttpRequest) -> bool:
    return may(staff_of(request), HEAVY)


class HintedAdmin(WatchedAdmin):
    """Rows on whose pages moderators find hints, below all else."""

    change_form_template = "admin/games/hinted_form.html"

    def hints_for(self, row: Any, request: HttpRequest) -> dict[str, object]:
        """Return what the template tells, by its names."""
        raise NotImplementedError

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **more: Any
    ) -> HttpResponse:
        """Show one row, and to moderators the hints."""
        if (row := more.get("obj")) and may_see_hints(request):
            context |= {"hinted": True, **self.hints_for(row, request)}
        return super().render_change_form(request, context, *args, **more)


class OneBrowser(admin.SimpleListFilter):
    """Games in which two players use one browser; only moderators have this filter."""

    title = _("players with one browser")
    parameter_name = "one_browser"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes"))] if may_see_hints(request) else []

    def queryset(self, request: HttpRequest, rows: QuerySet[Game]) -> QuerySet[Game]:
        if self.value() != "yes" or not may_see_hints(request):
            return rows
        return rows.filter(pk__in=games_with_one_browser().values("pk"))
