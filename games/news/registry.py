"""What is known by a name: kinds of notification, and channels."""

from typing import Any, Final, Protocol, TypeVar

from django.utils.functional import Promise


class Named(Protocol):
    """What has a name, which is stored, and a label, which people read."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str | Promise: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(dict[str, Entry]):
    """Things by their names, filled when the site starts (`games/notifications.py`)."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def __missing__(self, name: str) -> Entry:
        """Raise ValueError, for example after going back to a release that has no such thing."""
        raise ValueError(f"There is no {self.what} “{name}”.")

    def register(self, *entries: Entry) -> None:
        """Make things known. Raises ValueError if two have the same name."""
        for entry in entries:
            if self.setdefault(entry.name, entry) is not entry:
                raise ValueError(f"There are two: {self.what} “{entry.name}”.")

    def choices(self) -> list[tuple[str, str]]:
        """Return the name and label of each."""
        return [(entry.name, str(entry.label)) for entry in self.values()]


KINDS: Final = Registry[Any]("kind of notification")
CHANNELS: Final = Registry[Any]("channel")
"""What `kinds` and `channel` declare, for the table of notifications, of which both know."""


def kind_choices() -> list[tuple[str, str]]:
    return KINDS.choices()


def channel_choices() -> list[tuple[str, str]]:
    return CHANNELS.choices()
