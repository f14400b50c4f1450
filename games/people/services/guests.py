"""Guests who do not come back are forgotten with what they have flown, and so are unconfirmed sign-ups."""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from accounts import services as signup
from accounts.models import UNCONFIRMED, User
from games.clocks.selectors import since_when
from games.play.models import Game
from games.work.jobs import each

AT_ONCE = 200
"""How many rows a pass looks at; the next pass goes on."""


def forget_guests(*, now: datetime) -> int:
    """Delete guests who have neither come nor played for `settings.GUEST_DAYS`; return how many."""
    oldest = since_when(period=timedelta(days=settings.GUEST_DAYS), now=now)
    played = Game.objects.filter(host=OuterRef("pk"), moved_at__gt=oldest)
    gone = User.objects.filter(~Exists(played), is_guest=True, date_joined__lte=oldest)
    gone = gone.exclude(last_login__gt=oldest).order_by("date_joined")
    return each("guests", gone, partial(_forget, Q(is_guest=True)), most=AT_ONCE, now=now)


def forget_sign_ups(*, now: datetime) -> int:
    """Delete sign-ups whose address no one confirmed in time, which frees their names; return how many."""
    gone = User.objects.unconfirmed().filter(date_joined__lte=since_when(period=signup.WAITS, now=now))
    gone = gone.exclude(emailaddress__verified=True).order_by("date_joined")
    return each("sign-ups", gone, partial(_forget, UNCONFIRMED), most=AT_ONCE, now=now)


def _forget(still: Q, user_id: int) -> bool:
    """Delete a row with its missions, as long as it is ``still`` such; return whether it was."""
    list(Game.objects.select_for_update().filter(host=user_id).order_by("pk").values_list("pk"))
    # A row that is held is just being confirmed, or handed over.
    held = User.objects.select_for_update(skip_locked=True).filter(still, pk=user_id).first()
    if held is None:
        return False
    Game.objects.filter(host=held).delete()
    held.delete()
    return True
