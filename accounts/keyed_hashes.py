"""Hashes that only the site can make, and still recognises after its key was replaced."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hashes(salt: str, value: str) -> list[str]:
    """Return the hash of a value by ``SECRET_KEY``, then by each key of ``SECRET_KEY_FALLBACKS``.

    Store the first. Look for all of them: rows and links from before a new key have another.
    """
    return [
        salted_hmac(salt, value, secret=key, algorithm="sha256").hexdigest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]
