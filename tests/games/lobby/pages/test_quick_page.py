"""The page for a game against computers: offers, refusals, and limits for guests."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from accounts import guests, limits
from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.play.models import Game
from games.staff.services import cancel_as_staff
from tests.games.reader import Reader, ReaderOf
from tests.games.support import HALL, NOW, WORKSHOP, Board

PAGE = "/games/quick/"


@pytest.fixture(autouse=True)
def fresh(db: None) -> None:
    """Reset the counts of all rate limits."""
    cache.clear()


def built_for(name: str, least: int, most: int, board: Board = HALL) -> Starship:
    """Save a starship that is recommended for ``least`` to ``most`` robots."""
    document = {**board.document, "name": name}
    return save_starship(document=document, section="fleet", seats_least=least, seats_most=most, now=NOW)


@pytest.fixture
def ships(db: None) -> SimpleNamespace:
    """Three starships: for two robots, for three or more robots, and one with start cells."""
    return SimpleNamespace(
        canoe=built_for("Canoe", 1, 2),
        ferry=built_for("Ferry", 3, 6),
        works=built_for("Works", 2, 4, WORKSHOP),
    )


def test_a_stranger_needs_only_one_click_on_play(ships: SimpleNamespace, read: ReaderOf) -> None:
    stranger = read(None)
    page = stranger.get(PAGE)
    assert (page.chosen("strength"), page.chosen("computers")) == ("rookie", "1")
    assert (page.chosen("ruleset"), page.chosen("starship")) == ("robo-runner", str(ships.canoe.pk))
    assert "No account needed" in page
    played = stranger.post(PAGE)
    game = Game.objects.get()
    assert (game.host.is_guest, game.private, played.address) == (True, True, game.get_absolute_url())
    assert "Your robot and the computers are ready to start." in played


def test_a_guest_plays_against_two_aces(ships: SimpleNamespace, read: ReaderOf) -> None:
    read(None).post(PAGE, strength="ace", computers="2", ruleset="robo-arena", starship=str(ships.ferry.pk))
    game = Game.objects.get()
    assert (game.ruleset, game.revision.starship) == ("robo-arena", ships.ferry)
    assert list(game.players.order_by("number").values_list("computer", flat=True)) == ["", "ace", "ace"]


def test_starships_fit_the_ruleset_and_the_number_of_robots(ships: SimpleNamespace, read: ReaderOf) -> None:
    stranger = read(None)
    three = stranger.get(f"{PAGE}?computers=3&strength=pilot")
    assert ("Ferry" in three, "Canoe" in three) == (True, False)
    assert (three.chosen("starship"), three.chosen("strength")) == (str(ships.ferry.pk), "pilot")
    web = stranger.get(f"{PAGE}?ruleset=websocket")
    assert ("Works" in web, "Ferry" in web) == (True, False)
    recon = stranger.get(f"{PAGE}?ruleset=robo-recon&computers=2")
    assert 'value="2"' not in recon.html
    assert recon.chosen("computers") == "1"


def test_without_a_script_the_starships_follow_the_chosen_settings(
    ships: SimpleNamespace, read: ReaderOf
) -> None:
    page = read(None).post(PAGE, computers="3", strength="ace", starship=str(ships.canoe.pk), show="1")
    assert (page.status, page.chosen("strength"), page.chosen("computers")) == (200, "ace", "3")
    assert page.chosen("starship") == str(ships.ferry.pk)
    assert not Game.objects.exists()
    assert not User.objects.exists()


def test_an_unsuitable_starship_is_refused_and_suitable_ones_are_offered(
    ships: SimpleNamespace, read: ReaderOf
) -> None:
    page = read(None).post(PAGE, computers="3", strength="ace", starship=str(ships.canoe.pk))
    assert page.status == 422
    assert "Canoe does not suit Robo Runner with 4 robots. Choose another one." in page
    assert (page.chosen("starship"), page.chosen("strength")) == (str(ships.ferry.pk), "ace")
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"computers": "many"}, "You cannot play Robo Runner against many computers here."),
        ({"starship": "x"}, "Choose a starship from the list."),
        ({"starship": "9" * 40}, "This starship is no longer available."),
        ({"strength": "wizard"}, "There is no level “wizard”. Choose one from the list."),
    ],
)
def test_invalid_values_are_refused_beside_their_fields(
    fields: dict[str, str], said: str, ships: SimpleNamespace, read: ReaderOf
) -> None:
    page = read(None).post(PAGE, **fields)
    assert (page.status, said in page) == (422, True)
    assert not User.objects.exists()
    assert read(None).get(f"{PAGE}?ruleset=%00&computers=-1&strength=&starship=x").status == 200


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit each guest to two games a day, and all guests of an IP address to three."""
    day = 24 * 60 * 60
    monkeypatch.setattr(limits, "GUEST_GAMES", limits.Limit("few", 2, day))
    monkeypatch.setattr(limits, "GUEST_GAMES_FROM_ADDRESS", limits.Limit("few-here", 3, day))


def played(reader: Reader, level: str = "rookie") -> int:
    """Start a game against computers. Return the status of the response."""
    return reader.post(PAGE, strength=level).status


@pytest.mark.usefixtures("ships", "few")
def test_a_guest_starts_a_limited_number_of_games_a_day(read: ReaderOf) -> None:
    guest = read(None)
    assert [played(guest, level) for level in ("rookie", "pilot")] == [200, 200]
    page = guest.post(PAGE)
    assert page.status == 429
    assert "Guests can start 2 games against computers a day" in page
    assert "Try again in" in page
    assert "sign up to play without this limit." in page and "You keep your games." in page
    assert "/accounts/signup/" in page.links
    answer = guest.client.post(PAGE)
    assert 0 < int(answer.headers["Retry-After"]) <= 24 * 60 * 60
    assert Game.objects.count() == 2


@pytest.mark.usefixtures("ships", "few")
def test_guests_of_one_address_share_a_limit(read: ReaderOf) -> None:
    assert [played(read(None)) for _ in range(4)] == [200, 200, 200, 429]
    assert "Guests on your network can start 3 games" in read(None).post(PAGE)
    assert User.objects.count() == 3, "who is refused is no guest"


@pytest.mark.usefixtures("ships", "few")
def test_signing_up_lifts_the_limit(alice: User, read: ReaderOf) -> None:
    guest = read(None)
    assert [played(guest, level) for level in ("rookie", "pilot", "ace")] == [200, 200, 429]
    assert [played(read(alice)) for _ in range(5)] == [200] * 5


@pytest.mark.usefixtures("ships", "few")
def test_a_refused_game_does_not_count(read: ReaderOf) -> None:
    guest = read(None)
    assert [guest.post(PAGE, starship="7").status for _ in range(5)] == [422] * 5
    assert played(guest) == 200


@pytest.mark.usefixtures("ships")
def test_too_many_new_guests_are_told_to_wait_an_hour_or_sign_up(
    read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests.ratelimit, "consume", lambda *_, **__: None)
    page = read(None).post(PAGE)
    assert page.status == 429
    assert "Too many guests from your network started playing within an hour." in page
    assert "Try again in an hour, or sign up to play without this limit." in page
    assert not User.objects.exists()


@pytest.fixture
def racing(ships: SimpleNamespace, read: ReaderOf) -> Callable[[], tuple[Reader, Game]]:
    """A function that starts a game as a new guest.

    It returns the guest's reader and the game.
    """

    def start() -> tuple[Reader, Game]:
        guest = read(None)
        guest.post(PAGE)
        return guest, Game.objects.get()

    return start


def test_the_front_page_leads_a_guest_back_to_the_game(
    racing: Callable[[], tuple[Reader, Game]], erin: User
) -> None:
    guest, game = racing()
    page = guest.get("/")
    assert game.get_absolute_url() in page.links
    assert game.name in page
    cancel_as_staff(user=erin, game_id=game.pk, reason="It hangs.", now=NOW)
    assert game.get_absolute_url() not in guest.get("/").links


def test_a_guest_s_game_offers_nothing_that_requires_an_account(
    racing: Callable[[], tuple[Reader, Game]], erin: User
) -> None:
    guest, game = racing()
    path = game.get_absolute_url()
    page = guest.get(path)
    assert not {f"{path}news/", f"{path}standing/", "/my-room/"} & set(page.links)
    assert f"{path}link/" not in page.actions
    assert game.link_token not in page.html
    cancel_as_staff(user=erin, game_id=game.pk, reason="It hangs.", now=NOW)
    over = guest.get(path)
    assert f"{path}rematch/" not in over.actions
    assert f"{PAGE}?ruleset=robo-runner&starship={game.revision.starship_id}" in over.links
    assert 'href="/games/new/' not in over.html.partition("<main")[2], "outside the menu"
    assert "Sign up to keep your games" in over
