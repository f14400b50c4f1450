"""Training missions in the admin: what they are flown on, and what they teach."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.staff.lookups import GuardedLookups
from games.admin.documents import pretty
from games.fleet.models import Mission
from games.fleet.services.missions import check_mission, save_mission

BLANK = {
    "format": "lesson/1",
    "introduction": "",
    "goal": "",
    "notes": [{"cells": [[0, 0]], "text": ""}],
    "hints": [{"when": "heading", "text": ""}],
    "closing": "",
}
"""What a new lesson starts from."""


class PrettyJson(forms.JSONField):
    """A document, each part of which has a line of its own."""

    def prepare_value(self, value: Any) -> Any:
        """Write what is no text yet."""
        return value if isinstance(value, str) else pretty(value)


class MissionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A mission; all faults that the service finds are told at once, each by its field."""

    options = PrettyJson(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=Mission._meta.get_field("options").help_text,
    )
    lesson = PrettyJson(
        initial=BLANK,
        widget=forms.Textarea(attrs={"rows": 36, "cols": 100, "spellcheck": "false"}),
        help_text=_("A lesson/1 document, as docs/formats.md describes it."),
    )

    class Meta:
        model = Mission
        fields = ["slug", "number", "title", "starship", "options", "lesson"]

    def clean_options(self) -> Any:
        """Take nothing for no options."""
        return self.cleaned_data["options"] or {}

    def clean(self) -> Any:
        """Add what only the service can tell."""
        found = super().clean() or self.cleaned_data
        if {"title", "starship", "options", "lesson"} <= found.keys():
            asked = {key: found[key] for key in ("title", "starship", "options", "lesson")}
            for problem in check_mission(**asked):
                self.add_error(problem["code"], problem["detail"])
        return found


@admin.register(Mission)
class MissionAdmin(GuardedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """The missions in their order; what staff save is not loaded over."""

    form = MissionForm
    list_display = ["number", "title", "starship", "saved_by"]
    list_display_links = ["title"]
    list_select_related = ["starship", "saved_by"]
    ordering = ["number"]
    prepopulated_fields = {"slug": ["title"]}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A mission goes with its starship, which is retired: games refer to both."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["slug"] if obj else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new mission's address follows its title."""
        return {} if obj else self.prepopulated_fields

    def save_model(self, request: HttpRequest, obj: Mission, form: Any, change: bool) -> None:
        asked = {name: getattr(obj, name) for name in MissionForm.Meta.fields}
        saved = save_mission(**asked, by=request.user)  # type: ignore[arg-type]
        obj.pk = saved.pk
