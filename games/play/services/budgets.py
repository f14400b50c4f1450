"""How much of the site's time computers take for one person: running games against them, and thinking."""

from math import ceil
from time import process_time

from django.conf import settings
from django.utils.translation import gettext as _

from accounts import limits
from accounts.limits import Limit
from games.errors import Conflict, TooMany
from games.play.models import Game
from games.play.services.locks import hold_person

THOUSANDTHS = 1000


def refuse_beyond_budget(*, game: Game) -> None:
    """Raise Conflict or TooMany if its host may start no further game against computers.

    The row of the ``game`` is held. A game counts if its host is the only person in it.
    """
    if not _is_against_computers(game):
        return
    hold_person(game.host)
    running = Game.objects.filter(host=game.host, status=Game.Status.RUNNING).exclude(pk=game.pk)
    against = sum(map(_is_against_computers, running.prefetch_related("players")))
    if against >= settings.COMPUTER_GAMES:
        detail = _(
            "You have {number} running games against computers, which is the limit. Finish or resign one of"
            " them first."
        )
        raise Conflict("too-many-games", detail.format(number=against))
    if wait := wait_for_thinking(game.host_id):
        detail = _(
            "Computers have thought about your games for {minutes} min today, which is the limit. Your"
            " games go on more slowly. Start the next one tomorrow."
        )
        raise TooMany(detail.format(minutes=settings.COMPUTER_MINUTES), wait)


def _is_against_computers(game: Game) -> bool:
    seats = list(game.players.all())
    return any(seat.computer for seat in seats) and sum(not seat.computer for seat in seats) <= 1


def wait_for_thinking(person_id: int) -> int:
    """Return in how many seconds computers may think for a person again; 0 if they may now."""
    return limits.used_up(_limit(), f"person:{person_id}")


class Thinking:
    """Counts what a worker thinks, within a ``with`` statement, as its person's."""

    def __init__(self, person_id: int) -> None:
        self._person_id = person_id

    def __enter__(self) -> None:
        self._began = process_time()

    def __exit__(self, *_of: object) -> None:
        spent = ceil((process_time() - self._began) * THOUSANDTHS)
        limits.take(_limit(), f"person:{self._person_id}", cost=spent)


def _limit() -> Limit:
    return Limit("thinking", settings.COMPUTER_MINUTES * 60 * THOUSANDTHS, 24 * 60 * 60)
