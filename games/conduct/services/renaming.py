"""Taking a Robo Name from a person: at once everywhere but in games, and then game by game."""

from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import robo_names
from accounts.models import User
from accounts.robo_names import RetiredName
from games import live
from games.chat.models import ChatLine
from games.conduct.models import Renaming
from games.errors import Conflict, Invalid
from games.people.services.scrubbing import Scrubber, rename_player
from games.play.models import Seat
from games.play.services.locks import locked_game
from games.work import jobs

MOST: Final = 20
"""Games that one pass of the sweeper rewrites for one person; the next one goes on."""


def rename_person(*, person: User, name: str, now: datetime) -> None:
    """Have a person, whose row is held, called otherwise, and keep the name before from all others.

    Raises Invalid for a name that there cannot be, or that is taken.
    """
    try:
        robo_names.validate(name)
        robo_names.refuse_lookalike(name, among=User.objects.exclude(pk=person.pk))
        robo_names.refuse_retired(name)
    except ValidationError as refused:
        raise _refusal(" ".join(refused.messages)) from None
    if User.objects.filter(robo_name__iexact=name).exists():
        raise _refusal(_("This Robo Name is taken: choose another."))
    before = person.robo_name
    _call(person, name, now)
    robo_names.retire(before)


def rename_back(*, person: User, name: str, now: datetime) -> None:
    """Give a person, whose row is held, a name back that was taken from them.

    Raises Conflict for a name that is another's by now.
    """
    if User.objects.filter(robo_name__iexact=name).exclude(pk=person.pk).exists():
        raise Conflict("taken", _("The name before belongs to another player by now."))
    digest = robo_names.digest_of(robo_names.skeleton(name))
    RetiredName.objects.filter(digest=digest).delete()
    _call(person, name, now)


def carry_names(*, now: datetime) -> int:
    """Have games know people by the names that they have now; return how many were rewritten."""
    return jobs.each("renamings", Renaming.objects.order_by("pk"), _carry, most=MOST, now=now)


def _carry(renaming_id: int) -> int:
    """Rewrite some games in which a person has the name before; without any the renaming is done."""
    renaming = Renaming.objects.select_related("user").get(pk=renaming_id)
    games = _games_of(renaming)
    scrubber = Scrubber(renaming.before, "", renaming.user.robo_name)
    for game_id in games[:MOST]:
        game = locked_game(game_id)
        rename_player(game=game, user=renaming.user, scrubber=scrubber)
        live.announce_change(game)
    if len(games) <= MOST:
        renaming.delete()
    return len(games[:MOST])


def _games_of(renaming: Renaming) -> list[int]:
    """Return the games that know a person by the name before; none if it is their name again."""
    before, user = renaming.before, renaming.user
    if before == user.robo_name:
        Seat.objects.filter(user=user, robot=before).update(robot="")
        return []
    seats = Seat.objects.filter(Q(user=user) | Q(replacements__was=user), robot=before)
    said = ChatLine.objects.filter(user=user, name=before)
    return sorted({*seats.values_list("game", flat=True), *said.values_list("game", flat=True)})


def _call(person: User, name: str, now: datetime) -> None:
    before = person.robo_name
    # Till a game is rewritten its robot is called as its log has it.
    Seat.objects.filter(user=person, robot="").update(robot=before)
    person.robo_name = name
    person.save(update_fields=["robo_name"])
    Renaming.objects.create(user=person, before=before, at=now)


def _refusal(detail: str) -> Invalid:
    return Invalid("name", detail, [{"code": "name", "detail": detail}])
