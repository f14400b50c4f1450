"""Clips of turns: request them, make them in workers, and delete old ones."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext

from accounts.limits import CLIPS_FROM_ADDRESS, Limit, consume
from accounts.models import User
from games.errors import NotFound, TooMany
from games.films.selectors import replay
from games.play.selectors import played_turn
from games.play.services import keep_game
from games.sharing.drawing import ClipTooLarge, make_clip
from games.sharing.models import Clip
from games.sharing.selectors import shared_game
from games.work import enqueue
from games.work.jobs import encode_reason
from games.work.models import DAY, consume_limit
from roborunner import faults
from roborunner.leases import take_back

CLIPS_A_DAY: Final = 20
"""The maximum number of clips that a person with an account may request in a day."""

CLIPS_KEPT: Final = 300
"""The maximum number of stored clips. Older ones are deleted, and can be made again."""

CLIP_LIFETIME: Final = timedelta(days=90)
"""The time after which a clip is deleted. It can be made again."""

ATTEMPTS: Final = 3
"""The maximum number of attempts to make a clip."""

TASK_TIME_LIMIT: Final = 240
"""Seconds after which a task is killed."""

LEASE: Final = timedelta(seconds=270)
"""The duration of a worker's claim on a clip.

It is longer than `TASK_TIME_LIMIT`, so a worker whose claim has ended is dead.
"""

SECONDS_BETWEEN_REPORTS: Final = 1.0
"""Seconds between a worker's reports of its progress."""

logger = logging.getLogger(__name__)


def clip_of(*, game_id: int, number: int) -> Clip | None:
    """Return the clip of a turn without its file, or None if no one has requested it."""
    return Clip.objects.filter(game=game_id, number=number).defer("file").first()


def clip_file(*, game_id: int, number: int) -> bytes:
    """Return the file of a clip. Raises NotFound if it is not made."""
    done = Clip.objects.filter(game=game_id, number=number, status=Clip.Status.DONE)
    found = done.values_list("file", flat=True).first()
    if found is None:
        raise NotFound("no-clip", gettext("There is no clip of this turn yet."))
    return bytes(found)


def request_clip(*, user: User, address: str, game_id: int, number: int, now: datetime) -> Clip:
    """Request the clip of a turn of a finished public game, and return it.

    If the clip exists already, this costs nothing, unless it has failed. Guests are counted by their IP
    ``address`` (`limits.address_of`), other people by person. Raises NotFound if the game is not shared or
    the turn was not played, and TooMany after too many clips within a day.
    """
    game = shared_game(game_id)
    played_turn(game, number)
    with transaction.atomic():
        keep_game(game.pk)
        clip = Clip.objects.filter(game=game, number=number, status__in=[*Clip.UNDER_WAY, Clip.Status.DONE])
        if found := clip.defer("file").first():
            return found
        Clip.objects.filter(game=game, number=number, status=Clip.Status.FAILED).delete()
        made, is_new = Clip.objects.get_or_create(
            game=game, number=number, defaults={"created_at": now, "offered_at": now}
        )
        if is_new:  # otherwise another person has just requested it, and is counted
            _count(user, address, now)
            enqueue.make_clip(made.pk)
    return made


def _count(user: User, address: str, now: datetime) -> None:
    """Count a clip against the daily limit of a person, or of a guest's address. Raises TooMany."""
    most = CLIPS_FROM_ADDRESS.most if user.is_guest else CLIPS_A_DAY
    detail = ngettext(
        "You made {most} clip within a day, which is the limit. Try again later.",
        "You made {most} clips within a day, which is the limit. Try again later.",
        most,
    ).format(most=most)
    if not user.is_guest:
        consume_limit(Limit("clips", CLIPS_A_DAY, DAY), user=user, detail=detail, now=now)
    elif wait := consume(CLIPS_FROM_ADDRESS, address):
        raise TooMany(detail, wait)


# --- The part of the workers --------------------------------------------------------------------------------


def clips_to_make(*, now: datetime) -> QuerySet[Clip]:
    """Return the unfinished clips that no worker has claimed, oldest first."""
    return Clip.free(now).order_by("created_at")


def make_requested_clip(*, clip_id: int, now: datetime) -> bool:
    """Make a clip, unless another worker has claimed it. Return whether it was stored.

    If workers die repeatedly on a clip, it fails.
    """
    clip = clips_to_make(now=now).select_related("game").filter(pk=clip_id).first()
    if clip is None or not clip.claim(LEASE, now=now, offered_at=now, status=Clip.Status.MAKING):
        return False
    if clip.attempts > ATTEMPTS:
        return clip.fail(encode_reason("deadly-clip", ATTEMPTS), now)
    try:
        file = make_clip(replay(game=clip.game, number=clip.number), _reporting(clip))
    except InterruptedError:
        return False  # the clip was deleted, or another worker makes it
    except ClipTooLarge:
        return clip.fail(encode_reason("large-clip"), now)
    except Exception as error:
        if faults.is_temporary(error):
            take_back([clip], error)
            raise
        logger.exception("Clip %d has failed", clip_id)
        return clip.fail(encode_reason("clip-fault"), now)
    end = {"status": Clip.Status.DONE, "progress": 100, "file": file, "finished_at": now, "lease_until": None}
    return bool(clip.mine().update(**end))


def _reporting(clip: Clip) -> Callable[[int], bool]:
    """Return a function that stores the progress of a claimed clip once a second.

    The function returns False if the worker has lost the clip.
    """
    reported = time.monotonic()

    def report(percent: int) -> bool:
        nonlocal reported
        if (now := time.monotonic()) - reported < SECONDS_BETWEEN_REPORTS:
            return True
        reported = now
        return bool(clip.mine().update(progress=percent))

    return report


def forget_clips(*, now: datetime) -> int:
    """Delete clips after `CLIP_LIFETIME`, and the oldest beyond `CLIPS_KEPT`. Return the number deleted."""
    finished = Clip.objects.filter(finished_at__isnull=False).order_by("-finished_at", "-pk")
    beyond = finished.values_list("pk", flat=True)[CLIPS_KEPT:]
    old = finished.filter(finished_at__lte=now - CLIP_LIFETIME).values_list("pk", flat=True)
    return Clip.objects.filter(pk__in={*beyond, *old}).delete()[0]
