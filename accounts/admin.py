"""Accounts in the admin pages, with what they sign in by and where they are signed in."""

from collections.abc import Iterator
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa import admin as mfa_admin
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as sessions_admin
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts import second_factor
from accounts.guarded import GuardedLookups
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
class UserAdmin(GuardedLookups, DjangoUserAdmin):  # type: ignore[type-arg]
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


class GivenUpOnly(GuardedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that staff look at, and can take away, each as its own service does it."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds one for somebody else."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes one for somebody else."""
        return False


# allauth's pages show the secrets; importing them first has them registered, and then replaced.
admin.site.unregister(mfa_admin.Authenticator)
admin.site.unregister(sessions_admin.UserSession)


@admin.register(Authenticator)
class SecondFactorAdmin(GivenUpOnly):
    """Second factors: taken away from those who have lost them, who are told by mail."""

    fields = ("user", "type", "created_at", "last_used_at")
    list_display = fields
    list_filter = ["type"]
    search_fields = ["user__robo_name"]
    list_select_related = ["user"]

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        """Take it away."""
        second_factor.take_away(factor=obj, request=request)


@admin.register(UserSession)
class SessionAdmin(GivenUpOnly):
    """Where people are signed in: signed out there when it is deleted."""

    fields = ("user", "ip", "user_agent", "created_at", "last_seen_at")
    list_display = fields
    search_fields = ["user__robo_name", "ip"]
    list_select_related = ["user"]

    def delete_model(self, request: HttpRequest, obj: UserSession) -> None:
        """Sign out there."""
        obj.end()
