"""What a guest has flown, once there is an account that it belongs to."""

from typing import Any

from django.db import transaction

from accounts.models import User
from games import enqueue
from games.models import Achievement, Game, LogEntry, Seat, Turn
from games.services.recording import hold


def hold_missions(*, guest: User) -> None:
    """Hold the rows of a guest's games until the transaction ends: always before the guest's own."""
    _held(guest)


def rename_robots(*, user: User, before: str) -> None:
    """Have the robots of a guest who has become a person bear that person's name, in all that is kept."""
    with transaction.atomic():
        for game in _held(user):
            _rename(game, before, user.robo_name)


def adopt_guest(*, guest_id: int, user: User) -> int:
    """Hand over a guest's missions to a person, and delete the guest; return how many games there were.

    What the person has earned by them is counted by a worker. A guest who is none any more is left alone.
    """
    with transaction.atomic():
        guests = User.objects.filter(pk=guest_id, is_guest=True)
        if user.is_guest or (guest := guests.first()) is None:
            return 0
        _held(guest)
        hold([guest_id, user.pk])
        if (guest := guests.first()) is None:  # has signed up meanwhile
            return 0
        games = _held(guest)
        for game in games:
            _rename(game, guest.robo_name, user.robo_name)
        Game.objects.filter(host=guest).update(host=user)
        Seat.objects.filter(user=guest).update(user=user)
        known = Achievement.objects.filter(user=user).values("key")
        Achievement.objects.filter(user=guest).exclude(key__in=known).update(user=user)
        guest.delete()
        if games:
            enqueue.recount_person(user.pk)
    return len(games)


def _held(user: User) -> list[Game]:
    return list(Game.objects.select_for_update(no_key=True).filter(host=user).order_by("pk"))


def _rename(game: Game, before: str, after: str) -> None:
    """Write another name wherever a game whose row is held has a robot's."""
    if game.winner == before:
        Game.objects.filter(pk=game.pk).update(winner=after)
    for turn in Turn.objects.filter(game=game):
        turn.snapshot = _renamed(turn.snapshot, before, after)
        turn.outcome = _renamed(turn.outcome, before, after)
        turn.save(update_fields=["snapshot", "outcome"])
    entries = list(LogEntry.objects.filter(game=game))
    for entry in entries:
        entry.event = _renamed(entry.event, before, after)
    LogEntry.objects.bulk_update(entries, ["event"], batch_size=500)


def _renamed(document: Any, before: str, after: str) -> Any:
    """Return a document in which whatever is exactly the one text is the other.

    >>> _renamed({"chips": {"Guest-1": "L"}, "robots": [{"name": "Guest-1"}]}, "Guest-1", "Ada")
    {'chips': {'Ada': 'L'}, 'robots': [{'name': 'Ada'}]}
    """
    if isinstance(document, dict):
        return {
            _renamed(key, before, after): _renamed(value, before, after) for key, value in document.items()
        }
    if isinstance(document, list):
        return [_renamed(value, before, after) for value in document]
    return after if document == before else document
