"""The page of a paused game."""

from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.clocks.clock import DAY
from games.play.deadlines import pause_game
from games.play.models import Game
from games.play.services import locked_game
from tests.games.support import Table


def test_a_paused_game_shows_the_end_of_its_pause(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    now = timezone.now()
    game = table.game(alice, bob, now=now)
    client.force_login(alice)
    before = client.get(game.get_absolute_url())
    assert "paused until" not in before.content.decode()
    with transaction.atomic():
        pause_game(game=locked_game(game.pk), until=now + 3 * DAY, now=now)
    page = client.get(game.get_absolute_url())
    assert "paused until" in page.content.decode()
    assert page.context["version"] != before.context["version"], "open pages find out"
    assert "· paused" in client.get("/my-room/").content.decode()
    answer = client.get(f"/api/v1/games/{game.pk}").json()
    assert answer["paused_until"] == (now + 3 * DAY).isoformat().replace("+00:00", "Z")


def test_a_finished_pause_is_not_shown(client: Client, table: Table, alice: User, bob: User) -> None:
    now = timezone.now() - 2 * DAY
    game = table.game(alice, bob, pace={"hours": 100}, now=now)
    with transaction.atomic():
        pause_game(game=locked_game(game.pk), until=now + DAY, now=now)
    client.force_login(alice)
    assert "paused until" not in client.get(game.get_absolute_url()).content.decode()
    assert "· paused" not in client.get("/my-room/").content.decode()
    assert Game.objects.get().paused_until == now + DAY
