"""A game against computers, with one click."""

import pytest

from accounts.models import User
from games import services
from games.errors import Invalid, NotFound
from games.models import Game, Notice, Starship
from games.services.quick import SHIPS
from tests.games.support import HALL, NOW, Board, open_turn


@pytest.fixture
def canoe(db: None) -> Starship:
    """The starship that such games are played on."""
    ship = Board("Tin Canoe", HALL.rows).saved()
    assert ship.slug == SHIPS[0]
    return ship


def test_one_click_starts_a_game(canoe: Starship, alice: User) -> None:
    game = services.quick_game(user=alice, now=NOW)
    assert (game.status, game.host, game.name) == (Game.Status.RUNNING, alice, "Alice against a computer")
    assert [seat.robo_name for seat in game.players.order_by("number")] == ["Alice", "Rookie Sprocket"]
    assert open_turn(game).deadline is None
    assert game.revision.starship == canoe


def test_nobody_is_mailed_who_is_there_anyway(canoe: Starship, alice: User) -> None:
    services.quick_game(user=alice, now=NOW)
    assert not Notice.objects.exists()


def test_strength_and_number_are_chosen(canoe: Starship, alice: User) -> None:
    game = services.quick_game(user=alice, strength="ace", computers=3, now=NOW)
    assert game.name == "Alice against 3 computers"
    assert list(game.players.order_by("number").values_list("computer", flat=True)) == ["", *["ace"] * 3]


def test_the_next_starship_does_where_the_first_was_retired(canoe: Starship, alice: User) -> None:
    other = Board("Hull Walker", HALL.rows).saved()
    Starship.objects.filter(pk=canoe.pk).update(retired=True)
    assert services.quick_game(user=alice, now=NOW).revision.starship == other


def test_without_starships_it_says_whom_to_ask(alice: User) -> None:
    with pytest.raises(NotFound, match="ask the staff to load some"):
        services.quick_game(user=alice, now=NOW)


@pytest.mark.parametrize("asked", [{"strength": "wizard"}, {"computers": 8}])
def test_what_there_is_not_is_refused(canoe: Starship, alice: User, asked: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        services.quick_game(user=alice, now=NOW, **asked)  # type: ignore[arg-type]
    assert not Game.objects.exists()
