"""Shared parts of the admin's read-only pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from accounts.admin import RestrictedLookups
from accounts.models import User
from accounts.rights import may
from games.errors import ServiceError
from games.play.models import Game

NOT_YET = _("Hidden until the game is over, because staff can play too.")

NEVER_PLAYED = _("Hidden because the game ended before the turn was played.")

ROWS_NAMED = 10
"""The maximum number of rows to name in one message."""


class ReadOnly:
    """A mixin that forbids adding, changing and deleting rows in forms of the admin."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Conditions(admin.SimpleListFilter):
    """A filter for a list in the admin. Staff choose one of its conditions by label."""

    conditions: ClassVar[Mapping[str, tuple[str | Promise, Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(key, str(words)) for key, (words, _found) in self.conditions.items()]

    def queryset(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.conditions.get(self.value() or "")
        return rows.filter(chosen[1]) if chosen else rows


class ActionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """An admin with actions for staff. They handle the chosen rows one after the other."""

    def do_for_each(
        self,
        request: HttpRequest,
        rows: Iterable[Any],
        deed: Callable[[Any], object],
        done: str,
        *,
        reason: str = "",
    ) -> None:
        """Run an action on each row. Show one message that names the rows it worked for, and each refusal.

        Each action is recorded in the log of the admin, with its ``reason`` on a second line.
        """
        names: list[str] = []
        for row in rows:
            name = self.named(row)
            try:
                with transaction.atomic():
                    deed(row)
                    self.log_change(request, row, f"{done}.\n{reason}" if reason else f"{done}.")
            except ServiceError as refusal:
                details = [problem["detail"] for problem in refusal.problems] or [refusal.detail]
                self.message_user(request, f"{name}: {' '.join(details)}", messages.ERROR)
            else:
                names.append(name)
        if names:
            more = len(names) - ROWS_NAMED
            message = gettext("{done}: {names} and {more} more.") if more > 0 else gettext("{done}: {names}.")
            message = message.format(done=done, names=", ".join(names[:ROWS_NAMED]), more=more)
            self.message_user(request, message, messages.SUCCESS)

    def named(self, row: Any) -> str:
        """Return the name of a row for messages."""
        return str(row)


class WatchedAdmin(RestrictedLookups, ReadOnly, ActionAdmin):
    """A read-only admin. Only its actions change rows, for staff with the right to change them."""

    change_form_template = "admin/games/watched_form.html"
    list_per_page = 50
    show_full_result_count = False
    related: ClassVar[Sequence[str]] = ()
    """The relations to load together with the rows."""
    withheld: ClassVar[Sequence[str]] = ()
    """The columns that are not loaded: secrets and large documents."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).defer(*self.withheld)
        return rows.select_related(*self.related) if self.related else rows

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Return whether the person may use the admin's actions on rows of this model."""
        return may(request.user, f"games.change_{self.opts.model_name}")

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show one row, with a button for each action."""
        context = {"actions": self.actions_on(request, object_id), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def actions_on(self, request: HttpRequest, object_id: str | None) -> list[tuple[str, str]]:
        """Return the name and label of each action for a row's page."""
        return actions_of(self, request)


def actions_of(pages: admin.ModelAdmin, request: HttpRequest) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    """Return the name and label of each admin action that the person may use."""
    return [(action[1], action[2]) for action in pages.get_actions(request).values() if action]


def staff_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def row_link(row: Model, text: object = None) -> SafeString:
    """Return a link to the page of a row in the admin."""
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, row if text is None else text)


def list_link(model: type[Model], words: str, **lookups: object) -> SafeString:
    """Return a link to a model's list in the admin, filtered by lookups."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    address = reverse(name, query=lookups)
    return format_html('<a href="{}">{}</a>', address, words)


def if_played(game: Game, show: Callable[[], object]) -> object:
    """Return the result of ``show`` if the game has started and ended, or else a notice.

    ``show`` returns a secret of the game, such as its seed.
    """
    return show() if game.was_played else NOT_YET
