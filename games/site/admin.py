"""Maintenance and site notices in the admin."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.clocks.maintenance import end_maintenance, start_maintenance
from games.clocks.models import Maintenance
from games.errors import ServiceError
from games.news import site_notices
from games.news.models import SiteNotice
from games.news.site_notices import save_site_notice


class ServiceForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form of the admin that saves its row by a service, and shows the errors of the service."""

    def clean(self) -> dict[str, Any] | None:
        """Save the row, so that a refusal becomes an error of the form."""
        cleaned = super().clean()
        if not self.errors:
            try:
                self.instance = self.saved(self.cleaned_data)
            except ServiceError as refusal:
                raise ValidationError(refusal.detail) from None
        return cleaned

    def saved(self, given: dict[str, Any]) -> Any:
        """Call the service, and return the saved row."""
        raise NotImplementedError

    def _post_clean(self) -> None:
        """The service has checked and set the fields of the row."""


class MaintenanceForm(ServiceForm):
    """The start and end of a maintenance. The start of one under way stays."""

    class Meta:
        model = Maintenance
        fields = ["began_at", "until"]

    def saved(self, given: dict[str, Any]) -> Maintenance:
        began_at = given.get("began_at") or self.instance.began_at
        return start_maintenance(until=given["until"], began_at=began_at, now=timezone.now())


@admin.register(Maintenance)
class MaintenanceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Times of maintenance. The action ends the one under way, and cancels planned ones."""

    form = MaintenanceForm
    list_display = ["began_at", "until", "recorded_at"]
    actions = ["end_now"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has saved the row already."""

    def get_readonly_fields(self, request: HttpRequest, obj: Maintenance | None = None) -> list[str]:
        return ["began_at"] if obj else []

    def has_change_permission(self, request: HttpRequest, obj: Maintenance | None = None) -> bool:
        """Return whether the person may change the row: not after its end."""
        is_over = obj is not None and obj.until <= timezone.now()
        return not is_over and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Maintenance | None = None) -> bool:
        return False

    @admin.action(
        permissions=["change"], description=_("End maintenance now, and cancel planned maintenance")
    )
    def end_now(self, request: HttpRequest, rows: QuerySet[Maintenance]) -> None:
        """End the maintenance under way, whichever rows are chosen."""
        done = end_maintenance(now=timezone.now())
        self.message_user(request, _("Maintenance ended.") if done else _("There is no maintenance to end."))


class SiteNoticeForm(ServiceForm):
    """The text of a site notice, with one more field for each other language of the site."""

    class Meta:
        model = SiteNotice
        fields = ["text", "starts_at", "ends_at"]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for code, name in settings.LANGUAGES[1:]:
            self.fields[f"text_{code}"] = forms.CharField(
                label=_("Text in {language}").format(language=name),
                required=False,
                max_length=site_notices.MAX_TEXT_LENGTH,
                initial=self.instance.translations.get(code, ""),
            )

    def saved(self, given: dict[str, Any]) -> SiteNotice:
        translations = {code: given.get(f"text_{code}") for code, _name in settings.LANGUAGES[1:]}
        return save_site_notice(
            self.instance,
            text=given["text"],
            translations={code: text for code, text in translations.items() if text},
            starts_at=given["starts_at"],
            ends_at=given["ends_at"],
        )


@admin.register(SiteNotice)
class SiteNoticeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Site notices, on all pages and in mail from their start to their end."""

    form = SiteNoticeForm
    list_display = ["text", "starts_at", "ends_at"]
    search_fields = ["text", "translations"]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        """Return the form as it is: Django's factory does not know the fields for languages."""
        return super().get_form(request, obj, change, fields=["text", "starts_at", "ends_at"])

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        codes = [f"text_{code}" for code, _name in settings.LANGUAGES[1:]]
        return [(None, {"fields": ["text", *codes, "starts_at", "ends_at"]})]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has saved the row already."""

    def delete_model(self, request: HttpRequest, obj: SiteNotice) -> None:
        super().delete_model(request, obj)
        site_notices.COMING.forget()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[SiteNotice]) -> None:
        super().delete_queryset(request, queryset)
        site_notices.COMING.forget()
