"""What was whose of robots that several people have steered, one after another."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from games.play.models import Replacement, Seat, Turn
from games.play.played import Dealt, each_played


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
    """Return what picks a person's hands out of all, of turns under way.

    In the turn in which they lost a robot they have a hand as well; one that was redrawn may be the next
    player's. Hands that lie face down were seen by no one (AM-5.2).
    """
    found = Q(seat__user=user, seat__shared=False)
    for seat, since, until in stretches_of(user):
        theirs = Q(seat=seat)
        if since is not None:
            theirs &= Q(turn__number__gte=since.turn)
        if until is not None:
            theirs &= Q(turn__number__lte=until.turn, redealt=None)
        found |= theirs
    return found & Q(face_down=False, turn__status=Turn.Status.OPEN)


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
    return found & Q(hand__turn__status=Turn.Status.OPEN)


def played_by(user: User) -> Iterator[tuple[Seat, Turn, Dealt]]:
    """Yield a person's hands in turns that were played, with seat and turn, as `hands_dealt_to` has it.

    A program comes with a hand where it was given while the robot was theirs. Hands that lay face down come
    for the sake of that program alone.
    """
    alone = Seat.objects.filter(user=user, shared=False).values_list("pk", flat=True)
    for seat_id, since, until in [*(Stretch(pk, None, None) for pk in alone), *stretches_of(user)]:
        seat = Seat.objects.get(pk=seat_id)
        turns = Turn.objects.filter(game=seat.game_id, status=Turn.Status.RESOLVED)
        if since is not None:
            turns = turns.filter(number__gte=since.turn)
        if until is not None:
            turns = turns.filter(number__lte=until.turn)
        for turn, played in each_played(turns.order_by("number")):
            for hand in played.hands:
                theirs = _theirs(hand, since, until)
                if hand.robot == seat.number and not (hand.face_down and theirs.program is None):
                    yield seat, turn, theirs


def _theirs(hand: Dealt, since: Replacement | None, until: Replacement | None) -> Dealt:
    """Return a hand without a program that was given while someone else had the robot."""
    given = hand.program
    if given is None:
        return hand
    early = since is not None and given.submitted_at < since.at
    late = until is not None and given.submitted_at >= until.at
    return replace(hand, program=None) if early or late else hand
