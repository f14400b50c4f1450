"""Create, change and close clubs, and manage their members."""

import unicodedata
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.robo_names import skeleton
from games import errors
from games.clocks.clock import DAY
from games.clubs.models import BY_MAIL, Candidate, Club, ClubGame, Membership
from games.clubs.selectors import INVITATION_LASTS, club_named, is_link_of, mailed_invitation
from games.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    TooMany,
    new_token,
    player_named,
    refuse_guests,
)
from games.moderation.models import Sanction
from games.moderation.sanctions import refuse_suspended
from games.news.models import Notice
from games.news.services import channels_of, notify_address, notify_people, notify_with_subject
from games.people.contacts import count_invitation, invited_address, reachable, reader_of, refuse_call
from games.play.models import Game
from games.play.viewers import refuse_words
from games.work.models import lock_person
from rules.names import is_visible

RANKS = {Membership.Role.CAPTAIN.value: 2, Membership.Role.OFFICER.value: 1, Membership.Role.MEMBER.value: 0}
"""The rank of each role in a club. A role with a higher rank has more rights."""


def locked_club(slug: str) -> Club:
    """Lock and return a club, so that no other request can change its members at the same time.

    Raises NotFound if there is no such club.
    """
    return club_named(slug, among=Club.objects.select_for_update(no_key=True))


def locked_club_led_by(user: User, slug: str, least: str) -> Club:
    """Lock and return a club, for a member with the role ``least`` or a higher one.

    Raises NotFound if there is no such club, and Forbidden for anyone else.
    """
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
"""The maximum number of clubs that one player can lead as captain."""

MOST_CLUBS_JOINED: Final = 20
"""The maximum number of clubs that one player can be a member of."""

RESERVED_SLUGS: Final = frozenset({"new"})
"""Slugs that no club can have, because other pages have these addresses."""


def create_club(
    *, user: User, name: str, text: str = "", entry: str = Club.Entry.OPEN, now: datetime
) -> Club:
    """Create a club, with the user as its captain.

    Raises Forbidden for guests, for muted players, and for names and texts that staff have removed before.
    Raises Invalid for a link in a newcomer's text. Raises Conflict if another club has the name, or if the
    player leads or has joined too many clubs.
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
    """Change a club's name, text or entry rule, as its captain.

    None leaves a value as it is, and the slug never changes. Raises NotFound if there is no such club. Raises
    Forbidden for everyone except the captain, for a new name or text by a muted captain, and for names and
    texts that staff have removed before. Raises Invalid for a link in a newcomer's text, and Conflict if
    another club has the name.
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
    """Close a club for good, as its captain. The club's games continue.

    Raises NotFound if there is no such club, and Forbidden for everyone except the captain.
    """
    with transaction.atomic():
        end_club(locked_club_led_by(user, slug, Membership.Role.CAPTAIN), by=user, now=now)


def end_club(club: Club, *, by: User, now: datetime) -> None:
    """Delete a club, and notify its members and candidates, except the user ``by``.

    The caller must hold the lock on the club.
    """
    people = User.objects.filter(Q(memberships__club=club) | Q(pk__in=club.candidates.values("user")))
    others = list(people.exclude(pk=by.pk).order_by("pk").distinct())
    notify_with_subject(users=others, kind="club-over", club=club.pk, name=club.name, now=now)
    club.delete()


def rename_club(*, club: Club, name: str) -> None:
    """Give a club another name and slug, as staff, and clear its text.

    The caller must hold the lock on the club. Raises Conflict if another club has the name.
    """
    club.name, club.text = name, ""
    _refuse_alike(club)
    club.slug = _slug(club.name)
    club.save()


def restore_club(*, club: Club, name: str, text: str) -> None:
    """Restore the earlier name and text of a club. Raises Conflict if another club has the name now."""
    club.name, club.text = name, text
    _refuse_alike(club)
    club.slug = _slug(name)
    club.save()


MOST_ANNOUNCED: Final = 5
"""The maximum number of games, and of tournaments, of one host that a club hears of in 24 hours."""


def note_game(*, game: Game, slug: str, now: datetime) -> None:
    """Reserve a new game for the members of one of its host's clubs, and notify them unless it is private.

    Raises NotFound if there is no such club, and Forbidden if the host is not a member.
    """
    club = club_named(slug)
    if not club.memberships.filter(user=game.host).exists():
        raise Forbidden("no-member", _("You are not a member of {club}.").format(club=club.name))
    ClubGame.objects.create(game=game, club=club)
    if not game.private:
        made = Game.objects.filter(host=game.host, club_game__club=club)
        announce(club=club, by=game.host, kind="club-game", about=game.pk, made=made, now=now)


def announce(*, club: Club, by: User, kind: str, about: int, made: QuerySet[Any], now: datetime) -> None:
    """Notify a club's members of something new, except its maker ``by`` and people who have blocked them.

    ``made`` are the games or tournaments that ``by`` has made for the club. If more than `MOST_ANNOUNCED` of
    them are from the last 24 hours, no one is notified.
    """
    if made.filter(created_at__gt=now - DAY).count() <= MOST_ANNOUNCED:
        members = User.objects.filter(memberships__club=club).exclude(pk=by.pk).order_by("pk")
        notify_people(users=reachable(user=by, people=members), kind=kind, about=about, now=now)


def leads_most_clubs(user: User) -> bool:
    """Return True if a player is captain of `MOST_CLUBS_LED` clubs."""
    return user.memberships.filter(role=Membership.Role.CAPTAIN).count() >= MOST_CLUBS_LED


def refuse_busy(user: User) -> None:
    """Raise Conflict if a player is a member of `MOST_CLUBS_JOINED` clubs."""
    if user.memberships.count() >= MOST_CLUBS_JOINED:
        detail = _("You are a member of {most} clubs, which is the limit. Leave one first.")
        raise Conflict("too-many", detail.format(most=MOST_CLUBS_JOINED))


def _refuse_taken_words(user: User, club: Club) -> None:
    """Raise Forbidden if staff removed this name or text before, from this club or a club of this player."""
    decided = Sanction.objects.filter(kind=Sanction.Kind.CLUB, lifted_at=None)
    decided = decided.filter(Q(user=user) | Q(club=club.pk, club__isnull=False))
    for name, text in decided.values_list("before", "text_before"):
        if _letters(club.name) == _letters(name):
            raise Forbidden("taken-away", _("Staff removed this name. Choose another name."))
        if text and _letters(club.text) == _letters(text):
            raise Forbidden("taken-away", _("Staff removed this text. Write another text."))


def _letters(text: str) -> str:
    """Normalise a name or text, so that texts that look alike become equal."""
    small = unicodedata.normalize("NFC", text).casefold()
    return skeleton("".join(filter(str.isalnum, small)) or "".join(filter(is_visible, small)))


def _slug(name: str) -> str:
    """Return an unused slug for a club with this name."""
    return errors.free_slug(name, of=Club, usual="club", reserved=RESERVED_SLUGS)


def _refuse_alike(club: Club) -> None:
    """Raise Conflict if this club's name looks the same as the name of another club."""
    errors.lock_slugs(Club)  # so that two clubs never get the same name at the same time
    looks, others = _letters(club.name), Club.objects.exclude(pk=club.pk).values_list("name", flat=True)
    if any(_letters(other) == looks for other in others):
        raise Conflict("taken", _("Another club has this name. Choose another name."))


# --- Members ------------------------------------------------------------------------------------------------


MOST_MEMBERS: Final = 200

MOST_CANDIDATES: Final = 100
"""The maximum number of open invitations and requests to join for one club."""

MOST_MAILS: Final = 50
"""The maximum number of email addresses that one club invites in 24 hours, including withdrawn ones."""

MAILS_TO_ADDRESS: Final = 3
"""The maximum number of emails about clubs to an address without an account in 24 hours."""

Role = Membership.Role


def renew_link(*, user: User, slug: str, replace: bool = True, now: datetime) -> None:
    """Create or replace a club's invitation link, as an officer or the captain. An old link stops working.

    Unless ``replace``, a link that another officer has made meanwhile is kept. Raises NotFound if there is no
    such club, and Forbidden for everyone else and for suspended players.
    """
    refuse_suspended(user=user, now=now)
    _set_link(user, slug, new_token(), replace=replace)


def revoke_link(*, user: User, slug: str) -> None:
    """Delete a club's invitation link, as an officer or the captain. Raises the errors of `renew_link`."""
    _set_link(user, slug, "")


def _set_link(user: User, slug: str, token: str, *, replace: bool = True) -> None:
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        if replace or not club.link_token:
            club.link_token = token
            club.save(update_fields=["link_token"])


def join_club(*, user: User, slug: str, link: str = "", now: datetime) -> bool:
    """Join a club, or ask to join it. Return True if the player is a member now.

    The token of the club's invitation ``link``, or of the link in an invitation by mail, counts as an
    invitation. A link that was mailed works once, for anyone who has it.
    Raises NotFound if there is no such club. Raises Conflict if the player is already a member or in too many
    clubs, or if the club is full. Raises Forbidden for guests, for suspended players, and for players without
    an invitation if the club requires one.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        club = locked_club(slug)
        if club.memberships.filter(user=user).exists():
            raise Conflict("already-member", _("You are already a member."))
        mailed = mailed_invitation(club, link, now=now)
        invited = club.candidates.filter(user=user, invited=True).exists() or is_link_of(club, link)
        if invited or mailed or club.entry == Club.Entry.OPEN:
            _admit(club, user, now)
            if mailed:
                club.candidates.filter(pk=mailed.pk).update(user=None, status=Candidate.Status.ACCEPTED)
            return True
        if club.entry == Club.Entry.INVITED:
            raise Forbidden(
                "invited-only", _("You need an invitation to join this club. Ask an officer for one.")
            )
        refuse_busy(user)
        if not club.candidates.filter(user=user).exists():
            _add_candidate(club, user, invited=False, now=now)
    return False


def leave_club(*, user: User, slug: str, now: datetime) -> None:
    """Leave a club, decline its invitation, or withdraw a request to join.

    If the captain leaves, the longest-serving officer becomes captain, or the longest-serving member if there
    are no officers. Members who already lead `MOST_CLUBS_LED` clubs are passed over, unless there are no
    others. If the last member leaves, the club closes. Raises NotFound if there is no such club, and
    Forbidden for guests.
    """
    refuse_guests(user)
    with transaction.atomic():
        club = locked_club(slug)
        _forget_candidate(club, user)
        member = club.memberships.filter(user=user).first()
        if member:
            _remove_member(club, member, now)


def leave_all(*, user: User, now: datetime) -> None:
    """Remove a player from all clubs, because their account is deleted."""
    for slug in Club.objects.filter(memberships__user=user).order_by("pk").values_list("slug", flat=True):
        leave_club(user=user, slug=slug, now=now)


def invite_to_club(*, user: User, slug: str, robo_name: str, now: datetime) -> bool:
    """As an officer or the captain, invite a player, or admit a player who asked to join.

    Returns True if the player is a member now. An invited player gets a notification, but not again while the
    invitation is open. Raises NotFound if there is no such club or player. Raises Conflict if the player is
    already a member or in too many clubs, or if the club is full. Raises Forbidden if the user is neither an
    officer nor the captain, if the user is suspended, and if the player has blocked the user. Raises TooMany
    after too many invitations in 24 hours.
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
        if club.candidates.filter(user=person, email="").exists():
            return False
        _refuse_full(club)
        count_invitation(user=user, now=now)
        _forget_candidate(club, person)  # an invitation by mail must not show
        _add_candidate(club, person, invited=True, now=now)
        notify_people(users=[person], kind="club-in", about=club.pk, again_after=DAY, now=now)
    return False


def invite_address(*, user: User, slug: str, email: str, now: datetime) -> None:
    """As an officer or the captain, invite the reader of an email address.

    If the address belongs to an account, its owner gets an ordinary invitation, unless they are a member or
    a candidate, or have blocked the user. Otherwise, the address gets an email, but not again within
    `INVITATION_LASTS`. Nothing reveals which of these happened.

    Raises Malformed for an invalid address, and the errors of `invite_to_club` that do not depend on the
    invited player. Raises TooMany also after too many addresses of the club in 24 hours.
    """
    refuse_suspended(user=user, now=now)
    email = invited_address(email)
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        _refuse_full(club)
        before = club.candidates.filter(email=email).first()
        if before and before.status != Candidate.Status.WITHDRAWN:
            return
        _refuse_many_mails(club, now)
        count_invitation(user=user, now=now)
        owner = reader_of(email)
        person = owner or User(pk=0)
        known = club.candidates.filter(user_id=person.pk).exists()
        known |= club.memberships.filter(user_id=person.pk).exists()
        known |= not reachable(user=user, people=[person])
        if before:
            before.delete()
        opens_to = None if known else owner
        _add_candidate(club, opens_to, invited=True, email=email, invited_by=user, now=now)
        _send_invitation(club, email, owner, known=known, now=now)


def _send_invitation(club: Club, email: str, owner: User | None, *, known: bool, now: datetime) -> None:
    """Notify the owner of an invited address, or the address if it belongs to no account.

    The number of queries is the same in both cases.
    """
    to_address = Notice.objects.filter(~Q(email=""), email=email, game=None, created_at__gt=now - DAY)
    many = to_address.count() >= MAILS_TO_ADDRESS
    if owner and not known:
        notify_people(users=[owner], kind="club-in", about=club.pk, again_after=DAY, now=now)
    elif owner is None and not many:
        channels_of(users=[User(pk=0)])
        notify_address(email=email, kind="club-in", about=club.pk, now=now)


def _refuse_many_mails(club: Club, now: datetime) -> None:
    today = club.candidates.filter(BY_MAIL, since__gt=now - DAY).order_by("since")
    times = list(today.values_list("since", flat=True)[:MOST_MAILS])
    if len(times) >= MOST_MAILS:
        detail = _("{club} can invite at most {most} email addresses in 24 hours. Try again later.")
        again_in = (times[0] + DAY - now).total_seconds()
        raise TooMany(detail.format(club=club.name, most=MOST_MAILS), again_in)


def withdraw_mail(*, user: User, slug: str, invitation_id: int) -> None:
    """Withdraw an invitation by mail, as an officer or the captain. The link in the email stops working.

    This works after the invitation was accepted too, so as not to reveal that. Raises NotFound if there is no
    such club or invitation, and Forbidden for everyone else.
    """
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        if not _withdraw(club.candidates.filter(pk=invitation_id)):
            raise NotFound("no-invitation", _("This invitation has already been answered or withdrawn."))


def _withdraw(invitations: QuerySet[Candidate]) -> int:
    """Withdraw invitations by mail. Their rows stay, because they count for the limits of the day."""
    gone = Candidate.Status.WITHDRAWN
    return invitations.filter(BY_MAIL).exclude(status=gone).update(user=None, status=gone)


def forget_invitations(*, now: datetime) -> int:
    """Delete invitations by mail that are too old to be accepted, with the addresses. Return their number."""
    old = now - INVITATION_LASTS
    Notice.objects.filter(~Q(email=""), game=None, created_at__lte=old).delete()
    return Candidate.objects.filter(BY_MAIL, since__lte=old).delete()[0]


def remove_from_club(*, user: User, slug: str, robo_name: str, now: datetime) -> None:
    """Remove a member whose role is below the user's, or delete a player's invitation or request to join.

    If a member is removed, the club's invitation link is replaced, and invitations by mail end that the
    member sent or got.
    Raises NotFound if there is no such club or player. Raises Forbidden if the user is neither an officer nor
    the captain, and if the member's role is not below the user's.
    """
    with transaction.atomic():
        club = locked_club_led_by(user, slug, Role.OFFICER)
        person = player_named(robo_name)
        member = club.memberships.filter(user=person).first()
        asked = club.candidates.filter(user=person, invited=False).exists()
        club.candidates.filter(user=person, email="").delete()
        if member is None:
            if asked:
                _notify_removed(club, person, asked=True, now=now)
            return
        if RANKS[member.role] >= RANKS[club.memberships.get(user=user).role]:
            raise Forbidden("same-role", _("You can only remove members with a role below yours."))
        member.delete()
        _withdraw(club.candidates.filter(invited_by=person))
        to_them = club.candidates.filter(BY_MAIL, email__iexact=person.email)  # they may know its link
        to_them.update(user=None, status=Candidate.Status.ACCEPTED)
        if club.link_token:  # the person may know the link
            club.link_token = new_token()
            club.save(update_fields=["link_token"])
        _notify_removed(club, person, asked=False, now=now)


def set_role(*, user: User, slug: str, robo_name: str, role: str) -> None:
    """Change the role of a member, as the captain. A captain who names a successor becomes an officer.

    Raises NotFound if there is no such club or player, Invalid for an unknown role, and Forbidden for
    everyone except the captain. Raises Conflict if the captain names themselves, if the player is not a
    member, and if the new captain leads too many clubs.
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
    """Add a player to a club. The caller must hold the lock on the club.

    Raises Conflict if the club is full, or if the player is in too many clubs.
    """
    refuse_busy(user)
    _refuse_full(club)
    _forget_candidate(club, user, status=Candidate.Status.ACCEPTED)
    Membership.objects.create(club=club, user=user, since=now)


def _refuse_full(club: Club) -> None:
    if club.memberships.count() >= MOST_MEMBERS:
        raise Conflict(
            "full", _("{club} is full: it has {most} members.").format(club=club.name, most=MOST_MEMBERS)
        )


def _forget_candidate(club: Club, user: User, **changes: str) -> None:
    """Delete a player's invitation or request to join. Invitations by mail stay, but without the player."""
    own = club.candidates.filter(user=user)
    own.filter(BY_MAIL).update(user=None, **changes)
    own.delete()


def _add_candidate(club: Club, user: User | None, *, invited: bool, now: datetime, **mailed: Any) -> None:
    if club.candidates.filter(status=Candidate.Status.OPEN).count() >= MOST_CANDIDATES:
        raise Conflict(
            "too-many",
            _("{club} has too many open invitations and requests. Try again later.").format(club=club.name),
        )
    Candidate.objects.create(club=club, user=user, invited=invited, since=now, **mailed)


def _remove_member(club: Club, member: Membership, now: datetime) -> None:
    """Remove a member from a club. Appoint a captain or close the club if needed.

    The caller must lock the club.
    """
    member.delete()
    if member.role != Role.CAPTAIN:
        return
    others = list(club.memberships.select_related("user"))
    if not others:
        end_club(club, by=member.user, now=now)
        return
    free = [each for each in others if not leads_most_clubs(each.user)]
    successor = max(free or others, key=lambda each: RANKS[each.role])  # the longest-serving of equals
    successor.role = Role.CAPTAIN
    successor.save(update_fields=["role"])
