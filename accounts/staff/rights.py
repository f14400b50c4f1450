"""Decide what staff may do: the only code that asks who is staff or a superuser.

A right takes three things: the account is staff, it has the named permission, and it has a second factor if
the site asks staff for one (``STAFF_SECOND_FACTOR``). Superusers have every permission.
"""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.second_factor.services import is_set_up
from accounts.users.models import User

Person = User | AnonymousUser
"""Anyone who asks for something: an account, or a person who has not logged in."""

STAFF = Q(is_staff=True) | Q(is_superuser=True)


def lacks_second_factor(person: Person) -> bool:
    """Return whether an account of staff still needs a second factor."""
    if not isinstance(person, User) or not (person.is_staff or person.is_superuser):
        return False
    return settings.STAFF_SECOND_FACTOR and not is_set_up(person)


def has_admin_access(person: Person) -> bool:
    """Return whether a person may open the admin pages now."""
    if not isinstance(person, User) or not (person.is_active and person.is_staff):
        return False
    return not lacks_second_factor(person)


def may(person: Person, permission: str) -> bool:
    """Return whether a person may use a permission of staff, such as ``games.change_game``."""
    return has_admin_access(person) and person.has_perm(permission)


def has_all_rights(person: Person) -> bool:
    """Return whether a person may do everything now."""
    return isinstance(person, User) and has_admin_access(person) and person.is_superuser


def may_act_for(staff: Person, person: User | None) -> bool:
    """Return whether staff may act on an account: only superusers may act on other staff."""
    if person is None or person.pk == staff.pk or has_all_rights(staff):
        return True
    return not (person.is_staff or person.is_superuser)


def is_last_superuser(person: User) -> bool:
    """Return whether no other account is that of a superuser."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
    return person.is_superuser and not others.exists()


def staff_accounts() -> QuerySet[User]:
    """Return all accounts of staff and superusers, with or without a second factor."""
    return User.objects.filter(STAFF)
