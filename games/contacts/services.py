"""Following and blocking players, and noting something about them."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.contacts.models import LONGEST_NOTE, Block, Follow, Housemate, PlayerNote
from games.contacts.selectors import has_blocked, other_player, refuse_call
from games.errors import Conflict, Invalid

MOST: Final = 500
"""How many players one may follow, and block, and note something about."""

MOST_HOUSEMATES: Final = 10


def follow(*, user: User, robo_name: str, now: datetime) -> User:
    """Follow a player; return who that is. It makes no difference to follow them twice.

    Raises NotFound for an unknown name, Forbidden for guests, for oneself, and for a player who has blocked
    the one who asks; Conflict for one whom they have blocked, and where they follow too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _hold(user, person)
        if has_blocked(user=user, person=person):
            detail = _("You blocked {player}. Unblock them before you follow them.")
            raise Conflict("blocked", detail.format(player=person.robo_name))
        refuse_call(user=user, person=person, detail=_("You cannot follow {player}."))
        if not Follow.objects.filter(user=user, followed=person).exists():
            _check_number(
                Follow, user, _("You can follow at most {most} players. Unfollow another one first.")
            )
            Follow.objects.create(user=user, followed=person, since=now)
    return person


def unfollow(*, user: User, robo_name: str) -> User:
    """Follow a player no more; return who that is. Raises NotFound, and Forbidden for guests and oneself."""
    person = other_player(user=user, robo_name=robo_name)
    Follow.objects.filter(user=user, followed=person).delete()
    return person


def block(*, user: User, robo_name: str, now: datetime) -> User:
    """Block a player; return who that is. Neither of both follows the other any more.

    Raises NotFound for an unknown name, Forbidden for guests and for oneself, and Conflict for too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _hold(user, person)
        if not has_blocked(user=user, person=person):
            _check_number(Block, user, _("You can block at most {most} players. Unblock another one first."))
            Block.objects.create(user=user, blocked=person, since=now)
        Follow.objects.filter(Q(user=user, followed=person) | Q(user=person, followed=user)).delete()
    return person


def unblock(*, user: User, robo_name: str) -> User:
    """Block a player no more; return who that is. Raises NotFound, and Forbidden for guests and oneself."""
    person = other_player(user=user, robo_name=robo_name)
    Block.objects.filter(user=user, blocked=person).delete()
    return person


def add_housemate(*, user: User, robo_name: str, now: datetime) -> User:
    """Say that one lives with a player; return who that is. Once both say so, they play no rated game.

    Raises NotFound for an unknown name, Forbidden for guests, for oneself, and for a player who has blocked
    the one who says so, and Conflict for too many.
    """
    person = other_player(user=user, robo_name=robo_name)
    with transaction.atomic():
        _hold(user, person)
        detail = _("You cannot say that you live with {player}.")
        refuse_call(user=user, person=person, detail=detail)
        if not Housemate.objects.filter(user=user, person=person).exists():
            detail = _("You can name at most {most} players. Take another one back first.")
            _check_number(Housemate, user, detail, most=MOST_HOUSEMATES)
            Housemate.objects.create(user=user, person=person, since=now)
    return person


def remove_housemate(*, user: User, robo_name: str) -> User:
    """Take back that one lives with a player; return who that is. It counts for games that begin later.

    Raises NotFound, and Forbidden for guests and oneself.
    """
    person = other_player(user=user, robo_name=robo_name)
    Housemate.objects.filter(user=user, person=person).delete()
    return person


def write_note(*, user: User, robo_name: str, text: str, now: datetime) -> User:
    """Note something about a player in place of what was noted before, or nothing; return who that is.

    Raises NotFound for an unknown name, Forbidden for guests and for oneself, Invalid for a text that is too
    long or has control characters, and Conflict for too many notes.
    """
    person = other_player(user=user, robo_name=robo_name)
    tidy = errors.tidied(text)
    errors.check_text(tidy, error="control-characters")
    if len(tidy) > LONGEST_NOTE:
        detail = _("Your note has {count} characters, and at most {most} are allowed. Shorten it.")
        raise Invalid("too-long", detail.format(count=len(tidy), most=LONGEST_NOTE))
    with transaction.atomic():
        _hold(user, person)
        notes = PlayerNote.objects.filter(user=user, about=person)
        if not errors.says_something(tidy):
            notes.delete()
        elif not notes.update(text=tidy, changed_at=now):
            _check_number(PlayerNote, user, _("You can note something about at most {most} players."))
            PlayerNote.objects.create(user=user, about=person, text=tidy, changed_at=now)
    return person


def _hold(user: User, person: User) -> None:
    """Hold both players, in the order of their numbers: a block and a follow come one after the other."""
    both = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, person.pk])
    list(both.order_by("pk").values_list("pk"))


def _check_number(model: type[Model], user: User, detail: str, *, most: int | None = None) -> None:
    limit = MOST if most is None else most
    if model._default_manager.filter(user=user).count() >= limit:
        raise Conflict("too-many", detail.format(most=limit))
