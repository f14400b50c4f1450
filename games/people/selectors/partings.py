"""What becomes of someone's games once their account is deleted."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.chat.models import ChatLine
from games.competitions.selectors.tournaments import entries_of, hosted_by
from games.play.models import Game, Replacement, Seat


@dataclass(frozen=True, slots=True)
class Parting:
    """How many games someone has of each kind, by what becomes of them without that person.

    Of those under way a computer plays on in the ``taken_over``, and the ``called_off`` come to an end, since
    no one else is in them. Lobbies are ``left``. Those that have ended are ``kept``, and those that are the
    person's ``alone``, in whatever state, go as a whole. ``tournaments`` are those that they leave, and
    ``hosted`` those that staff take over.
    """

    taken_over: int
    called_off: int
    left: int
    kept: int
    alone: int
    tournaments: int
    hosted: int


def parting_of(*, user: User) -> Parting:
    """Return what becomes of a person's games once their account is deleted, for that person."""
    alone = alone_with(user=user)
    mine = Game.objects.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)) | Q(host=user))
    shared = mine.exclude(pk__in=alone.values("pk"))
    others = Exists(Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user))
    running = shared.filter(status=Game.Status.RUNNING)
    return Parting(
        taken_over=running.filter(others).count(),
        called_off=running.filter(~others).count(),
        left=shared.filter(status=Game.Status.OPEN).count(),
        kept=shared.filter(ended_at__isnull=False).count(),
        alone=alone.count(),
        tournaments=len(entries_of(user)),
        hosted=hosted_by(user).count(),
    )


def alone_with(*, user: User) -> QuerySet[Game]:
    """Return private games that someone hosts, and in which no other person ever sat or spoke."""
    sitting = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user)
    passed_on = Replacement.objects.filter(seat__game=OuterRef("pk"))
    sat = passed_on.exclude(was=user, became=None).exclude(was=None, became=user)
    spoke = ChatLine.objects.filter(game=OuterRef("pk")).exclude(user=user)
    return Game.objects.filter(~Exists(sitting), ~Exists(sat), ~Exists(spoke), private=True, host=user)
