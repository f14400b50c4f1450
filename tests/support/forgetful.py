"""A cache that stores nothing, so that tests never reach a rate limit."""

from django.core.cache.backends.dummy import DummyCache


class Forgetful(DummyCache):
    """Django's dummy cache with the site's method `count`. It forgets earlier counts."""

    def count(self, key: str, seconds: int, by: int = 1) -> int:
        return by
