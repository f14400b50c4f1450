"""Becoming a member of a club, inviting to it, and leaving."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.models import Candidate, Club, Membership
from games.clubs.services.clubs import MOST_LED, end_club, leads_enough, refuse_busy
from games.clubs.services.locks import RANKS, club_held_by, held_club
from games.contacts.selectors import refuse_call
from games.errors import Conflict, Forbidden, Invalid, refuse_guests
from games.news.services.notifications import tell_of_subject
from games.players import player_named
from games.sanctions.selectors import refuse_suspended

MOST_MEMBERS: Final = 200

MOST_CANDIDATES: Final = 100
"""Players who may be invited to a club, or wait for it, at a time."""

Role = Membership.Role


def join_club(*, user: User, slug: str, now: datetime) -> bool:
    """Become a member, or ask to be admitted; return whether the player is a member now.

    Raises NotFound, Forbidden for guests, while suspended, and where it takes an invitation, and Conflict for
    one who is a member already, and where there is no room.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        club = held_club(slug)
        if club.memberships.filter(user=user).exists():
            raise Conflict("already-member", _("You are a member already."))
        invited = club.candidates.filter(user=user, invited=True).exists()
        if invited or club.entry == Club.Entry.OPEN:
            _admit(club, user, now)
            return True
        if club.entry == Club.Entry.INVITED:
            raise Forbidden("invited-only", _("This club is for invited players."))
        refuse_busy(user)
        _add_candidate(club, user, invited=False, now=now)
    return False


def leave_club(*, user: User, slug: str, now: datetime) -> None:
    """Leave a club, or no longer want to be admitted to it.

    The captain's part goes to the officer, or else the member, who has been there longest. Without any
    member left the club is closed. Raises NotFound, and Forbidden for guests.
    """
    refuse_guests(user)
    with transaction.atomic():
        club = held_club(slug)
        club.candidates.filter(user=user).delete()
        member = club.memberships.filter(user=user).first()
        if member:
            _part(club, member, now)


def leave_all(*, user: User, now: datetime) -> None:
    """Have a player leave all clubs, since their account is deleted."""
    for slug in Club.objects.filter(memberships__user=user).order_by("pk").values_list("slug", flat=True):
        leave_club(user=user, slug=slug, now=now)


def invite_to_club(*, user: User, slug: str, robo_name: str, now: datetime) -> bool:
    """Invite a player, as an officer, or admit one who asked; return whether they are a member now.

    Raises NotFound, Forbidden for those who are no officers, while suspended, and where the player takes no
    invitations from this one, and Conflict for members, and where there is no room.
    """
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        club = club_held_by(user, slug, Role.OFFICER)
        person = player_named(robo_name)
        if club.memberships.filter(user=person).exists():
            raise Conflict(
                "already-member", _("{player} is a member already.").format(player=person.robo_name)
            )
        if club.candidates.filter(user=person, invited=False).exists():
            _admit(club, person, now)
            return True
        refuse_call(user=user, person=person, detail=_("{player} accepts no invitations from you."))
        _add_candidate(club, person, invited=True, now=now)
    return False


def remove_from_club(*, user: User, slug: str, robo_name: str, now: datetime) -> None:
    """Remove a member whose role is below one's own, or someone who is invited, or who asked.

    Raises NotFound, and Forbidden for all others.
    """
    with transaction.atomic():
        club = club_held_by(user, slug, Role.OFFICER)
        person = player_named(robo_name)
        member = club.memberships.filter(user=person).first()
        asked = club.candidates.filter(user=person, invited=False).exists()
        club.candidates.filter(user=person).delete()
        if member is None:
            if asked:
                _tell_removed(club, person, asked=True, now=now)
            return
        if RANKS[member.role] >= RANKS[club.memberships.get(user=user).role]:
            raise Forbidden("same-role", _("You can remove members whose role is below yours."))
        member.delete()
        _tell_removed(club, person, asked=False, now=now)


def set_role(*, user: User, slug: str, robo_name: str, role: str) -> None:
    """Give a member another role, as the captain, who becomes an officer where it is theirs that they give.

    Raises NotFound, Forbidden for all others, Conflict for one who is no member, or leads as many clubs as
    one may, and Invalid for no role.
    """
    if role not in Role:
        known = ", ".join(Role.values)
        raise Invalid("no-role", _("Choose one of these: {choices}.").format(choices=known))
    with transaction.atomic():
        club = club_held_by(user, slug, Role.CAPTAIN)
        person = player_named(robo_name)
        if person.pk == user.pk:
            raise Conflict("captain", _("Make another member captain first."))
        member = club.memberships.filter(user=person).first()
        if member is None:
            raise Conflict(
                "no-member", _("{player} is not a member of the club.").format(player=person.robo_name)
            )
        if role == Role.CAPTAIN:
            User.objects.select_for_update(no_key=True).get(pk=person.pk)
            if leads_enough(person):
                detail = _("{player} leads {most} clubs, which is the limit. Choose another member.")
                raise Conflict("too-many", detail.format(player=person.robo_name, most=MOST_LED))
            club.memberships.filter(user=user).update(role=Role.OFFICER)
        member.role = role
        member.save(update_fields=["role"])


def _tell_removed(club: Club, person: User, *, asked: bool, now: datetime) -> None:
    tell_of_subject(users=[person], kind="club-out", club=club.pk, name=club.name, asked=int(asked), now=now)


def _admit(club: Club, user: User, now: datetime) -> None:
    """Make someone a member of a club whose row is held."""
    refuse_busy(user)
    if club.memberships.count() >= MOST_MEMBERS:
        raise Conflict(
            "full", _("{club} has {most} members, and no room.").format(club=club.name, most=MOST_MEMBERS)
        )
    club.candidates.filter(user=user).delete()
    Membership.objects.create(club=club, user=user, since=now)


def _add_candidate(club: Club, user: User, *, invited: bool, now: datetime) -> None:
    if club.candidates.filter(user=user).exists():
        return
    if club.candidates.count() >= MOST_CANDIDATES:
        raise Conflict(
            "too-many", _("Too many players wait for {club}. Try again later.").format(club=club.name)
        )
    Candidate.objects.create(club=club, user=user, invited=invited, since=now)


def _part(club: Club, member: Membership, now: datetime) -> None:
    """Remove a member of a club whose row is held; another may have to be captain, or no one."""
    member.delete()
    if member.role != Role.CAPTAIN:
        return
    others = list(club.memberships.select_related("user"))
    if not others:
        end_club(club, by=member.user, now=now)
        return
    free = [each for each in others if not leads_enough(each.user)]
    successor = max(free or others, key=lambda each: RANKS[each.role])  # of equals the one longest there
    successor.role = Role.CAPTAIN
    successor.save(update_fields=["role"])
