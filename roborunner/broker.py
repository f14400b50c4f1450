"""How processes keep in touch with Redis, which brings messages: they never give up, and are soon back."""

from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection, Queue
from kombu.transport import redis

TURNS, SWEEPS, THINKING, LAB = "celery", "sweeps", "thinking", "lab"
MAIL, WEBHOOKS, PUSH = "mail", "webhooks", "push"
"""The queues, one for each kind of work."""

QUEUES = tuple(Queue(name) for name in (SWEEPS, TURNS, THINKING, MAIL, WEBHOOKS, PUSH, LAB))
"""All queues, in the order in which a worker takes from them that is started without `--queues`.

It takes from a queue only while those before it are empty: games go on first, and are told of afterwards.
"""

LONGEST_WAIT = 5.0
"""Seconds between two tries to reach Redis, however long it has been away."""


class Channel(redis.Channel):
    """A channel that keeps its client; by itself it would make two for each message that a worker gets."""

    _kept: Any = None

    def _create_client(self, asynchronous: bool = False) -> Any:
        if asynchronous:
            return super()._create_client(asynchronous=True)  # type: ignore[misc]
        if self._kept is None or self._kept.connection_pool is not self.pool:
            self._kept = super()._create_client()  # type: ignore[misc]
        return self._kept


class Transport(redis.Transport):
    """Kombu's way to Redis, with such channels."""

    Channel = Channel


class PatientConnection(Connection):
    """A connection that is tried again every few seconds; by itself it would wait longer and longer."""

    def get_transport_cls(self) -> Any:
        """Return what messages go by."""
        found = super().get_transport_cls()
        return Transport if found is redis.Transport else found

    def _ensure_connection(self, *args: Any, **options: Any) -> Any:
        if len(args) < 5:  # the longest wait is the fifth in order
            options["interval_max"] = min(options.get("interval_max", LONGEST_WAIT), LONGEST_WAIT)
        return super()._ensure_connection(*args, **options)


class Broker(AMQP):
    """Celery's way to messages, over connections that are patient."""

    Connection = PatientConnection
    BrokerConnection = PatientConnection
