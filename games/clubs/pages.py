"""The list of clubs, the page of each club, and the forms that change it."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.inputs import GuardedForm
from accounts.models import User
from accounts.navigation import only_by_form, show_as
from games.clubs import selectors, services
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club
from games.errors import Forbidden, ServiceError
from games.lobby.selectors.rooms import games_of_club
from games.pages import for_people, hides_what_is_not_there, user_of, viewer_of
from games.refusals import Refusable
from games.standings.selectors.ratings import club_table


class ClubForm(GuardedForm, Refusable):
    """How a club is called, what it says about itself, and who may join."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, error_messages={"required": _("The club needs a name.")}
    )
    text = forms.CharField(
        label=_("About the club"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Everyone can read it on the club’s page."),
    )
    entry = forms.ChoiceField(
        label=_("Who can join"),
        choices=Club.Entry.choices,
        initial=Club.Entry.OPEN,
        widget=forms.RadioSelect,
    )

    def add_refusal(self, refusal: ServiceError) -> None:
        """Put each fault beside its field, a name that is taken too."""
        if refusal.code == "taken":
            self.add_error("name", refusal.detail)
        else:
            super().add_refusal(refusal)


# --- Pages --------------------------------------------------------------------------------------------------


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """Show clubs by name, and the reader's own."""
    viewer, text = viewer_of(request), request.GET.get("name", "").strip()[:80]
    own = isinstance(viewer, User) and not viewer.is_guest
    context = {
        "text": text,
        "clubs": selectors.clubs(text=text),
        "most": selectors.CLUBS_LISTED,
        "mine": selectors.clubs(robo_name=viewer.robo_name) if isinstance(viewer, User) and own else [],
        "invited": selectors.invitations_to_clubs(user=viewer) if isinstance(viewer, User) else [],
    }
    return render(request, "clubs/clubs.html", context)


@require_safe
@hides_what_is_not_there
def club_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: its members, its games and its table."""
    return _page(request, slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def create_club(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    form = ClubForm(request.POST or None)
    if form.is_valid():
        try:
            made = services.create_club(user=user_of(request), **form.cleaned_data, now=timezone.now())
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, gettext("Your club is here. Invite players, or let them find it."))
            return redirect(made)
    return render(request, "clubs/edit.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
@hides_what_is_not_there
def edit_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a club, or close it."""
    shown = selectors.club_view(viewer=user_of(request), slug=slug)
    if shown["my_role"] != "captain":
        return _page(request, slug, Forbidden("not-captain", gettext("Only the captain may do that.")))
    before = {name: shown[name] for name in ("name", "text", "entry")}
    form = ClubForm(request.POST or None, initial=before)
    if form.is_valid():
        try:
            services.change_club(user=user_of(request), slug=slug, now=timezone.now(), **form.cleaned_data)
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, gettext("The club is changed."))
            return redirect("clubs:club", slug)
    context = {"form": form, "club": shown}
    return render(request, "clubs/edit.html", context, status=422 if form.is_bound else 200)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def close_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a club for good."""
    try:
        services.close_club(user=user_of(request), slug=slug, now=timezone.now())
    except Forbidden as refusal:
        return _page(request, slug, refusal)
    messages.success(request, gettext("The club is closed."))
    return redirect("clubs:list")


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def join_or_leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a club, or leave it."""
    user, now = user_of(request), timezone.now()
    if request.POST.get("do") == "leave":
        services.leave_club(user=user, slug=slug, now=now)
        messages.success(request, gettext("You are no longer a member."))
        there = Club.objects.filter(slug=slug).exists()
        return redirect("clubs:club", slug) if there else redirect("clubs:list")
    return _done(
        request,
        slug,
        lambda: (
            gettext("Welcome aboard. You are a member now.")
            if services.join_club(user=user, slug=slug, now=now)
            else gettext("You asked to join. An officer of the club decides.")
        ),
    )


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def change_member(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite or admit a player, remove one, or give a member another role."""
    user, now = user_of(request), timezone.now()
    name, deed = request.POST.get("player", "").strip(), request.POST.get("do", "")

    def act() -> str:
        if deed == "remove":
            services.remove_from_club(user=user, slug=slug, robo_name=name, now=now)
            return gettext("{player} is not a member.").format(player=name)
        if deed == "invite":
            admitted = services.invite_to_club(user=user, slug=slug, robo_name=name, now=now)
            said = gettext("{player} is a member now.") if admitted else gettext("{player} is invited.")
            return said.format(player=name)
        services.set_role(user=user, slug=slug, robo_name=name, role=deed)
        return gettext("{player} has another role now.").format(player=name)

    return _done(request, slug, act)


def _done(request: HttpRequest, slug: str, act: Callable[[], str]) -> HttpResponse:
    """Do it and say so on the club's page, or say there what is wrong."""
    try:
        said = act()
    except ServiceError as refusal:
        return _page(request, slug, refusal)
    messages.success(request, said)
    return redirect("clubs:club", slug)


def _page(request: HttpRequest, slug: str, refusal: ServiceError | None = None) -> HttpResponse:
    viewer = viewer_of(request)
    shown = selectors.club_view(viewer=viewer, slug=slug)
    named = selectors.club_named(slug)
    show_as(request, "clubs:club", slug)
    context = {
        "club": shown,
        "leads": shown["my_role"] in ("captain", "officer"),
        "games": games_of_club(viewer=viewer, club=named),
        "table": club_table(club=named, now=timezone.now()),
        "refusal": refusal,
    }
    return render(request, "clubs/club.html", context, status=refusal.status if refusal else 200)
