"""Notifications about conduct: to the person about whom staff decided, and to those who reported them.

Each is about an entry of the log, so that each deed is told once, and a second one as well.
"""

from datetime import datetime

from accounts.models import User
from games.conduct.models import ConductEntry
from games.news.services import tell_of_person


def tell_person(*, entry: ConductEntry, now: datetime) -> None:
    """Tell a person what staff decided about them, or how that has changed."""
    tell_of_person(users=[entry.person], kind="sanction", about=entry.pk, now=now)


def tell_of_answer(*, entry: ConductEntry, now: datetime) -> None:
    """Tell a person what came of their appeal."""
    tell_of_person(users=[entry.person], kind="appeal", about=entry.pk, now=now)


def tell_reporters(*, entry: ConductEntry, now: datetime) -> None:
    """Tell those who reported a person whether staff have acted, and later that they undid it."""
    reporters = User.objects.filter(player_reports__case=entry.case).distinct().order_by("pk")
    tell_of_person(users=reporters, kind="reported", about=entry.pk, now=now)
