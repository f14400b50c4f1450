"""What a guest has played, once there is an account that it belongs to."""

from django.db import transaction

from accounts.models import User
from games.people.models import Achievement, Share
from games.people.services.names import rename_robot
from games.play.models import Game, Replacement, Seat
from games.play.services.locks import hold_people
from games.work import enqueue


def adopt_guest(*, guest_id: int, user: User) -> int:
    """Hand over a guest's games to a person, and delete the guest; return how many games there were.

    They are missions and games against computers, all hosted by the guest. What the person has earned by them
    is counted by a worker. A guest who is none any more is left alone.
    """
    with transaction.atomic():
        guests = User.objects.filter(pk=guest_id, is_guest=True)
        if user.is_guest or (guest := guests.first()) is None:
            return 0
        _held(guest)
        hold_people([guest_id, user.pk])
        if (guest := guests.first()) is None:  # has signed up meanwhile
            return 0
        games = _held(guest)
        for game in games:
            rename_robot(game=game, before=guest.robo_name, after=user.robo_name)
        Game.objects.filter(host=guest).update(host=user)
        Seat.objects.filter(user=guest).update(user=user)
        _pass_on_seats(games, guest, user)
        known = Achievement.objects.filter(user=user).values("key")
        Achievement.objects.filter(user=guest).exclude(key__in=known).update(user=user)
        guest.delete()
        if games:
            enqueue.recount_person(user.pk)
    return len(games)


def _held(user: User) -> list[Game]:
    return list(Game.objects.select_for_update(no_key=True).filter(host=user).order_by("pk"))


def _pass_on_seats(games: list[Game], guest: User, user: User) -> None:
    """Hand over what is kept of seats that a guest had and lost, to a computer that staff put there."""
    Seat.objects.filter(game__in=games, robot=guest.robo_name).update(robot=user.robo_name)
    Replacement.objects.filter(was=guest).update(was=user)
    Replacement.objects.filter(became=guest).update(became=user)
    theirs = Share.objects.filter(user=user).values("seat")
    Share.objects.filter(user=guest).exclude(seat__in=theirs).update(user=user)
