"""Accounts in the admin: the facts for support, the search of staff, and actions for the owner."""

from dataclasses import replace
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts.admin import UserAdmin
from accounts.mail import bounce_closure_of, closure_of, mail_records, waiting_mail
from accounts.models import User
from accounts.rights import has_all_rights, may_act_for
from accounts.services import placeholder_of
from games.errors import ServiceError
from games.moderation.models import Case, Sanction
from games.moderation.sanctions import HEAVY, in_force
from games.news.models import Notice
from games.news.reasons import explain
from games.news.services import FAILED
from games.people.admin import questions
from games.people.admin.finder import find
from games.people.models import ApiToken, Block
from games.people.pages import data_file_of
from games.people.services.deletion import delete_account
from games.people.tokens import revoke_tokens
from games.play.models import Game, Seat
from games.rights import Right, may
from games.staff import support
from games.staff.admin import ConfirmingAdmin, Question
from games.web.admin import list_link, row_link, staff_of
from games.work.jobs import reason_in_words

admin.site.unregister(User)

ON_MAIL: Final = ("send_test", "confirm_again", "forgive_bounce", "send_again")
"""The actions of the page about an account's mail."""

NOTICES_SHOWN: Final = 50
"""The number of the newest notifications on the page about an account's mail."""

GAMES_SHOWN: Final = 10
"""The number of a person's unfinished games on the page of the account."""


def _action(question: Question, permission: str, label: Any, *, for_one: bool = False) -> Any:
    """Return an action of the admin that shows a confirmation form, ``for_one`` account or for many."""

    @admin.action(permissions=[permission], description=label)
    def ask(pages: "PeopleAdmin", request: HttpRequest, people: QuerySet[User]) -> Any:
        if for_one and people.count() != 1:
            pages.message_user(request, gettext("Choose one person."), messages.ERROR)
            return None
        return pages.intervene(request, people, question)

    return ask


@admin.register(User)
class PeopleAdmin(ConfirmingAdmin, UserAdmin):
    """Accounts, with actions of support. Only `delete_account` deletes an account."""

    change_form_template = "admin/accounts/user/change_form.html"
    actions = [
        "give_address",
        "rename",
        "remove_factors",
        "log_out",
        "lock",
        "unlock",
        "send_data",
        "give_data",
        *ON_MAIL,
        "delete_for_good",
    ]
    support = ("addresses", "factors", "decisions", "games", "more")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Put the facts for support first on the page of an existing account.

        Games and decisions are only for staff who may see these.
        """
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        hidden = {
            name
            for name, model in {"games": Game, "decisions": Sanction}.items()
            if not self.admin_site.get_model_admin(model).has_view_permission(request)
        }
        shown = [name for name in self.support if name not in hidden]
        account, *others = fieldsets
        return [account, (_("Support"), {"fields": shown}), *others]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return [*super().get_readonly_fields(request, obj), *(self.support if obj else ())]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: accounts cannot be deleted as rows, because games refer to them."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set or remove another person's password, as a superuser. This revokes the person's API tokens."""
        with transaction.atomic():
            answer = super().user_change_password(request, id, form_url)
            person = self.get_object(request, unquote(id))
            if request.method == "POST" and person and not person.has_usable_password():
                revoke_tokens(user=person)
        return answer

    # --- What staff see ---------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        """Add the search of the first page, and the page about an account's mail."""
        own = [
            path("find/", self.admin_site.admin_view(self.find_view), name="accounts_user_find"),
            path("<int:number>/mail/", self.admin_site.admin_view(self.mail_view), name="accounts_user_mail"),
        ]
        return [*own, *super().get_urls()]

    def find_view(self, request: HttpRequest) -> HttpResponse:
        """Show the results of the search field of the first page. A single or an exact hit opens at once.

        If there are other hits than the exact one, a message links to all of them.
        """
        text = request.GET.get("q", "")
        groups = find(text, request)
        hits = [hit for group in groups for hit in group.hits]
        exact = [hit for hit in hits if hit.exact]
        if "all" not in request.GET and (len(hits) == 1 or len(exact) == 1):
            row = (exact or hits)[0].row
            if len(hits) > 1:
                address = reverse("admin:accounts_user_find", query={"q": text, "all": "yes"})
                number = ngettext(
                    "There is {number} other hit.", "There are {number} other hits.", len(hits) - 1
                )
                words = format_html(
                    '{} <a href="{}">{}</a>',
                    number.format(number=len(hits) - 1),
                    address,
                    gettext("Show all"),
                )
                self.message_user(request, words, messages.INFO)
            return redirect(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", row.pk)
        context = {**self.admin_site.each_context(request), "title": gettext("Find"), "groups": groups}
        return TemplateResponse(request, "admin/find.html", {**context, "text": text})

    def mail_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Show all mail and notifications to a person, with their outcome and its reason."""
        person = self.get_object(request, str(number))
        if person is None:
            raise Http404
        of_notices = self.admin_site.get_model_admin(Notice)
        if not (self.has_view_permission(request, person) and of_notices.has_view_permission(request)):
            raise PermissionDenied
        now = timezone.now()
        newest = Notice.objects.filter(user=person).select_related("user", "game", "starship")
        notices = list(newest.prefetch_related("game__players").order_by("-created_at")[:NOTICES_SHOWN])
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": person,
            "title": gettext("Mail to {player}").format(player=person.robo_name),
            "addresses": self.addresses(person),
            "closed": closure_of(person.email),
            "silenced": person.silenced,
            "blocks": Block.objects.filter(user=person).count(),
            "waiting": [(mail, reason_in_words(mail.last_error)) for mail in waiting_mail(person)],
            "records": [(each, reason_in_words(each.error)) for each in mail_records(person)[:NOTICES_SHOWN]],
            "notices": [
                (notice, row_link(notice, notice.pk), explain(notice, now=now)) for notice in notices
            ],
            "all_notices": list_link(Notice, gettext("All notifications"), user__id__exact=person.pk),
            "actions": self.actions_on(request, person, mail=True),
        }
        return TemplateResponse(request, "admin/accounts/user/mail.html", context)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show an account with a button for each action."""
        person = self.get_object(request, unquote(object_id)) if object_id else None
        actions = self.actions_on(request, person) if person else []
        shows_mail = self.admin_site.get_model_admin(Notice).has_view_permission(request)
        context = {"actions": actions, "shows_mail": shows_mail, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def actions_on(self, request: HttpRequest, person: User, *, mail: bool = False) -> list[tuple[str, str]]:
        """Return the name and label of each action that is possible on an account, or on its mail."""
        if person.is_guest or person.deleted_at or not may_act_for(staff_of(request), person):
            return []
        addresses = EmailAddress.objects.filter(user=person)
        possible = {
            "unlock": not person.is_active,
            "remove_factors": Authenticator.objects.filter(user=person).exists(),
            "send_data": bool(person.email),
            "send_test": bool(person.email),
            "confirm_again": addresses.filter(verified=False).exists(),
            "forgive_bounce": bounce_closure_of(person.email) is not None,
            "send_again": Notice.objects.filter(user=person, status__in=FAILED).exists(),
        }
        actions = (action for action in self.get_actions(request).values() if action)
        return [
            (name, label)
            for _service, name, label in actions
            if possible.get(name, True) and (name in ON_MAIL) == mail and name in self.actions
        ]

    @admin.display(description=_("addresses"))
    def addresses(self, person: User) -> SafeString | str:
        """List the addresses of an account, whether they are confirmed, and why mail to them is off."""
        rows = []
        for each in EmailAddress.objects.filter(user=person).order_by("-primary", "pk"):
            state = gettext("confirmed") if each.verified else gettext("waits for confirmation")
            if closed := closure_of(each.email):
                off = gettext("no mail about games since {time}: {cause}. {reason}")
                time = date_format(timezone.localtime(closed.closed_at), "DATETIME_FORMAT")
                state = f"{state}, {off}".format(
                    time=time, cause=closed.get_cause_display(), reason=closed.reason
                )
            rows.append((each.email, state))
        return format_html_join(mark_safe("<br>"), "{}: {}", rows) or gettext("none")

    @admin.display(description=_("second factors"))
    def factors(self, person: User) -> str:
        found = Authenticator.objects.filter(user=person).order_by("pk")
        return ", ".join(str(each.get_type_display()) for each in found) or gettext("none")

    @admin.display(description=_("decisions in force"))
    def decisions(self, person: User) -> SafeString | str:
        """List the sanctions that restrict the person now, as links."""
        rows = []
        for each in in_force(user=person, now=timezone.now()):
            assert each.ends_at
            words = gettext("{kind} until {time}")
            time = date_format(timezone.localtime(each.ends_at), "DATETIME_FORMAT")
            rows.append((row_link(each, words.format(kind=each.get_kind_display(), time=time)),))
        return format_html_join(mark_safe("<br>"), "{}", rows) or gettext("none")

    @admin.display(description=_("unfinished games"))
    def games(self, person: User) -> SafeString | str:
        """List the person's games that are open or running, newest first, as links."""
        going_on = Game.objects.filter(players__user=person, ended_at=None).order_by("-pk").distinct()
        rows = [(row_link(each), each.get_status_display()) for each in going_on[:GAMES_SHOWN]]
        return format_html_join(mark_safe("<br>"), "{}, {}", rows) or gettext("none")

    @admin.display(description=_("related"))
    def more(self, person: User) -> SafeString:
        """Links to the lists of everything that belongs to the account."""
        own = {"user__id__exact": person.pk}
        links = [
            list_link(Seat, gettext("games"), **own),
            list_link(UserSession, gettext("sessions"), **own),
            list_link(EmailAddress, gettext("addresses"), **own),
            list_link(Authenticator, gettext("second factors"), **own),
            list_link(ApiToken, gettext("API tokens"), **own),
            list_link(Notice, gettext("notifications"), **own),
            list_link(Case, gettext("cases"), person__id__exact=person.pk),
            list_link(Sanction, gettext("sanctions"), **own),
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links))

    # --- What staff do ----------------------------------------------------------------------------------

    def has_support_permission(self, request: HttpRequest) -> bool:
        return has_all_rights(request.user)

    def has_accounts_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.CHANGE_ACCOUNTS)

    def has_sessions_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.END_SESSIONS)

    def has_names_permission(self, request: HttpRequest) -> bool:
        return may(request.user, HEAVY)

    def has_notices_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.CHANGE_NOTICES)

    def has_go_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.DELETE_ACCOUNTS)

    def intervene(self, request: HttpRequest, rows: QuerySet[Any], question: Question) -> Any:
        """Ask for confirmation. After an action on one account, return to the account, or to its mail."""
        numbers = list(rows.values_list("pk", flat=True)[:2])
        if answer := super().intervene(request, rows, question):
            return answer
        if len(numbers) != 1:
            return None
        page = "mail" if request.POST.get("action") in ON_MAIL else "change"
        return redirect(f"admin:accounts_user_{page}", numbers[0])

    give_address = _action(questions.GIVE_ADDRESS, "support", _("New address"), for_one=True)
    rename = _action(questions.RENAME, "names", _("Rename on request"), for_one=True)
    remove_factors = _action(questions.REMOVE_FACTORS, "support", _("Remove all second factors"))
    log_out = _action(questions.LOG_OUT, "sessions", _("Log out everywhere"))
    lock = _action(questions.LOCK, "accounts", _("Lock"))
    unlock = _action(questions.UNLOCK, "accounts", _("Unlock"))
    send_data = _action(questions.SEND_DATA, "accounts", _("Send their data"))
    send_test = _action(questions.SEND_TEST, "notices", _("Send a test"))
    confirm_again = _action(questions.CONFIRM_AGAIN, "notices", _("Send the confirmation link again"))
    forgive_bounce = _action(questions.FORGIVE_BOUNCE, "notices", _("Try the bounced address again"))
    send_again = _action(questions.SEND_AGAIN, "notices", _("Send failed notifications again"))

    @admin.action(permissions=["support"], description=_("Download their data"))
    def give_data(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Return the file of personal data of one person, after a confirmation page."""
        given: list[User] = []

        def give(**more: Any) -> None:
            given.append(support.give_data(**more))

        if people.count() != 1:
            self.message_user(request, gettext("Choose one person."), messages.ERROR)
            return None
        answer = self.intervene(request, people, replace(questions.GIVE_DATA, service=give))
        return data_file_of(given[0], f"robo-runner-account-{given[0].pk}.json") if given else answer

    @admin.action(permissions=["go"], description=_("Delete permanently"))
    def delete_for_good(self, request: HttpRequest, people: QuerySet[User]) -> TemplateResponse | None:
        """Delete the chosen accounts for good, after a confirmation page."""
        staff = staff_of(request)
        form = questions.ReasonForDeletion(request.POST if "sure" in request.POST else None)
        if not form.is_valid():
            context = {**self.admin_site.each_context(request), "opts": self.opts, "people": people}
            context["form"] = form
            context["title"] = gettext("Delete permanently?")
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
                said = gettext("Deleted permanently. {reason}")
                self.log_change(request, gone, said.format(reason=form.cleaned_data["reason"]))
                done.append(placeholder_of(gone))
        if done:
            self.message_user(
                request,
                gettext("Deleted. New names: {names}.").format(names=", ".join(done)),
                messages.SUCCESS,
            )
        return None
