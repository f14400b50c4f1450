"""Redis for what is better left out than waited for."""

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry


def redis_client(patience: float) -> redis.Redis:
    """Return a client that waits so many seconds for Redis, and asks once."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=patience,
        socket_timeout=patience,
        retry=Retry(NoBackoff(), 0),
    )
