"""Clubs: their list, and the page of each with its games and its table."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.context_processors import show_as
from accounts.models import User
from accounts.onward import only_by_form
from games.clubs.forms import ClubForm
from games.clubs.models import Club
from games.clubs.selectors import clubs as reading
from games.clubs.services import clubs, members
from games.errors import Forbidden, ServiceError
from games.lobby.selectors.rooms import games_of_club
from games.pages import for_people, hides_what_is_not_there, user_of, viewer_of
from games.ratings.selectors.clubs import club_table


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Show clubs by name, and the reader's own."""
    viewer, text = viewer_of(request), request.GET.get("name", "").strip()[:80]
    own = isinstance(viewer, User) and not viewer.is_guest
    context = {
        "text": text,
        "clubs": reading.clubs(text=text),
        "most": reading.MOST,
        "mine": reading.clubs(robo_name=viewer.robo_name) if isinstance(viewer, User) and own else [],
        "invited": reading.invitations_to_clubs(user=viewer) if isinstance(viewer, User) else [],
    }
    return render(request, "clubs/clubs.html", context)


@require_safe
@hides_what_is_not_there
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: its members, its games and its table."""
    return _page(request, slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def found(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    form = ClubForm(request.POST or None)
    if form.is_valid():
        try:
            made = clubs.found_club(user=user_of(request), **form.cleaned_data, now=timezone.now())
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("Your club is here. Invite players, or let them find it."))
            return redirect(made)
    return render(request, "clubs/edit.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
@hides_what_is_not_there
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a club, or close it."""
    shown = reading.club_view(viewer=user_of(request), slug=slug)
    if shown["my_role"] != "captain":
        return _page(request, slug, Forbidden("not-captain", _("Only the captain may do that.")))
    before = {name: shown[name] for name in ("name", "text", "entry")}
    form = ClubForm(request.POST or None, initial=before)
    if form.is_valid():
        try:
            clubs.change_club(user=user_of(request), slug=slug, now=timezone.now(), **form.cleaned_data)
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("The club is changed."))
            return redirect("clubs:club", slug)
    context = {"form": form, "club": shown}
    return render(request, "clubs/edit.html", context, status=422 if form.is_bound else 200)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a club for good."""
    try:
        clubs.close_club(user=user_of(request), slug=slug, now=timezone.now())
    except Forbidden as refusal:
        return _page(request, slug, refusal)
    messages.success(request, _("The club is closed."))
    return redirect("clubs:list")


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def belong(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a club, or leave it."""
    user, now = user_of(request), timezone.now()
    if request.POST.get("do") == "leave":
        members.leave_club(user=user, slug=slug, now=now)
        messages.success(request, _("You are no longer a member."))
        there = Club.objects.filter(slug=slug).exists()
        return redirect("clubs:club", slug) if there else redirect("clubs:list")
    return _done(
        request,
        slug,
        lambda: (
            _("Welcome aboard. You are a member now.")
            if members.join_club(user=user, slug=slug, now=now)
            else _("You asked to join. An officer of the club decides.")
        ),
    )


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def member(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite or admit a player, remove one, or give a member another role."""
    user, now = user_of(request), timezone.now()
    name, deed = request.POST.get("player", "").strip(), request.POST.get("do", "")

    def act() -> str:
        if deed == "remove":
            members.remove_from_club(user=user, slug=slug, robo_name=name, now=now)
            return _("{player} is not a member.").format(player=name)
        if deed == "invite":
            admitted = members.invite_to_club(user=user, slug=slug, robo_name=name, now=now)
            said = _("{player} is a member now.") if admitted else _("{player} is invited.")
            return said.format(player=name)
        members.set_role(user=user, slug=slug, robo_name=name, role=deed)
        return _("{player} has another role now.").format(player=name)

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
    shown = reading.club_view(viewer=viewer, slug=slug)
    named = reading.club_named(slug)
    show_as(request, "clubs:club", slug)
    context = {
        "club": shown,
        "leads": shown["my_role"] in ("captain", "officer"),
        "games": games_of_club(viewer=viewer, club=named),
        "table": club_table(club=named, now=timezone.now()),
        "refusal": refusal,
    }
    return render(request, "clubs/club.html", context, status=refusal.status if refusal else 200)
