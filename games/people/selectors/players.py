"""Who can be found by whom in the list of players."""

import re
import unicodedata
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Audience, User
from accounts.robo_names import LONGEST
from games.play.models import Seat
from games.play.selectors.viewers import Viewer

MOST: Final = 100
"""The most players that a search finds."""

TYPED: Final = 4 * LONGEST
"""Characters of a search, at most, with accents. Many marks take the square of their number to normalise."""

NAME = re.compile(rf"[a-z0-9_-]{{1,{LONGEST}}}")
"""What a Robo Name can begin with, in small letters."""


def find_players(*, viewer: Viewer, beginning: str) -> QuerySet[User]:
    """Return the first players whose Robo Name begins like that, by name, if they let the viewer find them.

    Case and accents make no difference: a Robo Name has no accents, and is the same in any case.
    """
    beginning = _plain(beginning) if len(beginning) <= TYPED else ""
    if not NAME.fullmatch(beginning):
        return User.objects.none()
    found = User.objects.players().filter(_lets_find(viewer)).annotate(small=Lower("robo_name"))
    return found.filter(small__startswith=beginning).order_by("small")[:MOST]


def _lets_find(viewer: Viewer) -> Q:
    everybody = Q(shows_name=Audience.EVERYBODY)
    if not isinstance(viewer, User):
        return everybody
    together = Seat.objects.filter(
        user=OuterRef("pk"), game__started_at__isnull=False, game__players__user=viewer
    )
    return everybody | Q(pk=viewer.pk) | Q(shows_name=Audience.PLAYERS) & Q(Exists(together))


def _plain(text: str) -> str:
    """Return a text in small letters, without accents.

    >>> _plain("Zoë")
    'zoe'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).lower()
