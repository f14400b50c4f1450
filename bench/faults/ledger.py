"""What players were told: which orders the site accepted, by each player for each turn."""

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
Key = tuple[int, int, str]
"""A game, the number of a turn, and a player's Robo Name."""


@dataclass
class Attempt:
    """Orders that were sent. ``status`` is None as long as there is no answer, and where there was none."""

    orders: Document
    status: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether the site said so."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def open(self) -> bool:
        """Whether they may have been kept or not: there was no answer, or one of a server in trouble."""
        return self.status is None or self.status >= 500


@dataclass
class Ledger:
    """All attempts, in order."""

    attempts: dict[Key, list[Attempt]] = field(default_factory=lambda: defaultdict(list))
    refusals: Counter[str] = field(default_factory=Counter)
    _busy: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Key) -> bool:
        """Have one at a time order for a player; return whether it is the caller's turn."""
        with self._lock:
            if key in self._busy:
                return False
            self._busy.add(key)
            return True

    def leave(self, key: Key) -> None:
        """Let others order for that player."""
        with self._lock:
            self._busy.discard(key)

    def note(self, key: Key, attempt: Attempt) -> None:
        """Keep an attempt, before it is sent."""
        with self._lock:
            self.attempts[key].append(attempt)

    def refused(self, status: int, code: str) -> None:
        """Count a refusal."""
        with self._lock:
            self.refusals[f"{status} {code}"] += 1

    def may_be(self, key: Key) -> tuple[list[Document], bool]:
        """Return what may have been played for a player, and whether it has to be one of these.

        It is the last orders that were accepted, or any that had no answer.
        """
        attempts = self.attempts.get(key, [])
        accepted = [each.orders for each in attempts if each.accepted]
        return accepted[-1:] + [each.orders for each in attempts if each.open], bool(accepted)

    def counts(self) -> dict[str, int]:
        """Return how many attempts were accepted, refused, and left without an answer."""
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
