"""The orders accepted by the site, for each player and turn."""

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
Key = tuple[int, int, str]
"""A game, a turn number, and a player's Robo Name."""


@dataclass
class Attempt:
    """Sent orders. ``status`` is None without an answer."""

    orders: Document
    status: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether the site accepted them."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def open(self) -> bool:
        """Whether their fate is unknown: no answer came, or a server error."""
        return self.status is None or self.status >= 500


@dataclass
class Ledger:
    """All attempts, in order."""

    attempts: dict[Key, list[Attempt]] = field(default_factory=lambda: defaultdict(list))
    refusals: Counter[str] = field(default_factory=Counter)
    _busy: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Key) -> bool:
        """Reserve a player for one thread. Return False if another one has them."""
        with self._lock:
            if key in self._busy:
                return False
            self._busy.add(key)
            return True

    def leave(self, key: Key) -> None:
        """Release a player."""
        with self._lock:
            self._busy.discard(key)

    def note(self, key: Key, attempt: Attempt) -> None:
        """Record an attempt before it is sent."""
        with self._lock:
            self.attempts[key].append(attempt)

    def refused(self, status: int, code: str) -> None:
        with self._lock:
            self.refusals[f"{status} {code}"] += 1

    def may_be(self, key: Key) -> tuple[list[Document], bool]:
        """Return the orders that may have been played, and whether one of them must be.

        Those are the last accepted ones, and any without a clear answer.
        """
        attempts = self.attempts.get(key, [])
        accepted = [each.orders for each in attempts if each.accepted]
        return accepted[-1:] + [each.orders for each in attempts if each.open], bool(accepted)

    def counts(self) -> dict[str, int]:
        """Return the numbers of attempts, by kind of answer."""
        every = [each for attempts in self.attempts.values() for each in attempts]
        accepted = sum(each.accepted for each in every)
        unanswered = sum(each.status is None for each in every)
        troubled = sum(each.open for each in every) - unanswered
        return {
            "accepted": accepted,
            "refused": len(every) - accepted - unanswered - troubled,
            "answered with an error of the server": troubled,
            "without an answer": unanswered,
        }
