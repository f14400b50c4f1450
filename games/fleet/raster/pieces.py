"""Pieces of pictures, by names that tell their contents: in Redis for all processes, the latest in this one.

Nothing waits for Redis, and nothing fails without it: then each process draws what it does not remember.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

import redis
from PIL import Image

from games.impatient import redis_client
from rules import drawing

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=30)
"""How long Redis has a piece; after that it is drawn again."""

PATIENCE: Final = 0.3
"""Seconds that Redis may take."""

Pieces = dict[str, Image.Image]

Thing = TypeVar("Thing")


class Memory(Generic[Thing]):
    """The things that were used last, by one process and all its threads; ``size`` tells what one takes."""

    def __init__(self, most: int, size: Callable[[Thing], int]) -> None:
        self._most = most
        self._size = size
        self._held = 0
        self._things: OrderedDict[str, Thing] = OrderedDict()
        self._lock = Lock()

    def get(self, names: Iterable[str]) -> dict[str, Thing]:
        with self._lock:
            found = {name: self._things[name] for name in names if name in self._things}
            for name in found:
                self._things.move_to_end(name)
            return found

    def put(self, things: Mapping[str, Thing]) -> None:
        """Remember things, and forget those that were not used for the longest time."""
        with self._lock:
            for name, thing in things.items():
                if name in self._things:
                    self._held -= self._size(self._things.pop(name))
                self._things[name] = thing
                self._held += self._size(thing)
            while self._held > self._most and len(self._things) > 1:
                self._held -= self._size(self._things.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._held = 0


def _octets(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())


MEMORY: Final = Memory(24_000_000, _octets)
"""Pieces: some twenty boards, or fewer with many robots."""


def named(*contents: object) -> str:
    """Return the name of a piece: that of all that tells it from others."""
    return sha256(repr((_edition(), contents)).encode()).hexdigest()[:32]


def find(names: Iterable[str]) -> Pieces:
    """Return the pieces that are kept under these names."""
    wanted = list(dict.fromkeys(names))
    found = MEMORY.get(wanted)
    if missing := [name for name in wanted if name not in found]:
        fetched = _fetched(missing)
        MEMORY.put(fetched)
        found |= fetched
    return found


def keep(images: Mapping[str, Image.Image]) -> None:
    """Keep pieces; one that is in Redis already stays, as it is the same."""
    if not images:
        return
    MEMORY.put(images)
    try:
        with _client().pipeline(transaction=False) as pipe:
            for name, image in images.items():
                pipe.set(_key(name), encoded(image, level=6), ex=KEPT)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("Pieces of pictures are not kept, since Redis is away: %s", error)


def encoded(image: Image.Image, *, level: int = 3) -> bytes:
    """Return an image as PNG. The usual level takes half the time of the next, for 10 % more octets."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=level)
    return file.getvalue()


def decoded(data: bytes) -> Image.Image:
    """Return an image in memory, which threads may share."""
    image = Image.open(BytesIO(data), formats=["PNG"])
    image.load()
    return image


def _fetched(names: list[str]) -> Pieces:
    try:
        answers = _client().mget([_key(name) for name in names])
    except redis.RedisError:
        return {}
    found = {}
    for name, data in zip(names, answers, strict=True):
        if isinstance(data, bytes):
            try:
                found[name] = decoded(data)
            except (OSError, SyntaxError, ValueError) as error:  # Pillow's words for a file that is none
                logger.warning("The piece %s is drawn again, since it cannot be read: %s", name, error)
    return found


@cache
def _edition() -> str:
    """Return what tells how boards are drawn today: a release that draws otherwise finds no older piece."""
    folders = [Path(drawing.__file__).parent, Path(__file__).parent]
    sources = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py"))]
    libraries = [version(name).encode() for name in ("pillow", "resvg-py")]
    return sha256(b"\0".join(sources + libraries)).hexdigest()


def _key(name: str) -> str:
    return f"robo-runner:piece:{name}"


@cache
def _client() -> redis.Redis:
    return redis_client(PATIENCE)
