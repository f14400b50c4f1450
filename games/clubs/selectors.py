"""Clubs, their members and their invitations, as players see them."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Final, TypedDict
from urllib.parse import parse_qs, urlsplit

from django.contrib.postgres.search import SearchQuery
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.urls import Resolver404, resolve
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.mail import keyed_hashes
from accounts.models import User
from games.clubs.models import BY_MAIL, NAME_VECTOR, Candidate, Club, ClubGame, Membership
from games.errors import NotFound, player_named

CLUBS_LISTED: Final = 50

MOST_MATCHES: Final = 200
"""The maximum number of clubs that a search by words finds. Only `CLUBS_LISTED` of them are shown."""


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
    """Return the club with this slug. Raises NotFound if there is none."""
    clubs = Club.objects.all() if among is None else among
    club = clubs.filter(slug=slug).first()
    if club is None:
        raise NotFound("no-club", _("There is no such club."))
    return club


def clubs(*, text: str = "", robo_name: str = "") -> list[ClubFacts]:
    """Return clubs sorted by name, filtered by words in their name or by a member.

    In ``text``, beginnings of words are enough. ``robo_name`` is the member's Robo Name. Raises NotFound for
    an unknown player.
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
    """Return a player's clubs, sorted by name."""
    return Club.objects.filter(memberships__user=user).order_by("name")


def clubs_led_by(user: User) -> list[Club]:
    """Return the clubs that a player leads, as an officer or the captain, sorted by name."""
    leads = Membership.objects.filter(user=user).exclude(role=Membership.Role.MEMBER)
    return list(Club.objects.filter(pk__in=leads.values("club")).order_by("name"))


def club_view(*, viewer: Any, slug: str) -> ClubView:
    """Return a club as a viewer sees it. Raises NotFound if there is no such club."""
    club = club_named(slug)
    members = list(club.memberships.select_related("user"))
    order = {role: place for place, role in enumerate(Membership.Role.values)}
    members.sort(key=lambda each: order[each.role])
    mine = next((each for each in members if each.user_id == viewer.pk), None)
    wait = club.candidates.filter(email="").select_related("user")
    leads = mine is not None and mine.role != Membership.Role.MEMBER
    asks = isinstance(viewer, User) and mine is None
    own = club.candidates.filter(user=viewer.pk).first() if asks else None
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


INVITATION_LASTS: Final = timedelta(days=30)
"""How long an invitation by mail can be accepted."""


def is_link_of(club: Club, token: str) -> bool:
    """Return whether a token belongs to a club's current invitation link."""
    return bool(club.link_token) and constant_time_compare(club.link_token, token)


def mail_token(club_id: int, email: str) -> str:
    """Return the token of the link in an invitation by mail. It is the same if the club invites again."""
    return _mail_tokens(club_id, email)[0]


def mailed_invitation(club: Club, token: str, *, now: datetime) -> Candidate | None:
    """Return the open invitation by mail whose link has this token, or None if there is none."""
    rows = _mailed(club, now).filter(status=Candidate.Status.OPEN).select_related("invited_by")
    for each in rows if token else ():
        if any(constant_time_compare(known, token) for known in _mail_tokens(club.pk, each.email)):
            return each
    return None


def invitation_behind(address: str, *, now: datetime) -> tuple[str, str] | None:
    """Return the names of the club and of the inviter behind the address of an invitation link.

    Returns None for other addresses and for dead links. For a club's own link, the inviter is empty.
    """
    parts = urlsplit(address)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return None
    club = Club.objects.filter(slug=found.kwargs["slug"]).first() if found.view_name == "clubs:club" else None
    token = parse_qs(parts.query).get("link", [""])[0]
    if club is None:
        return None
    if is_link_of(club, token):
        return club.name, ""
    mailed = mailed_invitation(club, token, now=now)
    return (club.name, mailed.invited_by.robo_name) if mailed and mailed.invited_by else None


def invitations_by_mail(*, viewer: Any, club: Club, now: datetime) -> list[tuple[int, str, datetime]]:
    """Return a club's invitations by mail: their ID, address and time. Only their sender sees the address.

    Accepted invitations are included, so as not to reveal who accepted them.
    """
    rows = _mailed(club, now).exclude(status=Candidate.Status.WITHDRAWN).select_related("invited_by")
    return [(each.pk, _addressee(each, viewer), each.since) for each in rows]


def _addressee(row: Candidate, viewer: Any) -> str:
    assert row.invited_by
    if row.invited_by == viewer:
        return row.email
    return _("Someone invited by {player}").format(player=row.invited_by.robo_name)


def _mailed(club: Club, now: datetime) -> QuerySet[Candidate]:
    return club.candidates.filter(BY_MAIL, since__gt=now - INVITATION_LASTS)


def _mail_tokens(club_id: int, email: str) -> list[str]:
    return keyed_hashes("games.clubs.invitation", f"{club_id} {email}")


def invitations_to_clubs(*, user: User) -> list[Club]:
    """Return the clubs that have invited a player."""
    return [club for club, invited in clubs_that_wait_for(user=user) if invited]


def clubs_that_wait_for(*, user: User) -> list[tuple[Club, bool]]:
    """Return the clubs that wait for a player's answer, each with a flag.

    The flag is True if the club has invited the player. Otherwise, the player leads the club as officer or
    captain, and someone has asked to join it.
    """
    here = Candidate.objects.filter(club=OuterRef("pk"))
    invited = user.candidacies.filter(invited=True).values("club")
    leads = user.memberships.exclude(role=Membership.Role.MEMBER).values("club")
    known = Club.objects.filter(pk__in=invited.union(leads, all=True))
    found = known.annotate(invited=Exists(here.filter(user=user, invited=True)))
    wait = found.filter(Q(invited=True) | Exists(here.filter(invited=False)))
    return [(club, club.invited) for club in wait]


def club_of_game(game_id: int) -> Club | None:
    """Return the club of a members-only game, or None for other games."""
    row = ClubGame.objects.select_related("club").filter(game=game_id).first()
    return row.club if row else None


def open_to(viewer: Any) -> Q:
    """Return a query condition for games that no club closes to a viewer.

    These are games without a club, and games of the viewer's clubs.
    """
    if not isinstance(viewer, User):
        return Q(club_game=None)
    return Q(club_game=None) | Q(club_game__club__in=viewer.memberships.values("club"))


def _matches(text: str) -> list[int]:
    """Return the IDs of up to `MOST_MATCHES` clubs with these words in their name, in any order and case.

    Beginnings of words are enough. The query has no order: to sort, Postgres would scan all names instead of
    using their index.
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
    assert row.user
    return {"robo_name": row.user.robo_name, "look": row.user.look, "role": role, "since": row.since}
