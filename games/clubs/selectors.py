"""Views of clubs, their members and invitations."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.contrib.postgres.search import SearchQuery
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.models import NAME_VECTOR, Candidate, Club, ClubGame, Membership
from games.errors import NotFound, player_named

CLUBS_LISTED: Final = 50

MOST_MATCHES: Final = 200
"""Maximum matches of a search by words, before the list is cut."""


class ClubFacts(TypedDict):
    """A club in a list."""

    slug: Annotated[str, "The club's name in URLs."]
    name: str
    text: Annotated[str, "The club's description."]
    entry: Annotated[str, Club.Entry, "How players join."]
    members: Annotated[int, "The number of members."]
    created_at: datetime


class MemberView(TypedDict):
    """A member of a club, or a candidate."""

    robo_name: str
    look: int | None
    role: Annotated[str | None, Membership.Role, "Null for invited players and for requests to join."]
    since: Annotated[datetime, "When the player joined, was invited or asked to join."]


class ClubView(ClubFacts):
    """A club with its members."""

    my_role: Annotated[str | None, Membership.Role, "Your role. Null if you are not a member."]
    asked: Annotated[bool, "Whether you have an open request to join."]
    invited: Annotated[bool, "Whether you have an open invitation."]
    people: Annotated[
        list[MemberView],
        "The captain first, then officers, then members. In each group, the earliest to join comes first.",
    ]
    applicants: Annotated[list[MemberView], "Players who asked to join. Only for officers and the captain."]
    invitees: Annotated[list[MemberView], "Invited players. Only for officers and the captain."]


def club_named(slug: str, *, among: QuerySet[Club] | None = None) -> Club:
    """Return a club by its slug. Raises NotFound."""
    clubs = Club.objects.all() if among is None else among
    club = clubs.filter(slug=slug).first()
    if club is None:
        raise NotFound("no-club", _("There is no such club."))
    return club


def clubs(*, text: str = "", robo_name: str = "") -> list[ClubFacts]:
    """Return clubs by name, filtered by word prefixes or by member.

    Raises NotFound for an unknown player.
    """
    found = Club.objects.order_by(Lower("name"))
    if text:
        found = found.filter(pk__in=_matches(text))
    if robo_name:
        found = found.filter(memberships__user=player_named(robo_name))
    listed = list(found[:CLUBS_LISTED])
    sizes = dict(
        Membership.objects.filter(club__in=listed)
        .order_by()
        .values("club")
        .annotate(number=Count("*"))
        .values_list("club", "number")
    )
    return [_facts(club, sizes.get(club.pk, 0)) for club in listed]


def clubs_of(user: User) -> QuerySet[Club]:
    """Return a player's clubs, by name."""
    return Club.objects.filter(memberships__user=user).order_by("name")


def clubs_led_by(user: User) -> list[Club]:
    """Return the clubs with this player as officer or captain, by name."""
    leads = Membership.objects.filter(user=user).exclude(role=Membership.Role.MEMBER)
    return list(Club.objects.filter(pk__in=leads.values("club")).order_by("name"))


def club_view(*, viewer: Any, slug: str) -> ClubView:
    """Return a club as a viewer sees it. Raises NotFound."""
    club = club_named(slug)
    members = list(club.memberships.select_related("user"))
    order = {role: place for place, role in enumerate(Membership.Role.values)}
    members.sort(key=lambda each: order[each.role])
    mine = next((each for each in members if each.user_id == viewer.pk), None)
    wait = club.candidates.select_related("user")
    leads = mine is not None and mine.role != Membership.Role.MEMBER
    own = wait.filter(user=viewer.pk).first() if isinstance(viewer, User) and mine is None else None
    waiting = list(wait) if leads else []
    return {
        **_facts(club, len(members)),
        "my_role": mine.role if mine else None,
        "asked": own is not None and not own.invited,
        "invited": own is not None and own.invited,
        "people": [_person(each, each.role) for each in members],
        "applicants": [_person(each, None) for each in waiting if not each.invited],
        "invitees": [_person(each, None) for each in waiting if each.invited],
    }


def invitations_to_clubs(*, user: User) -> list[Club]:
    """Return the clubs that have invited a player."""
    return [club for club, invited in clubs_that_wait_for(user=user) if invited]


def clubs_that_wait_for(*, user: User) -> list[tuple[Club, bool]]:
    """Return clubs with an open invitation to a player or a request to join.

    The flag is True for an invitation. Requests come from clubs that the player leads as officer or captain.
    """
    here = Candidate.objects.filter(club=OuterRef("pk"))
    invited = user.candidacies.filter(invited=True).values("club")
    leads = user.memberships.exclude(role=Membership.Role.MEMBER).values("club")
    known = Club.objects.filter(pk__in=invited.union(leads, all=True))
    found = known.annotate(invited=Exists(here.filter(user=user, invited=True)))
    wait = found.filter(Q(invited=True) | Exists(here.filter(invited=False)))
    return [(club, club.invited) for club in wait]


def club_of_game(game_id: int) -> Club | None:
    """Return the club of a members-only game, or None."""
    row = ClubGame.objects.select_related("club").filter(game=game_id).first()
    return row.club if row else None


def open_to(viewer: Any) -> Q:
    """Return the condition for games without a club, or of the viewer's clubs."""
    if not isinstance(viewer, User):
        return Q(club_game=None)
    return Q(club_game=None) | Q(club_game__club__in=viewer.memberships.values("club"))


def _matches(text: str) -> list[int]:
    """Search clubs by word prefixes, in any order and case.

    The query is not sorted: Postgres would scan all names instead of using their index.
    """
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in text.split())
    words = " & ".join(f"'{word}':*" for word in quoted)
    found = Club.objects.alias(words=NAME_VECTOR).filter(
        words=SearchQuery(words, config="simple", search_type="raw")
    )
    return list(found.order_by().values_list("pk", flat=True)[:MOST_MATCHES])


def _facts(club: Club, members: int) -> ClubFacts:
    return {
        "slug": club.slug,
        "name": club.name,
        "text": club.text,
        "entry": club.entry,
        "members": members,
        "created_at": club.created_at,
    }


def _person(row: Membership | Candidate, role: str | None) -> MemberView:
    return {"robo_name": row.user.robo_name, "look": row.user.look, "role": role, "since": row.since}
