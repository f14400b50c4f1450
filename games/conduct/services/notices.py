"""Notifications about conduct: to the person about whom staff decided, and to those who reported them."""

from datetime import datetime

from accounts.models import User
from games.conduct import news
from games.conduct.models import Appeal, Case
from games.news.services.notifications import tell_of_person
from games.sanctions.models import Sanction


def tell_person(*, sanction: Sanction, about: int, now: datetime) -> None:
    """Tell a person what staff decided about them; ``about`` below zero says that it has changed."""
    tell_of_person(users=[sanction.user], kind=news.DECIDED, about=about, now=now)


def tell_of_answer(*, appeal: Appeal, now: datetime) -> None:
    """Tell a person what came of their appeal."""
    tell_of_person(users=[appeal.sanction.user], kind=news.ANSWERED, about=appeal.pk, now=now)


def tell_reporters(*, case: Case, now: datetime) -> None:
    """Tell those who reported a person that staff have decided, and whether a rule was broken."""
    reporters = User.objects.filter(player_reports__case=case).distinct().order_by("pk")
    tell_of_person(users=reporters, kind=news.REPORTED, about=case.pk, now=now)
