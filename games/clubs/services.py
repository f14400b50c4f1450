"""Create, change and close clubs, and manage their members."""

import unicodedata
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.robo_names import skeleton
from games import errors
from games.clubs.models import Candidate, Club, ClubGame, Membership
from games.clubs.selectors import club_named
from games.errors import Conflict, Forbidden, Invalid, player_named, refuse_guests
from games.moderation.models import Sanction
from games.moderation.sanctions import refuse_suspended
from games.news.services import notify_with_subject
from games.people.contacts import refuse_call
from games.play.viewers import refuse_words
from games.work.models import lock_person
from rules.names import is_visible

RANKS = {Membership.Role.CAPTAIN.value: 2, Membership.Role.OFFICER.value: 1, Membership.Role.MEMBER.value: 0}
"""The rank of each role. A higher rank may do more."""


def locked_club(slug: str) -> Club:
    """Lock a club's row, so that its members change one at a time. Raises NotFound."""
    return club_named(slug, among=Club.objects.select_for_update(no_key=True))


def locked_club_led_by(user: User, slug: str, least: str) -> Club:
    """Lock a club for a member with at least this role. Raises NotFound, Forbidden."""
    refuse_guests(user)
    club = locked_club(slug)
    role = club.memberships.filter(user=user).values_list("role", flat=True).first()
    if role is None or RANKS[role] < RANKS[least]:
        raise Forbidden(
            "not-captain" if least == Membership.Role.CAPTAIN else "not-officer",
            _("Only the captain can do this.")
            if least == Membership.Role.CAPTAIN
            else _("Only officers and the captain can do this."),
        )
    return club


MOST_CLUBS_LED: Final = 3
"""Maximum clubs of one captain."""

MOST_CLUBS_JOINED: Final = 20
"""Maximum clubs of one player."""

RESERVED_SLUGS: Final = frozenset({"new"})
"""Reserved slugs: other pages have these addresses."""


def create_club(
    *, user: User, name: str, text: str = "", entry: str = Club.Entry.OPEN, now: datetime
) -> Club:
    """Create a club, with the user as its captain.

    Raises Forbidden for guests, muted players and words that staff removed. Raises Conflict if another club
    has the name, or if the player leads or has joined too many clubs.
    """
    refuse_guests(user)
    refuse_words(user=user, words=[name, text], now=now)
    club = Club(name=name, text=text, entry=entry, created_at=now)
    with transaction.atomic():
        lock_person(user)
        refuse_busy(user)
        if leads_most_clubs(user):
            raise Conflict(
                "too-many",
                _("You lead {most} clubs, which is the limit. Make another member captain first.").format(
                    most=MOST_CLUBS_LED
                ),
            )
        _refuse_taken_words(user, club)
        _refuse_alike(club)
        club.slug = _slug(club.name)
        club.save()
        Membership.objects.create(club=club, user=user, role=Membership.Role.CAPTAIN, since=now)
    return club


def change_club(
    *,
    user: User,
    slug: str,
    name: str | None = None,
    text: str | None = None,
    entry: str | None = None,
    now: datetime,
) -> Club:
    """Change a club's name, text or entry, as its captain.

    None leaves a value as it is, and the slug never changes. Raises NotFound; Forbidden for everyone except
    the captain, and if a muted captain changes the name or text; and the other errors of `create_club`.
    """
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Membership.Role.CAPTAIN)
        before = club.name, club.text
        club.name = club.name if name is None else name
        club.text = club.text if text is None else text
        club.entry = club.entry if entry is None else entry
        refuse_words(user=user, words=[club.name, club.text], before=before, now=now)
        if (club.name, club.text) != before:
            _refuse_taken_words(user, club)
        if club.name != before[0]:
            _refuse_alike(club)
        club.save()
    return club


def close_club(*, user: User, slug: str, now: datetime) -> None:
    """Close a club for good, for its captain. Its games continue.

    Raises NotFound, and Forbidden for everyone except the captain.
    """
    with transaction.atomic():
        end_club(locked_club_led_by(user, slug, Membership.Role.CAPTAIN), by=user, now=now)


def end_club(club: Club, *, by: User, now: datetime) -> None:
    """Delete a locked club. Notify its members and candidates, except ``by``."""
    people = User.objects.filter(Q(memberships__club=club) | Q(pk__in=club.candidates.values("user")))
    others = list(people.exclude(pk=by.pk).order_by("pk").distinct())
    notify_with_subject(users=others, kind="club-over", club=club.pk, name=club.name, now=now)
    club.delete()


def rename_club(*, club: Club, name: str) -> None:
    """Give a locked club another name and slug for staff, and clear its text.

    Raises Conflict if another club has the name.
    """
    club.name, club.text = name, ""
    _refuse_alike(club)
    club.slug = _slug(club.name)
    club.save()


def restore_club(*, club: Club, name: str, text: str) -> None:
    """Restore a club's name and text. Raises Conflict if the name is taken now."""
    club.name, club.text = name, text
    _refuse_alike(club)
    club.slug = _slug(name)
    club.save()


def note_game(*, user: User, game_id: int, slug: str) -> None:
    """Reserve a new game for members of its host's club.

    Raises NotFound, and Forbidden if the host is not a member.
    """
    club = club_named(slug)
    if not club.memberships.filter(user=user).exists():
        raise Forbidden("no-member", _("You are not a member of {club}.").format(club=club.name))
    ClubGame.objects.create(game_id=game_id, club=club)


def leads_most_clubs(user: User) -> bool:
    """Return True if a player is captain of `MOST_CLUBS_LED` clubs."""
    return user.memberships.filter(role=Membership.Role.CAPTAIN).count() >= MOST_CLUBS_LED


def refuse_busy(user: User) -> None:
    """Raise Conflict if a player belongs to `MOST_CLUBS_JOINED` clubs."""
    if user.memberships.count() >= MOST_CLUBS_JOINED:
        detail = _("You are a member of {most} clubs, which is the limit. Leave one first.")
        raise Conflict("too-many", detail.format(most=MOST_CLUBS_JOINED))


def _refuse_taken_words(user: User, club: Club) -> None:
    """Raise Forbidden if staff removed these words from the club or the player."""
    decided = Sanction.objects.filter(kind=Sanction.Kind.CLUB, lifted_at=None)
    decided = decided.filter(Q(user=user) | Q(club=club.pk, club__isnull=False))
    for name, text in decided.values_list("before", "text_before"):
        if _letters(club.name) == _letters(name):
            raise Forbidden("taken-away", _("Staff removed this name. Choose another name."))
        if text and _letters(club.text) == _letters(text):
            raise Forbidden("taken-away", _("Staff removed this text. Write another text."))


def _letters(text: str) -> str:
    """Normalise a name or text, so that lookalikes become equal."""
    small = unicodedata.normalize("NFC", text).casefold()
    return skeleton("".join(filter(str.isalnum, small)) or "".join(filter(is_visible, small)))


def _slug(name: str) -> str:
    """Return a free slug for a club of this name."""
    return errors.free_slug(name, of=Club, usual="club", reserved=RESERVED_SLUGS)


def _refuse_alike(club: Club) -> None:
    """Raise Conflict if the name of another club reads the same."""
    errors.lock_slugs(Club)  # clubs that get names at the same time take turns
    looks, others = _letters(club.name), Club.objects.exclude(pk=club.pk).values_list("name", flat=True)
    if any(_letters(other) == looks for other in others):
        raise Conflict("taken", _("Another club has this name. Choose another name."))


# --- Members ------------------------------------------------------------------------------------------------


MOST_MEMBERS: Final = 200

MOST_CANDIDATES: Final = 100
"""Maximum open invitations and requests of one club."""

Role = Membership.Role


def join_club(*, user: User, slug: str, now: datetime) -> bool:
    """Join a club, or ask to. Return True if the player is a member now.

    Raises NotFound, Conflict for members and if the club is full, and Forbidden for guests, for suspended
    players, and without an invitation if the club needs one.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        club = locked_club(slug)
        if club.memberships.filter(user=user).exists():
            raise Conflict("already-member", _("You are already a member."))
        invited = club.candidates.filter(user=user, invited=True).exists()
        if invited or club.entry == Club.Entry.OPEN:
            _admit(club, user, now)
            return True
        if club.entry == Club.Entry.INVITED:
            raise Forbidden(
                "invited-only", _("You need an invitation to join this club. Ask an officer for one.")
            )
        refuse_busy(user)
        _add_candidate(club, user, invited=False, now=now)
    return False


def leave_club(*, user: User, slug: str, now: datetime) -> None:
    """Leave a club, decline its invitation or withdraw a request to join.

    If the captain leaves, the longest-serving officer becomes captain, or the longest-serving member if there
    are no officers. If the last member leaves, the club closes. Raises NotFound, and Forbidden for guests.
    """
    refuse_guests(user)
    with transaction.atomic():
        club = locked_club(slug)
        club.candidates.filter(user=user).delete()
        member = club.memberships.filter(user=user).first()
        if member:
            _remove_member(club, member, now)


def leave_all(*, user: User, now: datetime) -> None:
    """Leave all clubs, because the player's account is deleted."""
    for slug in Club.objects.filter(memberships__user=user).order_by("pk").values_list("slug", flat=True):
        leave_club(user=user, slug=slug, now=now)


def invite_to_club(*, user: User, slug: str, robo_name: str, now: datetime) -> bool:
    """Invite a player, for an officer, or admit one who asked to join.

    Return True if the player is a member now. Raises NotFound, Conflict for members and if the club is full,
    and Forbidden for everyone below officer, for suspended officers, and if the player blocks the invitation.
    """
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        person = player_named(robo_name)
        if club.memberships.filter(user=person).exists():
            raise Conflict(
                "already-member", _("{player} is already a member.").format(player=person.robo_name)
            )
        if club.candidates.filter(user=person, invited=False).exists():
            _admit(club, person, now)
            return True
        refuse_call(user=user, person=person, detail=_("You cannot invite {player}."))
        _add_candidate(club, person, invited=True, now=now)
    return False


def remove_from_club(*, user: User, slug: str, robo_name: str, now: datetime) -> None:
    """Remove a member of a lower role, an invitation or a request to join.

    Raises NotFound, and Forbidden for a member of the same or a higher role and for everyone below officer.
    """
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        person = player_named(robo_name)
        member = club.memberships.filter(user=person).first()
        asked = club.candidates.filter(user=person, invited=False).exists()
        club.candidates.filter(user=person).delete()
        if member is None:
            if asked:
                _notify_removed(club, person, asked=True, now=now)
            return
        if RANKS[member.role] >= RANKS[club.memberships.get(user=user).role]:
            raise Forbidden("same-role", _("You can only remove members with a role below yours."))
        member.delete()
        _notify_removed(club, person, asked=False, now=now)


def set_role(*, user: User, slug: str, robo_name: str, role: str) -> None:
    """Change a member's role, for the captain. The old captain becomes an officer.

    Raises NotFound, Invalid for an unknown role, Forbidden for everyone except the captain, and Conflict for
    the captain, for a player who is not a member, and for a new captain who leads too many clubs.
    """
    if role not in Role:
        known = ", ".join(Role.values)
        raise Invalid("no-role", _("Choose one of these: {choices}.").format(choices=known))
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.CAPTAIN)
        person = player_named(robo_name)
        if person.pk == user.pk:
            raise Conflict("captain", _("You are the captain. Make another member captain first."))
        member = club.memberships.filter(user=person).first()
        if member is None:
            raise Conflict(
                "no-member", _("{player} is not a member of the club.").format(player=person.robo_name)
            )
        if role == Role.CAPTAIN:
            lock_person(person)
            if leads_most_clubs(person):
                detail = _("{player} leads {most} clubs, which is the limit. Choose another member.")
                raise Conflict("too-many", detail.format(player=person.robo_name, most=MOST_CLUBS_LED))
            club.memberships.filter(user=user).update(role=Role.OFFICER)
        member.role = role
        member.save(update_fields=["role"])


def _notify_removed(club: Club, person: User, *, asked: bool, now: datetime) -> None:
    notify_with_subject(
        users=[person], kind="club-out", club=club.pk, name=club.name, asked=int(asked), now=now
    )


def _admit(club: Club, user: User, now: datetime) -> None:
    """Add a player to a locked club. Raises Conflict if it is full."""
    refuse_busy(user)
    if club.memberships.count() >= MOST_MEMBERS:
        raise Conflict(
            "full", _("{club} is full: it has {most} members.").format(club=club.name, most=MOST_MEMBERS)
        )
    club.candidates.filter(user=user).delete()
    Membership.objects.create(club=club, user=user, since=now)


def _add_candidate(club: Club, user: User, *, invited: bool, now: datetime) -> None:
    if club.candidates.filter(user=user).exists():
        return
    if club.candidates.count() >= MOST_CANDIDATES:
        raise Conflict(
            "too-many",
            _("{club} has too many open invitations and requests. Try again later.").format(club=club.name),
        )
    Candidate.objects.create(club=club, user=user, invited=invited, since=now)


def _remove_member(club: Club, member: Membership, now: datetime) -> None:
    """Remove a member from a locked club. Appoint a captain or close it if needed."""
    member.delete()
    if member.role != Role.CAPTAIN:
        return
    others = list(club.memberships.select_related("user"))
    if not others:
        end_club(club, by=member.user, now=now)
        return
    free = [each for each in others if not leads_most_clubs(each.user)]
    successor = max(free or others, key=lambda each: RANKS[each.role])  # ties: the longest-serving
    successor.role = Role.CAPTAIN
    successor.save(update_fields=["role"])
