"""What was whose of robots that several people have steered, one after another."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from games.play.models import Replacement, Turn


class Stretch(NamedTuple):
    """From when until when someone had a seat that has passed on: None where it has no beginning or end."""

    seat: int
    since: Replacement | None
    until: Replacement | None


def stretches_of(user: User) -> Iterator[Stretch]:
    """Yield when a person had seats that have passed on, seat by seat, and in order."""
    theirs = Replacement.objects.filter(Q(was=user) | Q(became=user)).order_by("seat", "pk")
    for seat, passings in groupby(theirs, key=lambda passing: passing.seat_id):
        since: Replacement | None = None
        has_it = True
        for passing in passings:
            has_it = passing.became_id == user.pk
            if has_it:
                since = passing
            else:
                yield Stretch(seat, since, passing)
        if has_it:
            yield Stretch(seat, since, None)


def hands_dealt_to(user: User) -> Q:
    """Return what picks a person's hands out of all.

    In the turn in which they lost a robot they had a hand as well; one that was redrawn in a turn that goes
    on may be the next player's. Hands that lie face down were seen by no one (AM-5.2).
    """
    found = Q(seat__user=user, seat__shared=False)
    for seat, since, until in stretches_of(user):
        theirs = Q(seat=seat)
        if since is not None:
            theirs &= Q(turn__number__gte=since.turn)
        if until is not None:
            theirs &= Q(turn__number__lte=until.turn)
            theirs &= Q(redealt=None) | Q(turn__status=Turn.Status.RESOLVED)
        found |= theirs
    return found & Q(face_down=False)


def orders_given_by(user: User) -> Q:
    """Return what picks out of all programs those that were given for a robot while it was a person's."""
    found = Q(hand__seat__user=user, hand__seat__shared=False)
    for seat, since, until in stretches_of(user):
        theirs = Q(hand__seat=seat)
        if since is not None:
            theirs &= Q(submitted_at__gte=since.at)
        if until is not None:
            theirs &= Q(submitted_at__lt=until.at)
        found |= theirs
    return found
