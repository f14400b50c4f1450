"""Accounts in the admin pages."""

from collections.abc import Iterator
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import AUDIENCES, User

# Staff sign in where everybody does, so that the same limits hold.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]
    """A new account: Robo Name, address and password."""

    class Meta:
        model = User
        fields = ["robo_name", "email"]


class GuestsFilter(admin.SimpleListFilter):
    """People, or the guests who fly missions; by default people."""

    title = "account"
    parameter_name = "guests"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What there is beside people."""
        return [("yes", "Guests"), ("all", "All")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Call the default what it is."""
        default, *others = super().choices(changelist)
        yield {**default, "display": "People"}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        """Return the accounts of the kind asked for."""
        if self.value() == "all":
            return queryset
        return queryset.filter(is_guest=self.value() == "yes")


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    """Accounts; Robo Name and address can be given once, and are then not staff's to change."""

    add_form = NewUserForm
    add_fieldsets = [(None, {"fields": ["robo_name", "email", "usable_password", "password1", "password2"]})]
    fieldsets = [
        (None, {"fields": ["robo_name", "email", "password"]}),
        ("Preferences", {"fields": ["look", "time_zone", "manner", "daily_hour", *AUDIENCES]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("Dates", {"fields": ["date_joined", "last_login"]}),
    ]
    list_display = ["robo_name", "email", "is_staff", "is_active", "date_joined", "last_login"]
    list_filter = [GuestsFilter, "is_staff", "is_superuser", "is_active", "manner"]
    search_fields = ["robo_name", "email"]
    ordering = ["robo_name"]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Robo Name and address are fixed once the account is made."""
        fixed = ["robo_name", "email"] if obj else []
        return [*super().get_readonly_fields(request, obj), *fixed, "date_joined", "last_login"]
