"""What a site tells its streams of what they are about: `asgi` names who does."""

import re
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping
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

    The right to look rests on the ``ground``, a value that the source can check again.
    """

    @property
    def state(self) -> Any: ...
    @property
    def read(self) -> Any: ...
    @property
    def client(self) -> str: ...
    @property
    def ground(self) -> Hashable: ...


class Source(Protocol):
    """The subjects of streams. Each has a number, and a state, which is compared to the one before.

    ``address`` finds the ``number`` in a path, and ``api`` where a stream takes an account. On ``channel``
    Redis announces numbers.
    """

    address: re.Pattern[str]
    channel: str

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
    def lost(self, grounds: Collection[Any]) -> Container[Any]: ...
    def states(self, numbers: Iterable[int]) -> Mapping[int, Any]: ...
    def is_older(self, state: Any, other: Any) -> bool: ...
    def first_news(self, read: Any, state: Any) -> Iterator[Item]: ...
    def news(self, before: Any, state: Any) -> Iterator[Item]: ...
    def farewell(self, state: Any) -> Iterator[Item]: ...
