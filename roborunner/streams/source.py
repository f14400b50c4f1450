"""What a site tells its streams of what they are about: `asgi` names who does."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Protocol

from django.http import HttpRequest


class Item(Protocol):
    """An event of a stream: its type, what it says, and the cursor up to which its reader knows all then."""

    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def cursor(self) -> object: ...


class Pass(Protocol):
    """Someone may look: what they see at first, how far they have read, and whose streams this one adds to.

    ``watcher`` is the number of the person, where it is to be noted that they look.
    """

    @property
    def state(self) -> Any: ...
    @property
    def read(self) -> Any: ...
    @property
    def watcher(self) -> int | None: ...
    @property
    def client(self) -> str: ...


class Source(Protocol):
    """The subjects of streams. Each has a number, and a state, which is compared to the one before.

    ``address`` finds the ``number`` in a path, and ``api`` where a stream takes an account. On ``channel``
    Redis announces numbers. Every ``sign`` it is noted who watches.
    """

    address: re.Pattern[str]
    channel: str
    sign: timedelta

    @property
    def most_of_client(self) -> int: ...

    def admit(
        self, page: HttpRequest, number: int, *, api: bool, check_host: Callable[[HttpRequest], object]
    ) -> Pass: ...
    def refusal(
        self, error: Exception, page: HttpRequest | None = None
    ) -> tuple[int, dict[str, str], bytes]: ...
    def full(self) -> Exception: ...
    def too_many(self) -> Exception: ...
    def states(self, numbers: Iterable[int]) -> Mapping[int, Any]: ...
    def is_older(self, state: Any, other: Any) -> bool: ...
    def first_news(self, read: Any, state: Any) -> Iterator[Item]: ...
    def news(self, before: Any, state: Any) -> Iterator[Item]: ...
    def note_watching(self, pairs: Iterable[tuple[int, int]]) -> None: ...
