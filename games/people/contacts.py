"""Follow and block players, mark housemates, and write notes about players."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Final, TypedDict

from allauth.usersessions.models import UserSession
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import EmailField, Exists, Model, OuterRef, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.mail import owner_of
from accounts.models import User, mailbox_of
from accounts.sessions import EXTEND_INTERVAL
from games.errors import Conflict, Forbidden, Malformed, player_named, refuse_guests
from games.people.models import Block, Follow, Housemate, PlayerNote
from games.work.models import DAY, consume_limit
from rules.names import is_visible

HERE_FOR: Final = timedelta(seconds=EXTEND_INTERVAL)
"""How long after a visit a player counts as being on the site. Visits are recorded at this interval."""


class ContactView(TypedDict):
    """Your contact with another player.

    The other player can see whether you follow them and whether you marked them as a housemate.
    """

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
    """All your contacts, by kind."""

    follows: Annotated[list[ContactView], "Players who are here come first."]
    followers: list[ContactView]
    blocked: list[ContactView]
    housemates: Annotated[list[ContactView], "Players whom you marked as housemates, or who marked you."]
    noted: Annotated[list[ContactView], "Other players about whom you have a note."]


def other_player(*, user: User, robo_name: str) -> User:
    """Return another player, given the player's Robo Name.

    Raises NotFound for an unknown name, and Forbidden for guests and for the user's own name.
    """
    refuse_guests(user)
    person = player_named(robo_name)
    if person.pk == user.pk:
        raise Forbidden("self", _("This is you. Choose another player."))
    return person


def contact_of(*, user: User, person: User, now: datetime) -> ContactView:
    """Return a user's contact with another player, such as whether the user follows the player."""
    return _contact_views(user, [person], now)[0]


def contacts_of(*, user: User, now: datetime) -> ContactsView:
    """Return all contacts of a user: followers, followed and blocked players, housemates and notes."""
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
    by_name = {
        each["robo_name"]: each
        for each in _contact_views(user, {one.pk: one for part in parts for one in part}.values(), now)
    }
    listed = [[by_name[one.robo_name] for one in part] for part in parts]
    shown = {each["robo_name"] for part in listed[:4] for each in part}
    return {
        "follows": sorted(listed[0], key=lambda each: not each["here"]),
        "followers": listed[1],
        "blocked": listed[2],
        "housemates": listed[3],
        "noted": [each for each in listed[4] if each["robo_name"] not in shown],
    }


def friends_here(*, user: User, now: datetime) -> list[tuple[str, int | None]]:
    """Return the Robo Names and favourite robots of friends who are on the site now.

    Friends are players who follow each other.
    """
    back = Follow.objects.filter(followed=user, user=OuterRef("followed"))
    mutual = Follow.objects.filter(Exists(back), user=user).order_by().values("followed")
    seen = UserSession.objects.filter(user__in=mutual, last_seen_at__gt=now - HERE_FOR)
    return list(seen.order_by("user__robo_name").values_list("user__robo_name", "user__look").distinct())


def blocked_by(user: User) -> QuerySet[Block, int]:
    """Return the user IDs of the players whom a user has blocked."""
    return Block.objects.filter(user=user).order_by().values_list("blocked", flat=True)


def has_blocked(*, user: User, person: User) -> bool:
    return Block.objects.filter(user=user, blocked=person).exists()


def refuse_call(*, user: User, person: User, detail: str | Promise) -> None:
    """Raise Forbidden if ``person`` has blocked ``user``.

    ``detail`` is the message. Its field ``{player}`` stands for the name of ``person``.

    Every service that lets one player notify or address another player must use this function or
    `reachable`.
    """
    if has_blocked(user=person, person=user):
        raise Forbidden("not-allowed", str(detail).format(player=person.robo_name))


def reachable(*, user: User, people: Iterable[User]) -> list[User]:
    """Return ``people`` without anyone who has blocked ``user``."""
    every = list(people)
    deaf = set(Block.objects.filter(user__in=every, blocked=user).values_list("user", flat=True))
    return [person for person in every if person.pk not in deaf]


INVITATIONS_A_DAY: Final = 50
"""The maximum number of invitations, to games and to clubs, sent by one person in 24 hours."""


def count_invitation(*, user: User, now: datetime) -> None:
    """Record that a user invites a person. Raise TooMany after `INVITATIONS_A_DAY` invitations."""
    detail = _("You can invite at most {most} people in 24 hours. Try again later.")
    limit = Limit("invitations", INVITATIONS_A_DAY, DAY)
    consume_limit(limit, user=user, detail=detail.format(most=INVITATIONS_A_DAY), now=now)


def invited_address(text: str) -> str:
    """Return an email address in its stored form. Raises Malformed if it is not an address."""
    email = mailbox_of(text)
    try:
        EmailField().run_validators(email)
    except ValidationError:
        raise Malformed("email", _("“{address}” is not an email address.").format(address=email)) from None
    return email


def reader_of(email: str) -> User | None:
    """Return the active account with this confirmed email address, or None if there is none."""
    owner = owner_of(email)
    return owner if owner and owner.is_active else None


def housemates_of(people: Iterable[int]) -> set[tuple[int, int]]:
    """Return each of these people paired with each of their confirmed housemates, as pairs of user IDs.

    Housemates are confirmed if both have marked each other.
    """
    return set(_mutual_housemates().filter(user__in=people).values_list("user", "person"))


def live_together(people: Iterable[int | None]) -> bool:
    """Return whether at least two of these people have marked each other as housemates."""
    every = [person for person in people if person is not None]
    return len(every) > 1 and _mutual_housemates().filter(user__in=every, person__in=every).exists()


def lives_with(*, user: User, people: Iterable[int | None]) -> bool:
    """Return whether a user and at least one of these people have marked each other as housemates."""
    every = [person for person in people if person is not None]
    return bool(every) and _mutual_housemates().filter(user=user, person__in=every).exists()


def _mutual_housemates() -> QuerySet[Housemate]:
    back = Housemate.objects.filter(user=OuterRef("person"), person=OuterRef("user"))
    return Housemate.objects.filter(Exists(back)).order_by()


def _contact_views(user: User, people: Iterable[User], now: datetime) -> list[ContactView]:
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
"""The maximum number of players that a player can follow. The same limit applies to blocks and to notes."""

MOST_HOUSEMATES: Final = 10


def follow(*, user: User, robo_name: str, now: datetime) -> User:
    """Follow a player, and return the player. Following a player twice makes no difference.

    Raises NotFound for an unknown name; Forbidden for guests, for oneself, and if the player has blocked the
    follower; and Conflict if the follower has blocked the player, or already follows `MOST_CONTACTS`
    players.
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
    """Unfollow a player, and return the player. Raises the errors of `other_player`."""
    person = other_player(user=user, robo_name=robo_name)
    Follow.objects.filter(user=user, followed=person).delete()
    return person


def block(*, user: User, robo_name: str, now: datetime) -> User:
    """Block a player, and return the player. Afterwards, neither player follows the other.

    Raises NotFound for an unknown name, Forbidden for guests and for oneself, and Conflict if the user has
    already blocked `MOST_CONTACTS` players.
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
    """Unblock a player, and return the player. Raises the errors of `other_player`."""
    person = other_player(user=user, robo_name=robo_name)
    Block.objects.filter(user=user, blocked=person).delete()
    return person


def add_housemate(*, user: User, robo_name: str, now: datetime) -> User:
    """Mark a player as a housemate, and return the player.

    The mark takes effect once both players have marked each other: they can no longer start rated games
    together. Raises NotFound for an unknown name; Forbidden for guests, for oneself, and if the player has
    blocked the user; and Conflict if the user already has `MOST_HOUSEMATES` housemates.
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
    """Remove the user's mark that a player is a housemate, and return the player.

    Games that have started are not affected. Raises NotFound for an unknown name, and Forbidden for guests
    and for oneself.
    """
    person = other_player(user=user, robo_name=robo_name)
    Housemate.objects.filter(user=user, person=person).delete()
    return person


def write_note(*, user: User, robo_name: str, text: str, now: datetime) -> User:
    """Write, replace or delete a note about a player, and return the player.

    An empty text deletes the note. Raises NotFound for an unknown name, Forbidden for guests and for a note
    about oneself, and Conflict if the user already has notes about `MOST_CONTACTS` players.
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
    """Lock the rows of two players, lower ID first, so that blocks and follows run one after another."""
    both = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, person.pk])
    list(both.order_by("pk").values_list("pk"))


def _refuse_too_many(model: type[Model], user: User, detail: str, *, most: int | None = None) -> None:
    limit = MOST_CONTACTS if most is None else most
    if model._default_manager.filter(user=user).count() >= limit:
        raise Conflict("too-many", detail.format(most=limit))
