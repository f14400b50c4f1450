"""Pictures of the board after a turn: content, access and caching."""

import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image, ImageChops

from accounts.models import User
from games.fleet.models import Starship
from games.news.feeds import feed_urls, make_feed
from games.play.models import Game
from tests.games.support import NOW, Table, later


@pytest.fixture(autouse=True)
def base_url(settings: pytest.FixtureRequest) -> None:
    settings.BASE_URL = "https://robo.example"  # type: ignore[attr-defined]


def picture(turn: int, theme: str = "light") -> str:
    return f"/games/{Game.objects.get().pk}/turns/{turn}/board-{theme}.png"


def differ(one: bytes, other: bytes) -> bool:
    first, second = (Image.open(BytesIO(each)).convert("RGB") for each in (one, other))
    return ImageChops.difference(first, second).getbbox() is not None


def previewed(html: str) -> list[str]:
    return re.findall(r'property="og:image" content="([^"]*)"', html)


def test_anyone_sees_the_board_after_a_turn_and_may_cache_it(played: Game, client: Client) -> None:
    answer = client.get(picture(1, "dark"))
    assert answer["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (960, 960)
    kept = set(answer["Cache-Control"].split(", "))
    assert kept == {"public", "max-age=31536000", "immutable"}


def test_each_turn_and_theme_has_one_picture_for_everyone(played: Game, client: Client, alice: User) -> None:
    first, then, dark = (client.get(each).content for each in (picture(0), picture(1), picture(1, "dark")))
    assert differ(first, then)
    assert differ(then, dark)
    client.force_login(alice)
    assert client.get(picture(1)).content == then


def test_unknown_turns_and_themes_have_no_picture(played: Game, client: Client) -> None:
    for address in (picture(2), picture(99999999999999999999), picture(1, "auto")):
        assert client.get(address).status_code == 404


class TestAPrivateGame:
    """Only people with access to a private game see its pictures."""

    @pytest.fixture
    def secret(self, table: Table, alice: User, bob: User) -> Game:
        game = table.game(alice, bob, private=True)
        table.play(game, alice, bob)
        return game

    def test_its_players_and_staff_see_it_and_only_their_browsers_cache_it(
        self, secret: Game, client: Client, bob: User, erin: User
    ) -> None:
        drawing = f"{secret.get_absolute_url()}board-light.svg"
        for person, address in ((bob, picture(0)), (erin, picture(0)), (bob, drawing), (erin, drawing)):
            client.force_login(person)
            answer = client.get(address)
            assert answer.status_code == 200
            assert "private" in answer["Cache-Control"]
            assert "public" not in answer["Cache-Control"]
            assert "Cookie" in answer["Vary"]
        client.logout()
        answer = client.get(picture(0), {"link": secret.link_token})
        assert (answer.status_code, "private" in answer["Cache-Control"]) == (200, True)

    def test_neither_page_nor_feed_links_to_it(self, secret: Game, client: Client, alice: User) -> None:
        client.force_login(alice)
        assert previewed(client.get(secret.get_absolute_url()).content.decode()) == []
        assert "board-light.png" not in feed(client, alice)


def feed(client: Client, user: User) -> str:
    address = feed_urls(make_feed(user=user, now=NOW))["news"]
    return client.get(address.removeprefix("https://robo.example")).content.decode()


def test_a_feed_shows_the_board_after_each_played_turn(played: Game, client: Client, alice: User) -> None:
    shown = set(re.findall(r"https://robo\.example(/[^&\"]*board-light\.png)", feed(client, alice)))
    assert shown == {picture(0), picture(1)}
    assert all(client.get(address).status_code == 200 for address in shown)


def test_a_link_to_a_game_is_previewed_with_the_last_played_turn(
    table: Table, duel: Game, client: Client, alice: User, bob: User
) -> None:
    def shown() -> list[str]:
        return previewed(client.get(duel.get_absolute_url()).content.decode())

    ship = f"https://robo.example/starships/drawings/{duel.revision_id}-light.png"
    assert shown() == [ship], "no turn was played yet"
    for number in range(2):
        table.play(duel, alice, bob, now=later(hours=number))
        assert shown() == [f"https://robo.example{picture(number)}"]
        assert client.get(picture(number)).status_code == 200
    page = client.get(f"{duel.get_absolute_url()}turns/0/").content.decode()
    assert previewed(page) == [f"https://robo.example{picture(0)}"]


def test_a_finished_game_is_previewed_with_its_last_board(solo_loss: Game, client: Client) -> None:
    (address,) = previewed(client.get(solo_loss.get_absolute_url()).content.decode())
    assert address == f"https://robo.example/games/{solo_loss.pk}/share.png"
    assert client.get(f"/games/{solo_loss.pk}/share.png").status_code == 200


def test_a_starship_is_previewed_without_robots(starship: Starship, client: Client) -> None:
    (address,) = previewed(client.get(f"/starships/{starship.pk}/").content.decode())
    answer = client.get(address.removeprefix("https://robo.example"))
    assert answer["Content-Type"] == "image/png"
    assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=3600"}
