"""Guests who do not come back are forgotten, with what they have flown."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef

from accounts.models import User
from games.models import Game
from games.services.jobs import each

AT_ONCE = 200
"""How many guests a pass looks at; the next pass goes on."""


def forget_guests(*, now: datetime) -> int:
    """Delete guests who have neither come nor played for `settings.GUEST_DAYS`; return how many."""
    oldest = now - timedelta(days=settings.GUEST_DAYS)
    played = Game.objects.filter(host=OuterRef("pk"), moved_at__gt=oldest)
    gone = User.objects.filter(~Exists(played), is_guest=True, date_joined__lte=oldest)
    gone = gone.exclude(last_login__gt=oldest).order_by("date_joined")
    return each("guests", gone, _forget, most=AT_ONCE, now=now)


def _forget(guest_id: int) -> bool:
    list(Game.objects.select_for_update().filter(host=guest_id).order_by("pk").values_list("pk"))
    # A row that is held belongs to a guest who is signing up right now.
    held = User.objects.select_for_update(skip_locked=True).filter(pk=guest_id, is_guest=True).first()
    if held is None:
        return False
    Game.objects.filter(host=held).delete()
    held.delete()
    return True
