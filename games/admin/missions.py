"""Training missions in the admin: what they are flown on, and what they teach."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from accounts.admin import GuardedLookups
from games.admin.documents import pretty, shown
from games.admin.lesson_form import MissionForm
from games.fleet import stored
from games.fleet.models import Mission, Starship
from games.fleet.services.missions import save_mission

PLACE = ["title", "slug", "number", "starship"]
LESSON = ["introduction", "goal", "closing", "filled"]


@admin.register(Mission)
class MissionAdmin(GuardedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """The missions in their order; what staff save is not loaded over."""

    form = MissionForm
    change_form_template = "admin/games/mission/change_form.html"
    list_display = ["number", "title", "starship", "saved_by"]
    list_display_links = ["title"]
    list_select_related = ["starship", "saved_by"]
    ordering = ["number"]
    prepopulated_fields = {"slug": ["title"]}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A mission goes with its starship, which is retired: games refer to both."""
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Mission | None = None) -> Any:
        """The mission, and its lesson; staff who may only look see both documents."""
        if not self._may_save(request, obj):
            return [(None, {"fields": [*PLACE, "document"]})]
        return [(None, {"fields": PLACE}), (gettext("Lesson"), {"fields": LESSON})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if not self._may_save(request, obj):
            return ["document"]
        return ["slug"] if obj else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new mission's address follows its title."""
        return {} if obj else self.prepopulated_fields

    def save_model(self, request: HttpRequest, obj: Mission, form: Any, change: bool) -> None:
        asked = {name: getattr(obj, name) for name in MissionForm.Meta.fields}
        given = form.cleaned_data
        saved = save_mission(
            **asked,
            options=given["options"],
            lesson=given["lesson"],
            by=request.user,  # type: ignore[arg-type]
        )
        obj.pk = saved.pk

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **more: Any
    ) -> Any:
        """Add the board that notes point at, with its rulers."""
        form = context["adminform"].form
        context["may_save"] = self._may_save(request, context["original"])
        context["board"] = _board(form) if context["may_save"] else None
        return super().render_change_form(request, context, *args, **more)

    @admin.display(description=_("lesson and options"))
    def document(self, mission: Mission) -> SafeString:
        """The lesson, for staff with permission only to view."""
        return shown(pretty({"lesson": mission.lesson, "options": mission.options}))

    def _may_save(self, request: HttpRequest, mission: Mission | None) -> bool:
        if mission is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, mission)


def _board(form: MissionForm) -> SafeString | None:
    """Draw the board of the ship that is chosen, with rulers; None without one."""
    chosen = str(form["starship"].value() or "")
    ships = Starship.objects.select_related("current").filter(current__isnull=False)
    starship = ships.filter(pk=chosen).first() if chosen.isdecimal() else None
    if starship is None or starship.current is None:
        return None
    ship = stored.starship_of(starship.current)
    return SafeString(rules.draw(ship, theme="page", cell=None, rulers=True, prefix="mission"))
