"""Record all orders that the test sends to the site, and the site's answers."""

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
Key = tuple[int, int, str]
"""A game's ID, a turn number, and a player's Robo Name."""


@dataclass
class Attempt:
    """Orders that were sent to the site. ``status`` is the HTTP status, or None if no answer came."""

    orders: Document
    status: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether the site accepted the orders."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def open(self) -> bool:
        """Whether it is unknown if the site accepted the orders.

        This is so if no answer came, or if the answer was a server error.
        """
        return self.status is None or self.status >= 500


@dataclass
class Ledger:
    """All attempts to submit orders, by player and turn, in order of time."""

    attempts: dict[Key, list[Attempt]] = field(default_factory=lambda: defaultdict(list))
    refusals: Counter[str] = field(default_factory=Counter)
    _busy: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Key) -> bool:
        """Reserve a player's turn for one thread. Return False if another thread has reserved it."""
        with self._lock:
            if key in self._busy:
                return False
            self._busy.add(key)
            return True

    def leave(self, key: Key) -> None:
        """Release a player's turn that a thread reserved with `take`."""
        with self._lock:
            self._busy.discard(key)

    def note(self, key: Key, attempt: Attempt) -> None:
        """Record an attempt to submit orders. Call this before the orders are sent."""
        with self._lock:
            self.attempts[key].append(attempt)

    def refused(self, status: int, code: str) -> None:
        with self._lock:
            self.refusals[f"{status} {code}"] += 1

    def possible_orders(self, key: Key) -> tuple[list[Document], bool]:
        """Return the orders that the site may have played, and whether it must have played one of them.

        The site may play the orders that it accepted last, and any orders whose answer is unknown.
        """
        attempts = self.attempts.get(key, [])
        accepted = [each.orders for each in attempts if each.accepted]
        return accepted[-1:] + [each.orders for each in attempts if each.open], bool(accepted)

    def counts(self) -> dict[str, int]:
        """Return the number of attempts, by kind of answer."""
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
