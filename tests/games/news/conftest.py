"""Fixtures for tests of notifications."""

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from games.news.models import Notice
from games.play.models import Game


@pytest.fixture
def base_url(settings: Settings) -> None:
    settings.BASE_URL = "https://robo.example"


@pytest.fixture
def notice(duel: Game, alice: User) -> Notice:
    """The notification to Alice that the duel has started."""
    return Notice.objects.get(game=duel, user=alice)
