"""Holding a club while it changes, for those who may change it."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.models import Club, Membership
from games.clubs.selectors.clubs import club_named
from games.errors import Forbidden, refuse_guests

RANKS = {Membership.Role.CAPTAIN.value: 2, Membership.Role.OFFICER.value: 1, Membership.Role.MEMBER.value: 0}
"""Roles by how much their members may do."""


def held_club(slug: str) -> Club:
    """Return a club, whose row is held from then on: its members change one after the other."""
    return club_named(slug, among=Club.objects.select_for_update(no_key=True))


def club_held_by(user: User, slug: str, least: str) -> Club:
    """Return a club whose row is held, for a member of at least this role; raises NotFound, and Forbidden."""
    refuse_guests(user)
    club = held_club(slug)
    role = club.memberships.filter(user=user).values_list("role", flat=True).first()
    if role is None or RANKS[role] < RANKS[least]:
        raise Forbidden(
            "not-captain" if least == Membership.Role.CAPTAIN else "not-officer",
            _("Only the captain may do that.")
            if least == Membership.Role.CAPTAIN
            else _("Only officers and the captain may do that."),
        )
    return club
