"""Erin at the admin pages: staff, with every permission on games and starships."""

import pytest
from django.test import Client

from accounts.models import User
from tests.games.admin.support import permit


@pytest.fixture
def staff(client: Client, erin: User) -> Client:
    """Erin's browser."""
    permit(erin)
    client.force_login(erin)
    return client
