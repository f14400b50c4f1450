"""Founding, changing and closing clubs."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.robo_names.spelling import skeleton
from games import texts
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, ClubGame, Membership
from games.clubs.selectors.clubs import club_named
from games.clubs.services.locks import club_held_by
from games.errors import Conflict, Forbidden, Invalid, refuse_guests
from games.news.services.notifications import tell_of_subject
from games.play.selectors.words import refuse_words
from games.sanctions.models import Sanction

SHORTEST_NAME: Final = 3

MOST_LED: Final = 3
"""Clubs of which one player may be captain."""

MOST_JOINED: Final = 20
"""Clubs to which one player may belong."""

ADDRESSES: Final = frozenset({"new"})
"""What cannot be a club's part of an address, since another page has it."""


def found_club(*, user: User, name: str, text: str = "", entry: str = Club.Entry.OPEN, now: datetime) -> Club:
    """Found a club, as its captain.

    Raises Forbidden for guests and muted players, Conflict for a name that another club has, and for one who
    has as many clubs as one may have, and Invalid with all that is wrong.
    """
    refuse_guests(user)
    refuse_words(user=user, words=[name, text], now=now)
    club = Club(name=texts.tidied_name(name), created_at=now)
    _settle(club, text, entry)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        refuse_busy(user)
        if leads_enough(user):
            raise Conflict(
                "too-many", _("You are captain of {most} clubs, the most there may be.").format(most=MOST_LED)
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
    """Change how a club is called, what it says about itself, and who may join, as its captain.

    What is None stays. Its address stays as well. Raises as `found_club` does, NotFound, and Forbidden for
    all but the captain, and for a muted one who changes words.
    """
    with transaction.atomic():
        club = club_held_by(user, slug, Membership.Role.CAPTAIN)
        before = club.name, club.text
        club.name = club.name if name is None else texts.tidied_name(name)
        _settle(club, club.text if text is None else text, club.entry if entry is None else entry)
        refuse_words(user=user, words=[club.name, club.text], before=before, now=now)
        if (club.name, club.text) != before:
            _refuse_taken_words(user, club)
        if club.name != before[0]:
            _refuse_alike(club)
        club.save()
    return club


def close_club(*, user: User, slug: str, now: datetime) -> None:
    """Close a club for good, as its captain; its games go on.

    Raises NotFound, and Forbidden for all but the captain.
    """
    with transaction.atomic():
        end_club(club_held_by(user, slug, Membership.Role.CAPTAIN), by=user, now=now)


def end_club(club: Club, *, by: User, now: datetime) -> None:
    """Delete a club, whose row is held; notify its members and candidates, except ``by``."""
    people = User.objects.filter(Q(memberships__club=club) | Q(pk__in=club.candidates.values("user")))
    others = list(people.exclude(pk=by.pk).order_by("pk").distinct())
    tell_of_subject(users=others, kind="club-over", club=club.pk, name=club.name, now=now)
    club.delete()


def rename_club(*, club: Club, name: str) -> None:
    """Give a club, whose row is held, another name and address, and no text, since staff decided so.

    Raises Invalid and Conflict as `found_club` does.
    """
    club.name = texts.tidied_name(name)
    _settle(club, "", club.entry)
    _refuse_alike(club)
    club.slug = _slug(club.name)
    club.save()


def restore_club(*, club: Club, name: str, text: str) -> None:
    """Give a club name and text back that staff took; raises Conflict where another has the name by now."""
    club.name, club.text = name, text
    _refuse_alike(club)
    club.slug = _slug(name)
    club.save()


def note_game(*, user: User, game_id: int, slug: str) -> None:
    """Note that a game, which its host has just made, is for members of a club to which they belong.

    Raises NotFound, and Forbidden for those who are no members.
    """
    club = club_named(slug)
    if not club.memberships.filter(user=user).exists():
        raise Forbidden("no-member", _("You are not a member of {club}.").format(club=club.name))
    ClubGame.objects.create(game_id=game_id, club=club)


def leads_enough(user: User) -> bool:
    """Return whether a player is captain of as many clubs as one may lead."""
    return user.memberships.filter(role=Membership.Role.CAPTAIN).count() >= MOST_LED


def refuse_busy(user: User) -> None:
    """Raise Conflict for a player who belongs to as many clubs as one may."""
    if user.memberships.count() >= MOST_JOINED:
        detail = _("You belong to {most} clubs, the most there may be. Leave one first.")
        raise Conflict("too-many", detail.format(most=MOST_JOINED))


def _refuse_taken_words(user: User, club: Club) -> None:
    """Raise Forbidden for a name or text that staff took from this club, or from a club of this player."""
    decided = Sanction.objects.filter(kind=Sanction.Kind.CLUB, lifted_at=None)
    decided = decided.filter(Q(user=user) | Q(club=club.pk, club__isnull=False))
    for name, text in decided.values_list("before", "text_before"):
        if _letters(club.name) == _letters(name):
            raise Forbidden("taken-away", _("Staff removed this name. Choose another name."))
        if text and _letters(club.text) == _letters(text):
            raise Forbidden("taken-away", _("Staff removed this text. Write another text."))


def _letters(text: str) -> str:
    """Return what two names or texts have in common that read the same."""
    return skeleton(texts.letters_of(text))


def _slug(name: str) -> str:
    """Return a part of an address for a club of this name that no other club has."""
    return texts.free_slug(name, of=Club, usual="club", reserved=ADDRESSES)


def _settle(club: Club, text: str, entry: str) -> None:
    """Take what a club says and who may join; raise Invalid with all that is wrong with it."""
    club.text, club.entry = texts.tidied(text), entry
    problems = texts.problems_of_name(club.name, shortest=SHORTEST_NAME, longest=LONGEST_NAME)
    problems += texts.problems_of(club.text, longest=LONGEST_TEXT)
    if entry not in Club.Entry:
        known = ", ".join(Club.Entry.values)
        detail = _("Choose one of these: {choices}.").format(choices=known)
        problems.append({"code": "entry", "detail": detail})
    if problems:
        raise Invalid("no-club", _("There can be no such club. Change what is marked."), problems)


def _refuse_alike(club: Club) -> None:
    """Raise Conflict if the name of another club reads the same."""
    texts.hold_slugs(Club)  # of two that are named at the same time, one is first
    looks, others = _letters(club.name), Club.objects.exclude(pk=club.pk).values_list("name", flat=True)
    if any(_letters(other) == looks for other in others):
        raise Conflict("taken", _("There is a club with this name. Choose another name."))
