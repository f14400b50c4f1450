"""What streams are about here: games. `roborunner.streams` asks this for all that it has to know of them."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from games.live import CHANNEL
from games.play.selectors.cursors import Cursor
from games.streams import admission
from games.streams.grounds import Ground, lost_grounds
from games.streams.progress import GameProgress, News, first_news, news, progress_of


class GameStreams:
    """Streams of games."""

    address = re.compile(r"/(?P<api>api/v1/)?games/(?P<number>[0-9]{1,18})/events/?", re.ASCII)
    channel = CHANNEL

    @property
    def most_of_client(self) -> int:
        """How many streams a client may have open in one process."""
        return limits.STREAMS_OF_A_CLIENT

    def admit(
        self, page: HttpRequest, number: int, *, api: bool, check_host: Callable[[HttpRequest], object]
    ) -> admission.Admission:
        """Return what the sender of a request may see of a game, or raise why they may not."""
        return admission.admit(page, game_id=number, signed_in=api, check_host=check_host)

    def refusal(self, error: Exception, page: HttpRequest | None = None) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of the answer to an error."""
        return admission.refusal(error, page)

    def full(self) -> Exception:
        """Return why there is no stream where this process has all that it can hold."""
        return admission.Full()

    def too_many(self) -> Exception:
        """Return why there is no stream for a client that has as many as one gets."""
        return admission.TooManyStreams()

    def lost(self, grounds: Collection[Ground]) -> set[Ground]:
        """Return the grounds of streams that no longer hold."""
        return lost_grounds(grounds, now=timezone.now())

    def states(self, numbers: Iterable[int]) -> Mapping[int, GameProgress]:
        """Return how far games are; those that are no more are left out."""
        return progress_of(numbers)

    def is_older(self, state: GameProgress, other: GameProgress) -> bool:
        """Return whether one was read before the other: log and chat do not get shorter."""
        return state.cursor.seq < other.cursor.seq or state.cursor.chat < other.cursor.chat

    def first_news(self, read: Cursor | None, state: GameProgress) -> Iterator[News]:
        """Yield what a reader is told first."""
        return first_news(read, state)

    def news(self, before: GameProgress, state: GameProgress) -> Iterator[News]:
        """Yield what a reader is told who knows what was before."""
        return news(before, state)

    def farewell(self, state: GameProgress) -> Iterator[News]:
        """Yield what a reader hears last who may not look any more."""
        yield News("end", {}, state.cursor)
