"""Accounts in the admin, with what takes games to do: deleting them for good."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin import UserAdmin
from accounts.models import User
from accounts.services import placeholder_of
from games.errors import ServiceError
from games.people.models import Deletion, Forgetting
from games.people.services.deletion import delete_account
from games.people.services.erasure import ATTEMPTS, erase_again
from games.rights import Right, may
from games.tokens.services import revoke_tokens
from games.web.admin import WatchedAdmin, staff_of
from games.work.jobs import reason_in_words

admin.site.unregister(User)


@admin.register(User)
class PeopleAdmin(UserAdmin):
    """Accounts; they are deleted by the service alone, which has games forget them."""

    actions = ["delete_for_good"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows are never removed as such: games refer to them."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Let a superuser set a password, or take it away; either ends the tokens of that person."""
        with transaction.atomic():
            answer = super().user_change_password(request, id, form_url)
            person = self.get_object(request, unquote(id))
            if request.method == "POST" and person and not person.has_usable_password():
                revoke_tokens(user=person)
        return answer

    def has_go_permission(self, request: HttpRequest) -> bool:
        """Whether this person may delete accounts."""
        return may(request.user, Right.DELETE_ACCOUNTS)

    @admin.action(permissions=["go"], description=_("Delete for good"))
    def delete_for_good(self, request: HttpRequest, people: QuerySet[User]) -> TemplateResponse | None:
        """Delete accounts, after asking once more."""
        staff = request.user
        assert isinstance(staff, User)
        if "sure" not in request.POST:
            context = {**self.admin_site.each_context(request), "opts": self.opts, "people": people}
            context["title"] = gettext("Delete for good?")
            return TemplateResponse(request, "admin/accounts/user/delete_for_good.html", context)
        now, done = timezone.now(), []
        for person in people:
            name = person.robo_name
            try:
                delete_account(user=person, by=staff, takes_chat="chat" in request.POST, now=now)
            except ServiceError as refusal:
                self.message_user(request, f"{name}: {refusal.detail}", messages.ERROR)
            else:
                gone = User.objects.get(pk=person.pk)
                self.log_change(request, gone, gettext("Deleted for good."))
                done.append(placeholder_of(gone))
        if done:
            self.message_user(
                request, gettext("Deleted: now {names}.").format(names=", ".join(done)), messages.SUCCESS
            )
        return None


class GamesOfDeletion(admin.TabularInline):  # type: ignore[type-arg]
    """Games that a deletion has to do with, and what is the matter with them."""

    model = Forgetting
    fields = ("game", "attempts", "done_at", "why")
    readonly_fields = ("game", "attempts", "done_at", "why")
    verbose_name_plural = _("games")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Forgetting]:
        """Games that failed; the others are no one's concern."""
        return super().get_queryset(request).exclude(error="").select_related("game")

    @admin.display(description=_("error"))
    def why(self, forgetting: Forgetting) -> str:
        """What is the matter with it."""
        return reason_in_words(forgetting.error)


@admin.register(Deletion)
class DeletionAdmin(WatchedAdmin):
    """Deletions of accounts; staff may have games tried again that could not be rewritten."""

    list_display = ["user", "asked_at", "done_at", "stuck"]
    list_filter = ["asked_at"]
    related = ["user"]
    actions = ["go_on"]
    inlines = [GamesOfDeletion]
    fields = ["user", "by", "takes_chat", "asked_at", "done_at", "stuck"]

    @admin.display(description=_("games that wait for staff"))
    def stuck(self, deletion: Deletion) -> int:
        """How many games failed too often."""
        return deletion.games.filter(attempts__gte=ATTEMPTS).count()

    @admin.action(permissions=["act"], description=_("Continue"))
    def go_on(self, request: HttpRequest, deletions: QuerySet[Deletion]) -> None:
        """Have another try at games that failed."""
        self.do_for_each(
            request,
            deletions,
            lambda deletion: erase_again(user=staff_of(request), deletion_id=deletion.pk),
            gettext("To be continued"),
        )
