"""The cast of the tests: Alice, Bob, Carol, Dave, Erin and Grace.

Alice hosts, Bob and Carol play, and Dave is a stranger. Erin is staff, and Grace is staff without any rights.
"""

from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import User
from games.rights import Right
from tests.support.worlds import once


def person(name: str, **fields: Any) -> User:
    """Return a person with a confirmed address and the password of `password_of`."""
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
    return person("Alice")


def bob() -> User:
    return person("Bob")


def carol() -> User:
    return person("Carol")


def dave() -> User:
    return person("Dave")


def erin() -> User:
    return person("Erin", is_staff=True, rights=True)


def grace() -> User:
    return person("Grace", is_staff=True)
