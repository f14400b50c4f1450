"""Sign-ups in the admin: their rules, blocks, invitation links, people who wait, and waves."""

from datetime import timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import admission
from accounts.admin import RestrictedLookups
from accounts.sign_ups import InvitationLink, SignUp, SignUpBlock, SignUpMode, SignUpRule
from games.admission import selectors, services
from games.admission.inputs import BlockForm, DeclineForm, RuleForm, StaffLinkForm, WaveForm, WaveReasonForm
from games.admission.models import Removal
from games.errors import ServiceError
from games.rights import Right, may
from games.staff.admin import ConfirmingAdmin, Question
from games.web.admin import Conditions, WatchedAdmin, staff_of


class Undeletable:
    """A mixin for rows that staff add, but neither change nor delete."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SignUpRule)
class SignUpRuleAdmin(Undeletable, RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """The history of the rules of sign-up. The newest row counts. To change it, staff add a row."""

    form = RuleForm
    list_display = ["at", "chosen", "by", "reason"]
    list_filter = ["mode"]
    list_select_related = ["by"]
    ordering = ["-at", "-pk"]
    actions = None

    @admin.display(description=_("sign-up"))
    def chosen(self, rule: SignUpRule) -> str:
        if rule.mode:
            return str(rule.get_mode_display())
        return gettext("As in SIGN_UP: {mode}").format(mode=SignUpMode(settings.SIGN_UP).label)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Say in the title who can sign up now."""
        title = gettext("Sign-up now: {mode}").format(mode=admission.mode().label)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["mode", "reason", "by", "at"] if obj else ["mode", "reason"]

    def save_model(self, request: HttpRequest, obj: SignUpRule, form: Any, change: bool) -> None:
        made = services.change_mode(
            user=staff_of(request), mode=obj.mode, reason=obj.reason, now=timezone.now()
        )
        obj.pk = made.pk


@admin.register(SignUpBlock)
class SignUpBlockAdmin(RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Blocked mail domains, addresses and networks, and exceptions from the throw-away domains."""

    form = BlockForm
    list_display = ["value", "kind", "reason", "by", "made_at", "ends_at"]
    list_filter = ["kind", "ends_at"]
    search_fields = ["value"]
    list_select_related = ["by"]

    def save_model(self, request: HttpRequest, obj: SignUpBlock, form: Any, change: bool) -> None:
        obj.by, obj.made_at = staff_of(request), timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(InvitationLink)
class InvitationLinkAdmin(Undeletable, RestrictedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Invitation links of players and staff."""

    form = StaffLinkForm
    list_display = ["made_by", "used", "most", "made_at", "ends_at"]
    list_filter = ["ends_at"]
    search_fields = ["made_by__robo_name"]
    list_select_related = ["made_by"]
    actions = ["end"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[InvitationLink]:
        rows: QuerySet[InvitationLink] = super().get_queryset(request)
        return rows.annotate(people=Count("sign_ups"))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["made_by", "used", "most", "made_at", "ends_at"] if obj else ["most"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_fields(request, obj) if obj else []

    @admin.display(description=_("signed up"))
    def used(self, link: Any) -> int:
        number: int = link.people
        return number

    def save_model(self, request: HttpRequest, obj: InvitationLink, form: Any, change: bool) -> None:
        made = admission.make_link(user=staff_of(request), most=obj.most, unlimited=True, now=timezone.now())
        obj.pk = made.pk
        address = settings.BASE_URL + reverse("accounts:join", args=[made.token])
        self.message_user(request, gettext("Send this link: {address}").format(address=address))

    @admin.action(permissions=["add"], description=_("End"))
    def end(self, request: HttpRequest, links: QuerySet[InvitationLink]) -> None:
        now = timezone.now()
        for link in links.filter(ends_at__gt=now):
            admission.end_link(user=link.made_by, link_id=link.pk, now=now)
            self.log_change(request, link, gettext("Ended."))


class Waiting(Conditions):
    """Filters sign-ups by their state."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "waiting": (_("Waits for staff"), Q(status=SignUp.Status.WAITING)),
        "admitted": (_("Admitted"), Q(status=SignUp.Status.ADMITTED)),
        "new": (_("Not confirmed"), Q(status=SignUp.Status.NEW)),
    }


DECLINE: Final = Question(
    _("Decline these accounts?"),
    _("Each person gets an email with the reason. The account is deleted, and the name is free again."),
    _("Decline"),
    _("Declined"),
    services.decline,
    "person_id",
    DeclineForm,
)


@admin.register(SignUp)
class SignUpAdmin(WatchedAdmin, ConfirmingAdmin):
    """Sign-ups of the last 90 days. Staff approve or decline people who wait."""

    list_display = ["user", "address", "at", "network_name", "invited_by", "status"]
    list_filter = [Waiting, "at"]
    related = ["user", "invitation__made_by"]
    search_fields = ["user__robo_name", "user__email"]
    actions = ["approve", "decline"]
    fields = ["user", "address", "at", "network_name", "invited_by", "status", "waits_since"]
    list_per_page = 100

    def has_act_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.DECIDE_SIGN_UPS)

    @admin.display(description=_("email address"))
    def address(self, row: SignUp) -> str:
        return row.user.email

    @admin.display(description=_("network"), ordering="network")
    def network_name(self, row: SignUp) -> str:
        return str(admission.network_of(row.network)) if row.network else ""

    @admin.display(description=_("invited by"))
    def invited_by(self, row: SignUp) -> str:
        return row.invitation.made_by.robo_name if row.invitation else ""

    def named(self, row: SignUp) -> str:
        return row.user.robo_name

    @admin.action(permissions=["act"], description=_("Approve"))
    def approve(self, request: HttpRequest, rows: QuerySet[SignUp]) -> None:
        def admit(row: SignUp) -> None:
            services.approve(user=staff_of(request), person_id=row.pk, now=timezone.now())

        self.do_for_each(request, rows, admit, gettext("Approved"))

    @admin.action(permissions=["act"], description=_("Decline"))
    def decline(self, request: HttpRequest, rows: QuerySet[SignUp]) -> TemplateResponse | None:
        return self.intervene(request, rows, DECLINE)


BLOCK_DAYS: Final = 30
"""How long the network and the domain of a removed wave are blocked, in days."""


@admin.register(Removal)
class RemovalAdmin(WatchedAdmin):
    """Waves of scripted sign-ups. Staff choose one, look at it, and remove it."""

    change_list_template = "admin/games/removal/change_list.html"
    list_display = ["asked_at", "by", "reason", "network", "domain", "total", "removed", "spared", "done_at"]
    list_filter = ["asked_at"]
    related = ["by"]
    fields = [
        "by",
        "reason",
        "since",
        "until",
        "network",
        "domain",
        "total",
        "removed",
        "spared",
        "asked_at",
        "done_at",
    ]

    def has_go_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.DELETE_ACCOUNTS)

    def get_urls(self) -> list[Any]:
        look = self.admin_site.admin_view(self.look)
        return [path("look/", look, name="games_removal_look"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show groups of recent sign-ups, the form to choose a wave, and earlier removals."""
        now = timezone.now()
        context: dict[str, Any] = {"title": gettext("Waves of sign-ups")}
        if self.has_go_permission(request):
            found = selectors.suggestions(now=now)
            context["suggestions"] = [(each, look_address(each.criteria)) for each in found]
            context["wave_form"] = WaveForm(initial={"since": now - timedelta(days=1), "until": now})
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def look(self, request: HttpRequest) -> HttpResponse:
        """Show the accounts of a wave. On POST, remove them."""
        if not self.has_go_permission(request):
            raise PermissionDenied
        form = WaveForm(request.POST if request.method == "POST" else request.GET)
        reason = WaveReasonForm(request.POST if request.method == "POST" else None)
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Remove a wave of sign-ups"),
            "wave_form": form,
            "reason_form": reason,
            "block_days": BLOCK_DAYS,
        }
        if form.is_valid():
            criteria = form.criteria()
            if request.method == "POST" and reason.is_valid():
                removal = self._remove(request, form, reason.cleaned_data["reason"])
                if removal:
                    return redirect("admin:games_removal_change", removal.pk)
            people = selectors.people_in(criteria)
            suspects = selectors.suspects_of(people[: selectors.MAX_PEOPLE], group=people)
            context |= {
                "criteria": criteria,
                "suspects": suspects,
                "total": people.count(),
                "to_remove": sum(not each.marks for each in suspects),
                "most": selectors.MAX_PEOPLE,
            }
        return TemplateResponse(request, "admin/games/removal/look.html", context)

    def _remove(self, request: HttpRequest, form: WaveForm, reason: str) -> Removal | None:
        staff, now, criteria = staff_of(request), timezone.now(), form.criteria()
        try:
            removal = services.remove_wave(
                user=staff,
                criteria=criteria,
                keep=_numbers(request, "keep"),
                include=_numbers(request, "include"),
                reason=reason,
                now=now,
            )
            if "block" in request.POST:
                block = partial(services.block, user=staff, reason=reason, now=now)
                ends_at = now + timedelta(days=BLOCK_DAYS)
                for kind, value in (("network", criteria.network), ("domain", criteria.domain)):
                    if value:
                        block(kind=kind, value=value, ends_at=ends_at)
        except ServiceError as refusal:
            self.message_user(request, refusal.detail, messages.ERROR)
            return None
        noted = gettext("Removal of {number} accounts.").format(number=removal.total)
        self.log_addition(request, removal, noted)
        said = gettext("{number} accounts are being removed with everything they wrote.")
        self.message_user(request, said.format(number=removal.total), messages.SUCCESS)
        return removal


def _numbers(request: HttpRequest, name: str) -> set[int]:
    return {int(each) for each in request.POST.getlist(name) if each.isascii() and each.isdecimal()}


def look_address(criteria: selectors.Criteria) -> str:
    """Return the address of the page that shows a wave."""
    values = {
        "since": criteria.since.isoformat(),
        "until": criteria.until.isoformat(),
        "network": criteria.network,
        "domain": criteria.domain,
    }
    return f"{reverse('admin:games_removal_look')}?{urlencode(values)}"
