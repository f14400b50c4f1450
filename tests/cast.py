"""The cast: Alice hosts, Bob and Carol play, Dave is a stranger, Erin is staff.

Grace is staff without any right.
"""

from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import User
from games.rights import Right
from tests.support.worlds import once


def person(name: str, **fields: Any) -> User:
    """Make an account with a confirmed address and its `password_of`."""
    return once(_made, name, **fields)


def _made(name: str, rights: bool = False, **fields: Any) -> User:
    user = User.objects.create_user(name, address_of(name), password_of(name), **fields)
    user.confirm_email()
    if rights:
        codes = [right.partition(".")[2] for right in Right if right.startswith("games.")]
        user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    return user


def address_of(name: str) -> str:
    return f"{name.lower()}@example.org"


def password_of(name: str) -> str:
    return f"{name.lower()}-likes-robots"


def alice() -> User:
    """Alice hosts."""
    return person("Alice")


def bob() -> User:
    """Return Bob, a player."""
    return person("Bob")


def carol() -> User:
    """Carol also plays."""
    return person("Carol")


def dave() -> User:
    """Dave is a stranger without a seat."""
    return person("Dave")


def erin() -> User:
    """Erin is staff, with every right in games."""
    return person("Erin", is_staff=True, rights=True)


def grace() -> User:
    """Grace is staff, without any right."""
    return person("Grace", is_staff=True)
