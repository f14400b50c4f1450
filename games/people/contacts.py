"""Follow and block players, name housemates, and write notes about players."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Final, TypedDict

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sessions import EXTEND_INTERVAL
from games.errors import Conflict, Forbidden, player_named, refuse_guests
from games.people.models import Block, Follow, Housemate, PlayerNote
from rules.names import is_visible

HERE_FOR: Final = timedelta(seconds=EXTEND_INTERVAL)
"""How long players count as here after a visit. Visits are noted no more often."""


class ContactView(TypedDict):
    """Your contact with another player. They can see if you follow or live with them."""

    robo_name: str
    look: int | None
    follows: Annotated[bool, "You follow them."]
    follows_me: bool
    blocked: Annotated[bool, "You blocked them."]
    lives_with: Annotated[bool, "You said that you live together."]
    lives_with_me: Annotated[bool, "They said that you live together. Both must say so to take effect."]
    note: Annotated[str, "Your note about them."]
    here: Annotated[bool, "They visited within the last hour. Shown only if you follow each other."]


class ContactsView(TypedDict):
    """Your contacts, by kind."""

    follows: Annotated[list[ContactView], "Players who are here come first."]
    followers: list[ContactView]
    blocked: list[ContactView]
    housemates: Annotated[list[ContactView], "Players whom you marked as housemates, or who marked you."]
    noted: Annotated[list[ContactView], "Other players about whom you have a note."]


def other_player(*, user: User, robo_name: str) -> User:
    """Return another player by name.

    Raises Forbidden for guests and for oneself, and NotFound for an unknown name.
    """
    refuse_guests(user)
    person = player_named(robo_name)
    if person.pk == user.pk:
        raise Forbidden("self", _("This is you. Choose another player."))
    return person


def contact_of(*, user: User, person: User, now: datetime) -> ContactView:
    """Return a player's relation to another."""
    return _told(user, [person], now)[0]


def contacts_of(*, user: User, now: datetime) -> ContactsView:
    """Return all contacts of a player."""
    players = User.objects.players()
    follows = players.filter(pk__in=Follow.objects.filter(user=user).values("followed"))
    followers = players.filter(pk__in=Follow.objects.filter(followed=user).values("user"))
    blocked = players.filter(pk__in=blocked_by(user))
    housemates = players.filter(
        Q(pk__in=Housemate.objects.filter(user=user).values("person"))
        | Q(pk__in=Housemate.objects.filter(person=user).values("user"))
    )
    noted = players.filter(pk__in=PlayerNote.objects.filter(user=user).values("about"))
    parts = [list(each.order_by("robo_name")) for each in (follows, followers, blocked, housemates, noted)]
    told = {
        each["robo_name"]: each
        for each in _told(user, {one.pk: one for part in parts for one in part}.values(), now)
    }
    listed = [[told[one.robo_name] for one in part] for part in parts]
    shown = {each["robo_name"] for part in listed[:4] for each in part}
    return {
        "follows": sorted(listed[0], key=lambda each: not each["here"]),
        "followers": listed[1],
        "blocked": listed[2],
        "housemates": listed[3],
        "noted": [each for each in listed[4] if each["robo_name"] not in shown],
    }


def friends_here(*, user: User, now: datetime) -> list[str]:
    """Return the names of present friends: they and the person follow each other."""
    back = Follow.objects.filter(followed=user, user=OuterRef("followed"))
    mutual = Follow.objects.filter(Exists(back), user=user).order_by().values("followed")
    seen = UserSession.objects.filter(user__in=mutual, last_seen_at__gt=now - HERE_FOR)
    return list(seen.order_by("user__robo_name").values_list("user__robo_name", flat=True).distinct())


def blocked_by(user: User) -> QuerySet[Block, int]:
    """Return the ids of the players blocked by a player."""
    return Block.objects.filter(user=user).order_by().values_list("blocked", flat=True)


def has_blocked(*, user: User, person: User) -> bool:
    return Block.objects.filter(user=user, blocked=person).exists()


def refuse_call(*, user: User, person: User, detail: str | Promise) -> None:
    """Raise Forbidden if ``person`` has blocked ``user``, with ``detail`` about them.

    Each service that lets a player notify or address another must use this or `reachable`.
    """
    if has_blocked(user=person, person=user):
        raise Forbidden("not-allowed", str(detail).format(player=person.robo_name))


def reachable(*, user: User, people: Iterable[User]) -> list[User]:
    """Return ``people``, except any who have blocked ``user``."""
    every = list(people)
    deaf = set(Block.objects.filter(user__in=every, blocked=user).values_list("user", flat=True))
    return [person for person in every if person.pk not in deaf]


def housemates_of(people: Iterable[int]) -> set[tuple[int, int]]:
    """Return the confirmed pairs of these people and their housemates."""
    return set(_both_say().filter(user__in=people).values_list("user", "person"))


def live_together(people: Iterable[int | None]) -> bool:
    """Return whether two of these people are housemates, confirmed by both."""
    every = [person for person in people if person is not None]
    return len(every) > 1 and _both_say().filter(user__in=every, person__in=every).exists()


def lives_with(*, user: User, people: Iterable[int | None]) -> bool:
    """Return whether a player has a housemate among these people, confirmed by both."""
    every = [person for person in people if person is not None]
    return bool(every) and _both_say().filter(user=user, person__in=every).exists()


def _both_say() -> QuerySet[Housemate]:
    back = Housemate.objects.filter(user=OuterRef("person"), person=OuterRef("user"))
    return Housemate.objects.filter(Exists(back)).order_by()


def _told(user: User, people: Iterable[User], now: datetime) -> list[ContactView]:
    every = list(people)
    keys = [person.pk for person in every]
    follows = set(Follow.objects.filter(user=user, followed__in=keys).values_list("followed", flat=True))
    followers = set(Follow.objects.filter(followed=user, user__in=keys).values_list("user", flat=True))
    blocked = set(Block.objects.filter(user=user, blocked__in=keys).values_list("blocked", flat=True))
    with_them = set(Housemate.objects.filter(user=user, person__in=keys).values_list("person", flat=True))
    with_me = set(Housemate.objects.filter(person=user, user__in=keys).values_list("user", flat=True))
    notes = dict(PlayerNote.objects.filter(user=user, about__in=keys).values_list("about", "text"))
    seen = UserSession.objects.filter(user__in=follows & followers, last_seen_at__gt=now - HERE_FOR)
    here = set(seen.values_list("user", flat=True)) if follows & followers else set()
    return [
        {
            "robo_name": person.robo_name,
            "look": person.look,
            "follows": person.pk in follows,
            "follows_me": person.pk in followers,
            "blocked": person.pk in blocked,
            "lives_with": person.pk in with_them,
            "lives_with_me": person.pk in with_me,
            "note": notes.get(person.pk, ""),
            "here": person.pk in here,
        }
        for person in every
    ]


# --- Changing contacts --------------------------------------------------------------------------------------


MOST_CONTACTS: Final = 500
"""The limit per player for follows, for blocks and for notes."""

MOST_HOUSEMATES: Final = 10


def follow(*, user: User, robo_name: str, now: datetime) -> User:
    """Follow a player, and return them. Following twice makes no difference.

    Raises NotFound for an unknown name; Forbidden for guests, for oneself, and if the player has blocked the
    follower; Conflict if the follower has blocked the player, or follows too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _lock(user, person)
        if has_blocked(user=user, person=person):
            detail = _("You blocked {player}. Unblock them first, then follow them.")
            raise Conflict("blocked", detail.format(player=person.robo_name))
        refuse_call(user=user, person=person, detail=_("You can’t follow {player}."))
        if not Follow.objects.filter(user=user, followed=person).exists():
            _refuse_too_many(
                Follow, user, _("You follow {most} players, which is the limit. Unfollow one first.")
            )
            Follow.objects.create(user=user, followed=person, since=now)
    return person


def unfollow(*, user: User, robo_name: str) -> User:
    """Unfollow a player, and return them. Raises the errors of `other_player`."""
    person = other_player(user=user, robo_name=robo_name)
    Follow.objects.filter(user=user, followed=person).delete()
    return person


def block(*, user: User, robo_name: str, now: datetime) -> User:
    """Block a player, and return them. Both stop following each other.

    Raises NotFound for an unknown name, Forbidden for guests and for oneself, and Conflict for too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _lock(user, person)
        if not has_blocked(user=user, person=person):
            _refuse_too_many(
                Block, user, _("You blocked {most} players, which is the limit. Unblock one first.")
            )
            Block.objects.create(user=user, blocked=person, since=now)
        Follow.objects.filter(Q(user=user, followed=person) | Q(user=person, followed=user)).delete()
    return person


def unblock(*, user: User, robo_name: str) -> User:
    """Unblock a player, and return them. Raises the errors of `other_player`."""
    person = other_player(user=user, robo_name=robo_name)
    Block.objects.filter(user=user, blocked=person).delete()
    return person


def add_housemate(*, user: User, robo_name: str, now: datetime) -> User:
    """Name a housemate, and return them. It counts once both have done so.

    From then on, they start no rated games together. Raises NotFound for an unknown name; Forbidden for
    guests, for oneself, and if the player has blocked the person; Conflict for too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _lock(user, person)
        detail = _("You can’t mark {player} as a housemate.")
        refuse_call(user=user, person=person, detail=detail)
        if not Housemate.objects.filter(user=user, person=person).exists():
            detail = _("You have {most} housemates, which is the limit. Remove one first.")
            _refuse_too_many(Housemate, user, detail, most=MOST_HOUSEMATES)
            Housemate.objects.create(user=user, person=person, since=now)
    return person


def remove_housemate(*, user: User, robo_name: str) -> User:
    """Remove a housemate, and return them. Only later games are affected.

    Raises NotFound, and Forbidden for guests and oneself.
    """
    person = other_player(user=user, robo_name=robo_name)
    Housemate.objects.filter(user=user, person=person).delete()
    return person


def write_note(*, user: User, robo_name: str, text: str, now: datetime) -> User:
    """Write, replace or delete a note about a player, and return the player.

    An empty text deletes the note. Raises NotFound for an unknown name, Forbidden for guests and for a note
    about oneself, and Conflict for too many notes.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _lock(user, person)
        notes = PlayerNote.objects.filter(user=user, about=person)
        if not is_visible(text):
            notes.delete()
        elif not notes.update(text=text, changed_at=now):
            _refuse_too_many(
                PlayerNote,
                user,
                _("You have notes about {most} players, which is the limit. Delete one first."),
            )
            PlayerNote.objects.create(user=user, about=person, text=text, changed_at=now)
    return person


def _lock(user: User, person: User) -> None:
    """Lock both players in the order of their ids, to serialise blocks and follows."""
    both = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, person.pk])
    list(both.order_by("pk").values_list("pk"))


def _refuse_too_many(model: type[Model], user: User, detail: str, *, most: int | None = None) -> None:
    limit = MOST_CONTACTS if most is None else most
    if model._default_manager.filter(user=user).count() >= limit:
        raise Conflict("too-many", detail.format(most=limit))
