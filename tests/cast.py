"""The cast of the tests: Alice hosts, Bob and Carol play, Dave is a stranger, Erin is staff."""

from typing import Any

from accounts.models import User
from tests.support.worlds import once


def person(name: str, **fields: Any) -> User:
    """Make an account whose address is confirmed; its password is `password_of` that name."""
    return once(_made, name, **fields)


def _made(name: str, **fields: Any) -> User:
    user = User.objects.create_user(name, address_of(name), password_of(name), **fields)
    user.confirm_email()
    return user


def address_of(name: str) -> str:
    """Where a member of the cast gets mail."""
    return f"{name.lower()}@example.org"


def password_of(name: str) -> str:
    """What a member of the cast logs in with."""
    return f"{name.lower()}-likes-robots"


def alice() -> User:
    """Alice hosts."""
    return person("Alice")


def bob() -> User:
    """Bob plays."""
    return person("Bob")


def carol() -> User:
    """Carol plays, too."""
    return person("Carol")


def dave() -> User:
    """Dave is a stranger: he has no seat anywhere."""
    return person("Dave")


def erin() -> User:
    """Erin is staff."""
    return person("Erin", is_staff=True)
