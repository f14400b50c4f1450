"""Accounts in the admin pages: people, groups, addresses, second factors and sessions.

Only superusers grant rights, set passwords and addresses, and remove second factors, because a person could
use any of these to become a superuser. Staff with the right permission can do the rest, but they cannot
change other staff.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from allauth.account import admin as account_admin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa_admin
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as provider_admin
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions import admin as sessions_admin
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin, UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import rights
from accounts.inputs import check_name
from accounts.models import AUDIENCES, User, mailbox_of
from accounts.rights import RIGHTS, has_all_rights, may_act_for


class RestrictedLookups:
    """Restricts the lookups in the URL of an admin list to the list's filters and `links`.

    Django itself allows lookups on every column of the model, even on columns that the list does not show.
    With such lookups, staff could guess a secret, such as a session key, letter by letter.
    """

    list_filter: ClassVar[Any]
    links: tuple[str, ...] = ()
    """The lookups that a URL may use besides the list's filters.

    Links between admin pages use them.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Return whether the query of a URL may filter rows by this lookup."""
        if lookup in self.links:
            return True
        for each in self.list_filter:
            if isinstance(each, str) and (lookup == each or lookup.startswith(f"{each}__")):
                return True
            if lookup == getattr(each, "parameter_name", None):
                return True
        return False


class AddressForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form for an email address of an account. The primary address is copied to the account itself."""

    class Meta:
        model = EmailAddress
        fields = ("user", "email", "verified", "primary")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.was_primary = bool(self.instance.pk and self.instance.primary)

    def _get_validation_exclusions(self) -> set[str]:
        """Leave out the check for a second primary address, because `save_address` deletes the first."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # not in its types
        return excluded | {"primary"}

    def clean(self) -> dict[str, Any]:
        """Refuse an address of another account, and refuse to leave an account without a primary address."""
        given = super().clean() or {}
        user = given.get("user") or getattr(self.instance, "user", None)
        email = given["email"] = mailbox_of(given.get("email") or "")
        others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
        if email and others.filter(email__iexact=email).exists():
            self.add_error("email", gettext("Another account has this email address."))
        if self.was_primary and not given.get("primary"):
            self.add_error(
                "primary", gettext("An account needs a primary address. Make another one primary instead.")
            )
        return given


# Use the same login page for staff, so that the same limits apply.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


LOCK: list[Any] = ["is_active", "locked_until", "lock_reason"]
"""The columns of a lock. Staff lock an account with an action that asks for a reason."""


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]
    """The form for a new account: Robo Name, address and password."""

    class Meta:
        model = User
        fields = ["robo_name", "email"]


class GuestsFilter(admin.SimpleListFilter):
    """Filters the list of accounts. Shows people (the default), guests, or both."""

    title = "account"
    parameter_name = "guests"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", gettext("Guests")), ("all", gettext("All"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        default, *others = super().choices(changelist)
        yield {**default, "display": gettext("People")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() == "all":
            return queryset
        return queryset.filter(is_guest=self.value() == "yes")


@admin.register(User)
class UserAdmin(RestrictedLookups, DjangoUserAdmin):  # type: ignore[type-arg]
    """Accounts. Staff set the Robo Name and address of a new account, and cannot change them later."""

    add_form = NewUserForm
    add_fieldsets = [(None, {"fields": ["robo_name", "email", "usable_password", "password1", "password2"]})]
    fieldsets = [
        (None, {"fields": ["robo_name", "email", "password"]}),
        (_("Lock"), {"fields": LOCK}),
        (_("Settings"), {"fields": ["look", "time_zone", "language", "manner", "daily_hour", *AUDIENCES]}),
        (_("Rights"), {"fields": ["is_staff", "is_superuser", "groups", "user_permissions"]}),
        (_("Dates"), {"fields": ["date_joined", "last_login"]}),
    ]
    list_display = ["robo_name", "email", "is_staff", "is_active", "date_joined", "last_login"]
    list_filter = [GuestsFilter, "is_staff", "is_superuser", "is_active", "manner"]
    search_fields = ["robo_name", "email"]
    ordering = ["robo_name"]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Make the Robo Name, address and lock of an existing account read-only.

        Passwords and rights are read-only for everyone except superusers.
        """
        fixed = ["robo_name", "email", *LOCK] if obj else [*LOCK]
        if not has_all_rights(request.user):
            fixed += ["password", *RIGHTS] if obj else RIGHTS
        return [*super().get_readonly_fields(request, obj), *fixed, "date_joined", "last_login"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether this person may change an account. Only superusers change staff accounts."""
        return super().has_change_permission(request, obj) and may_act_for(request.user, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set a person's password, and notify the person by email.

        Raises PermissionDenied for everyone except superusers.
        """
        if not has_all_rights(request.user):
            raise PermissionDenied
        with transaction.atomic():  # also revokes the API tokens made with the old password
            before = self.get_object(request, unquote(id))
            answer = super().user_change_password(request, id, form_url)
        after = self.get_object(request, unquote(id))
        if before and after and after.password != before.password:
            rights.notify_password_changed(user=after, now=timezone.now())
        return answer

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the groups and permissions of an account. Notify the person if their rights changed."""
        super().save_related(request, form, formsets, change)
        if change and set(form.changed_data) & set(RIGHTS):
            rights.notify_rights_changed(user=form.instance, now=timezone.now())


class SuperusersOnly:
    """Lets only superusers add, change and delete rows. Other staff can only view them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return has_all_rights(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_all_rights(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_all_rights(request.user)


class DeleteOnlyAdmin(RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lets staff view rows and delete them through a service, but not add or change them."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# allauth's admin pages show secrets. Importing them registers them, so replace them here.
admin.site.unregister(mfa_admin.Authenticator)
admin.site.unregister(sessions_admin.UserSession)
admin.site.unregister(account_admin.EmailAddress)
admin.site.unregister(provider_admin.SocialApp)
admin.site.unregister(provider_admin.SocialToken)
admin.site.unregister(SocialAccount)
admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(SuperusersOnly, DjangoGroupAdmin):
    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **more: Any) -> Any:
        """Refuse forbidden characters in group names, as in all other names."""
        form: Any = super().get_form(request, obj, change, **more)
        form.base_fields["name"].validators.append(check_name)
        return form


@admin.register(EmailAddress)
class AddressAdmin(SuperusersOnly, RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Email addresses of accounts. After a change, the owner is notified at the old and the new address."""

    actions = None
    fields = ("user", "email", "verified", "primary")
    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    links = ("user__id__exact",)
    search_fields = ["email", "user__robo_name"]
    list_select_related = ["user"]
    raw_id_fields = ["user"]
    form = AddressForm

    def get_readonly_fields(self, request: HttpRequest, obj: EmailAddress | None = None) -> Any:
        """Make the account of an existing address read-only."""
        return [*super().get_readonly_fields(request, obj), *(["user"] if obj else [])]

    def has_delete_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        """Return whether this person may delete an address. No one may delete a primary address."""
        return super().has_delete_permission(request, obj) and not (obj and obj.primary)

    def save_model(self, request: HttpRequest, obj: EmailAddress, form: Any, change: bool) -> None:
        rights.save_address(address=obj, now=timezone.now())

    def delete_model(self, request: HttpRequest, obj: EmailAddress) -> None:
        rights.remove_address(address=obj, now=timezone.now())


@admin.register(Authenticator)
class SecondFactorAdmin(DeleteOnlyAdmin):
    """Second factors. Only superusers can remove a lost factor. Its owner is notified by email."""

    fields = ("user", "type", "created_at", "last_used_at")
    list_display = fields
    list_filter = ["type"]
    links = ("user__id__exact",)
    search_fields = ["user__robo_name"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_all_rights(request.user)

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        rights.remove_factor(factor=obj, now=timezone.now())


@admin.register(SocialAccount)
class ProviderLoginAdmin(DeleteOnlyAdmin):
    """Links of accounts with a provider of single sign-on. Only superusers can remove one."""

    fields = ("user", "provider", "uid", "date_joined", "last_login")
    list_display = fields
    list_filter = ["provider"]
    search_fields = ["user__robo_name"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_all_rights(request.user)

    def delete_model(self, request: HttpRequest, obj: SocialAccount) -> None:
        rights.remove_provider_login(identity=obj, now=timezone.now())


@admin.register(UserSession)
class SessionAdmin(DeleteOnlyAdmin):
    """Login sessions of people. Deleting a session logs the person out."""

    fields = ("user", "ip", "user_agent", "created_at", "last_seen_at")
    list_display = fields
    links = ("user__id__exact",)
    search_fields = ["user__robo_name", "ip"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: UserSession | None = None) -> bool:
        """Return whether this person may end a session. Only superusers end the sessions of staff."""
        person = obj.user if obj else None
        return super().has_delete_permission(request, obj) and may_act_for(request.user, person)

    def delete_model(self, request: HttpRequest, obj: UserSession) -> None:
        get_adapter().end_sessions([obj])
