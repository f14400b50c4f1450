"""The list of clubs, the page of each club, and the actions on it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.navigation import show_as
from games.clubs import selectors, services
from games.clubs.inputs import ClubChanges, NewClub
from games.clubs.models import Club, Membership
from games.errors import Forbidden, ServiceError
from games.lobby.lists import games_of_club
from games.standings.selectors.ratings import club_table
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import handle_missing, user_of, viewer_of

NewClubForm = form_of(NewClub)
ClubChangesForm = form_of(ClubChanges)


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """List clubs by name, with the reader's own clubs and invitations."""
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
@handle_missing
def club_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club with its members, games and standings."""
    return show_club(request, slug)


def show_club(request: HttpRequest, slug: str, refusal: ServiceError | None = None) -> HttpResponse:
    """Show a club, with a message if an action on it was refused."""
    viewer = viewer_of(request)
    shown = selectors.club_view(viewer=viewer, slug=slug)
    show_as(request, "clubs:club", slug)
    context = {
        "club": shown,
        "leads": shown["my_role"] in (Membership.Role.CAPTAIN, Membership.Role.OFFICER),
        "games": games_of_club(viewer=viewer, club=selectors.club_named(slug)),
        "table": club_table(club=selectors.club_named(slug), now=timezone.now()),
        "refusal": refusal,
    }
    return render(request, "clubs/club.html", context, status=refusal.status if refusal else 200)


@action(
    NewClubForm,
    template="clubs/edit.html",
    says=_("Your club is ready. Invite players, or let them find it."),
)
def create_club(request: HttpRequest, asked: dict[str, Any]) -> Done:
    return Done(then=services.create_club(user=user_of(request), **asked, now=timezone.now()))


def _club_to_edit(request: HttpRequest, slug: str) -> dict[str, Any]:
    shown = selectors.club_view(viewer=user_of(request), slug=slug)
    if shown["my_role"] != Membership.Role.CAPTAIN:
        raise Forbidden("not-captain", gettext("Only the captain can do this."))
    return {"club": shown, "initial": {name: shown[name] for name in ClubChangesForm.base_fields}}  # type: ignore[literal-required]


@action(
    ClubChangesForm,
    template="clubs/edit.html",
    context=_club_to_edit,
    refused_on=show_club,
    says=_("Club saved."),
)
def edit_club(request: HttpRequest, slug: str, asked: dict[str, Any]) -> None:
    """Change a club's name, text or entry."""
    services.change_club(user=user_of(request), slug=slug, **asked, now=timezone.now())


@action(refused_on=show_club, says=_("Club closed."), then="clubs:list")
def close_club(request: HttpRequest, slug: str) -> None:
    """Close a club for good."""
    services.close_club(user=user_of(request), slug=slug, now=timezone.now())


@action(refused_on=show_club)
def join_or_leave(request: HttpRequest, slug: str) -> Done:
    """Join a club, or leave it."""
    user, now = user_of(request), timezone.now()
    if request.POST.get("do") != "leave":
        joined = services.join_club(user=user, slug=slug, now=now)
        asked = gettext("You asked to join. An officer of the club will answer.")
        return Done(gettext("Welcome aboard! You are now a member.") if joined else asked)
    services.leave_club(user=user, slug=slug, now=now)
    stays = Club.objects.filter(slug=slug).exists()
    return Done(gettext("You are no longer in this club."), then="" if stays else "clubs:list")


@action(refused_on=show_club)
def change_member(request: HttpRequest, slug: str) -> Done:
    """Invite, admit or remove a player, or change a member's role."""
    user, now = user_of(request), timezone.now()
    name, deed = request.POST.get("player", "").strip(), request.POST.get("do", "")
    if deed == "remove":
        services.remove_from_club(user=user, slug=slug, robo_name=name, now=now)
        said = gettext("You removed {player}.")
    elif deed == "invite":
        admitted = services.invite_to_club(user=user, slug=slug, robo_name=name, now=now)
        said = gettext("{player} is now a member.") if admitted else gettext("You invited {player}.")
    else:
        services.set_role(user=user, slug=slug, robo_name=name, role=deed)
        said = gettext("You changed the role of {player}.")
    return Done(said.format(player=name))
