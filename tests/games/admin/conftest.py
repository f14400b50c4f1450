"""Erin at the admin pages: staff, with every permission on games and starships."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User


def permit(user: User, *codenames: str) -> None:
    """Give somebody permissions of the application ``games``; without names, all of them."""
    found = Permission.objects.filter(content_type__app_label="games")
    user.user_permissions.add(*(found.filter(codename__in=codenames) if codenames else found))


@pytest.fixture
def staff(client: Client, erin: User) -> Client:
    """Erin's browser."""
    permit(erin)
    client.force_login(erin)
    return client
