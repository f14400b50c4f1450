"""The list of clubs, the page of each club, and the actions on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.navigation import show_as
from games.clubs import selectors, services
from games.clubs.inputs import LONGEST_LIST, MOST_NAMES, ClubChanges, NewClub, names_in
from games.clubs.models import Club, Membership
from games.competitions.selectors.clubs import club_news, tournaments_of_club
from games.errors import DeadLink, Forbidden, Invalid, ServiceError, number_in
from games.lobby.lists import games_of_club
from games.standings.selectors.ratings import club_table
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import handle_missing, user_of, viewer_of
from games.wording import names_in_words

NewClubForm = form_of(NewClub)
ClubChangesForm = form_of(ClubChanges)


INVITE = "invite"
"""The parameter of a club's page that puts the form for invitations at the top."""


@dataclass(frozen=True, slots=True)
class Uninvited:
    """The names of players who could not be invited, with the reasons."""

    reasons: Mapping[str, ServiceError]

    @property
    def errors_by_control(self) -> dict[str, list[str]]:
        """The errors for the summary of the page."""
        label = gettext("Names or email addresses")
        return {"club-invite": [f"{label}: {each.detail}" for each in self.reasons.values()]}


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
    """Show a club with its members, games, tournaments, news and standings."""
    return show_club(request, slug)


def show_club(
    request: HttpRequest,
    slug: str,
    refusal: ServiceError | None = None,
    uninvited: Uninvited | None = None,
) -> HttpResponse:
    """Show a club, with a message if an action or an invitation was refused."""
    viewer, now = viewer_of(request), timezone.now()
    shown, row = selectors.club_view(viewer=viewer, slug=slug), selectors.club_named(slug)
    show_as(request, "clubs:club", slug)
    leads = shown["my_role"] in (Membership.Role.CAPTAIN, Membership.Role.OFFICER)
    given, inviter, dead = _link_in(request, row)
    context = {
        "club": shown,
        "leads": leads,
        "link": _link_address(request, row) if leads else "",
        "link_given": "" if shown["my_role"] else given,
        "inviter": inviter,
        "invites_first": leads and (shown["members"] == 1 or bool(uninvited) or INVITE in request.GET),
        "dead_link": dead,
        "tournaments": tournaments_of_club(viewer=viewer, club=row),
        "games": games_of_club(viewer=viewer, club=row),
        "news": club_news(viewer=viewer, club=row),
        "table": club_table(club=row, now=now),
        "refusal": refusal,
        "uninvited": uninvited,
        "mailed": selectors.invitations_by_mail(viewer=viewer, club=row, now=now) if leads else [],
    }
    refusals = [refusal, *(uninvited.reasons.values() if uninvited else ())]
    status = next((each.status for each in refusals if each), 200)
    return render(request, "clubs/club.html", context, status=status)


def _link_address(request: HttpRequest, club: Club) -> str:
    """Return the address of a club's invitation link, or "" if the club has none."""
    query = urlencode({"link": club.link_token})
    return request.build_absolute_uri(f"{club.get_absolute_url()}?{query}") if club.link_token else ""


def _link_in(request: HttpRequest, club: Club) -> tuple[str, str, str]:
    """Return the token of a working invitation link in a request, who invites, and the error for a dead link.

    For the club's link, which anyone may pass on, the name of the inviter is empty.
    """
    given = request.GET.get("link", "")
    if not given or selectors.is_link_of(club, given):
        return given, "", ""
    mailed = selectors.mailed_invitation(club, given, now=timezone.now())
    if mailed is None or mailed.invited_by is None:
        return "", "", DeadLink("no-link").detail
    return given, mailed.invited_by.robo_name, ""


@action(NewClubForm, template="clubs/edit.html")
def create_club(request: HttpRequest, asked: dict[str, Any]) -> Done:
    club = services.create_club(user=user_of(request), **asked, now=timezone.now())
    if club.entry == Club.Entry.INVITED:
        return Done(_("Your club is ready. Invite players: no one else can join."), then=club)
    return Done(_("Your club is ready. Invite players, or let them find it."), then=club)


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
    """Change a club's name, description or entry rule."""
    services.change_club(user=user_of(request), slug=slug, **asked, now=timezone.now())


@action(refused_on=show_club, says=_("Club closed."), then="clubs:list")
def close_club(request: HttpRequest, slug: str) -> None:
    """Close a club for good."""
    services.close_club(user=user_of(request), slug=slug, now=timezone.now())


@action(refused_on=show_club)
def join_or_leave(request: HttpRequest, slug: str) -> Done:
    """Join or leave a club. This includes requests to join and invitations."""
    user, now = user_of(request), timezone.now()
    if request.POST.get("do") != "leave":
        joined = services.join_club(user=user, slug=slug, link=request.GET.get("link", ""), now=now)
        asked = gettext("You asked to join. An officer of the club will answer.")
        said = gettext("Welcome aboard! You are now a member.") if joined else asked
        return Done(said, then=reverse("clubs:club", args=[slug]))  # without the link
    services.leave_club(user=user, slug=slug, now=now)
    stays = Club.objects.filter(slug=slug).exists()
    return Done(gettext("You are no longer in this club."), then="" if stays else "clubs:list")


@action(refused_on=show_club)
def change_link(request: HttpRequest, slug: str) -> Done:
    """Create, replace or delete a club's invitation link."""
    then = _with_invite_form(slug)
    if request.POST.get("do") == "revoke":
        services.revoke_link(user=user_of(request), slug=slug)
        return Done(gettext("The link no longer works."), then)
    renewed = request.POST.get("do") == "renew"
    services.renew_link(user=user_of(request), slug=slug, replace=renewed, now=timezone.now())
    if renewed:
        return Done(gettext("This is the club’s new link. Old links no longer work."), then)
    return Done(gettext("The invitation link is ready. Copy it and send it to players."), then)


def _with_invite_form(slug: str) -> str:
    """Return the address of a club's page with the form for invitations at the top."""
    return f"{reverse('clubs:club', args=[slug])}?{urlencode({INVITE: 1})}"


@action(refused_on=show_club)
def change_member(request: HttpRequest, slug: str) -> Done | HttpResponse:
    """Invite players, admit or remove a player, or change a member's role."""
    user, now = user_of(request), timezone.now()
    name, deed = request.POST.get("player", "").strip(), request.POST.get("do", "")
    if deed == "withdraw":
        number = number_in(request.POST.get("invitation", "")) or 0
        services.withdraw_mail(user=user, slug=slug, invitation_id=number)
        said = gettext("You stopped the invitation. No one was removed from the club.")
        return Done(said, _with_invite_form(slug))
    if deed == "remove":
        services.remove_from_club(user=user, slug=slug, robo_name=name, now=now)
        said = gettext("You removed {player}.")
    elif deed == "invite":
        return _invite(request, slug)
    else:
        services.set_role(user=user, slug=slug, robo_name=name, role=deed)
        said = gettext("You changed the role of {player}.")
    return Done(said.format(player=name))


def _invite(request: HttpRequest, slug: str) -> Done | HttpResponse:
    """Invite players by their names or email addresses. Players who have asked to join become members.

    Refused names stay in the form, each with the reason.
    """
    user, now = user_of(request), timezone.now()
    text = request.POST.get("player", "")
    detail = gettext("You can invite at most {most} players at once. Invite the rest now.")
    rest = Invalid("too-many", detail.format(most=MOST_NAMES))
    if len(text) > LONGEST_LIST:
        raise rest
    names = names_in(text)
    done: dict[bool, list[str]] = {True: [], False: []}
    uninvited: dict[str, ServiceError] = {}
    for name in names[:MOST_NAMES]:
        try:
            joined = False
            if "@" in name:
                services.invite_address(user=user, slug=slug, email=name, now=now)
            else:
                joined = services.invite_to_club(user=user, slug=slug, robo_name=name, now=now)
        except ServiceError as refusal:
            if refusal.code in ("no-club", "not-officer"):
                raise
            uninvited[name] = refusal
        else:
            done[joined].append(name)
    if names[MOST_NAMES:]:
        uninvited[", ".join(names[MOST_NAMES:])] = rest
    admitted = ngettext("{players} is now a member.", "{players} are now members.", len(done[True]))
    sentences = {True: admitted, False: gettext("You invited {players}.")}
    said = [sentences[key].format(players=names_in_words(some)) for key, some in done.items() if some]
    if not uninvited:
        return Done(" ".join(said), _with_invite_form(slug))
    if said:
        messages.success(request, " ".join(said))
    return show_club(request, slug, uninvited=Uninvited(uninvited))
