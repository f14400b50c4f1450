"""The recap of a turn: its effects on the viewer's robot."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.films.pages.recap import Recap, recap_of
from games.play.models import Game
from tests.games.films.pages.test_playback import replay, robot, situation
from tests.games.reader import ReaderOf
from tests.games.support import Table


def recap(rows: list[str], *robots: dict[str, Any], phases: int = 1, ruleset: str = "robo-runner") -> Recap:
    """Play a situation. Return its recap for the player of the first robot."""
    found = recap_of(replay(situation(rows, *robots, phases=phases, ruleset=ruleset)), 0)
    assert found
    return found


def test_a_recap_tells_the_way_and_the_next_hand() -> None:
    told = recap([". . . ."], robot("A", (0, 0), "E", "2"), phases=5)
    assert told.headline == "You ended 2 cells east of where you began."
    assert told.sentences == ("Your next hand has all 9 chips: you have no damage.",)


def test_a_recap_tells_a_way_in_two_directions() -> None:
    told = recap([". . .", ". . ."], robot("A", (0, 0), "E", "2", "R", "1"), phases=5)
    assert told.headline == "You ended 2 cells east and 1 cell south of where you began."


@pytest.mark.parametrize(
    ("chips", "said"),
    [
        (("L", "R", "L", "R", "L"), "You did not leave your cell."),
        (("1", "B"), "You ended the turn in the cell where you began."),
    ],
)
def test_a_recap_tells_that_a_robot_is_where_it_was(chips: tuple[str, ...], said: str) -> None:
    assert recap([". . ."], robot("A", (0, 0), "E", *chips), phases=5).headline == said


def test_a_recap_tells_who_pushed_and_who_shot() -> None:
    rows = [". . . . . ."]
    told = recap(rows, robot("A", (1, 0), "N"), robot("B", (0, 0), "E", "1", "1"), phases=5)
    assert told.headline == "You ended 2 cells east of where you began."
    assert "B pushed you in phases 1 and 2." in told.sentences
    assert "B shot you in phases 1, 2, 3, 4 and 5: 5 damage." in told.sentences
    assert "Your next hand has 4 chips instead of 9: you have 5 damage." in told.sentences
    assert "Register 5 is locked and repeats its chip." in told.sentences


def test_a_recap_begins_with_a_destruction() -> None:
    told = recap([". . o ."], robot("A", (1, 0), "N"), robot("B", (0, 0), "E", "1"), phases=5)
    assert told.headline == "You fell into a cooling shaft in phase 1. Pushed by B."
    assert "You have 2 lives left." in told.sentences
    assert "Your next hand has 7 chips instead of 9: you have 2 damage." in told.sentences


@pytest.mark.parametrize(
    ("cell", "said"), [("s", "You slid there on oil."), ("b1:E", "A tractor beam pulled you there.")]
)
def test_a_recap_tells_what_moved_a_robot_into_a_shaft(cell: str, said: str) -> None:
    told = recap([f". {cell} o ."], robot("A", (0, 0), "E", "1"), ruleset="group-11")
    assert told.headline == f"You fell into a cooling shaft in phase 1. {said}"
    drove = recap([". o ."], robot("A", (0, 0), "E", "1"))
    assert drove.headline == "You fell into a cooling shaft in phase 1."


def test_a_recap_tells_what_stopped_a_robot() -> None:
    told = recap([". .+wE ."], robot("A", (0, 0), "E", "2", "1"), phases=5)
    assert told.headline == "You ended 1 cell east of where you began."
    assert "A rail stopped you in phases 1 and 2." in told.sentences


def test_a_recap_names_a_checkpoint_first() -> None:
    told = recap([". . .+i1 . .+i2"], robot("A", (0, 0), "E", "2"), phases=5)
    assert told.headline == "You reached checkpoint 1 in phase 1."
    assert told.sentences[0] == "You ended 2 cells east of where you began."


def test_a_recap_explains_the_move_order() -> None:
    told = recap([". . . .", ". . . ."], robot("A", (0, 0), "E", "1"), robot("B", (0, 1), "E"), phases=5)
    assert "Move order next turn: you, B." in told.sentences
    assert "You earned 1 point, which only decides this order. Moved: +1." in told.sentences


def test_a_recap_of_the_last_turn_begins_with_the_result() -> None:
    told = recap([". .+i1 ."], robot("A", (0, 0), "E", "1"), robot("B", (2, 0), "E"), phases=5)
    assert told.headline == "You have inspected every checkpoint and win!"
    assert told.sentences[0] == "You reached checkpoint 1 in phase 1."
    assert not any("next" in sentence for sentence in told.sentences)


def test_a_recap_of_a_robot_that_may_stay_off_promises_no_hand() -> None:
    told = recap([". . ."], robot("A", (0, 0), "E", down=True), phases=5, ruleset="factory-1999")
    assert (told.headline, told.sentences) == ("You did not leave your cell.", ())


def test_a_recap_tells_a_place_in_a_game_that_goes_on() -> None:
    robots = [robot("A", (0, 0), "E", "1"), robot("B", (2, 1), "N"), robot("C", (0, 1), "N")]
    told = recap([". .+i1 .", ". . ."], *robots, phases=5, ruleset="factory-1999")
    assert told.headline == "You finish in place 1 and leave the board."
    assert told.sentences == ("You reached checkpoint 1 in phase 1.",)


def test_pages_show_recaps_only_to_players(
    table: Table, duel: Game, alice: User, bob: User, carol: User, read: ReaderOf, client: Client
) -> None:
    address = duel.get_absolute_url()
    table.play(duel, alice, bob)  # turn 0
    assert "data-recap" not in read(alice).get(address).html
    table.play(duel, alice, bob)
    for person in (alice, bob):
        assert "data-recap" in read(person).get(address).html
        assert "<details open" in read(person).get(f"{address}turns/1/").html
        assert "data-recap" not in read(person).get(f"{address}turns/0/").html
    for page in (address, f"{address}turns/1/"):
        assert b"data-recap" not in client.get(page).content
        assert "data-recap" not in read(carol).get(page).html
