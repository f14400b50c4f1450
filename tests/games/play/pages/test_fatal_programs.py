"""A warning before players submit a program that destroys their robot."""

import pytest

from accounts.models import User
from games.play import stored
from games.play.models import Game, Program
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.api_client import ApiOf
from tests.games.play.pages.test_orders import orders, program
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, hand_of, open_turn


@pytest.fixture
def doomed(lane: Table, alice: User) -> tuple[Game, list[int]]:
    """A game in turn 1, and a program that destroys Alice's robot."""
    game = lane.game(alice)
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "S"}, now=NOW)
    resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    game.refresh_from_db()
    hand = stored.chips_of(hand_of(game, alice))
    moving = next(chip.number for chip in hand if chip.kind in "123")
    return game, [moving, *(chip.number for chip in hand if chip.number != moving)][:5]


FATAL = (
    "If no other robot gets in the way, you drive off the edge at column 1, row 1 and are destroyed"
    " in phase 1."
)


def test_the_first_run_warns_of_a_fatal_program_and_the_second_submits_it(
    doomed: tuple[Game, list[int]], alice: User, read: ReaderOf
) -> None:
    game, numbers = doomed
    player = read(alice)
    told = player.post(orders(game), **program(*numbers))
    assert told.status == 200
    assert FATAL in told
    assert "Nothing is submitted yet: change your program, or press “Run”" in told
    assert 'class="ghost lost last"' in told.html
    assert [told.chosen(f"register-{place}") for place in range(1, 6)] == [str(each) for each in numbers]
    assert not Program.objects.filter(hand=hand_of(game, alice)).exists()
    despite = told.html.partition('name="despite" value="')[2].partition('"')[0]
    other = player.post(orders(game), **program(numbers[0], *numbers[:0:-1]), despite=despite)
    assert FATAL in other  # another program: the warning was not about this one
    taken = player.post(orders(game), **program(*numbers), despite=despite)
    assert "Your program for turn 1 is in." in taken or "Turn 1" in taken
    assert Program.objects.get(hand=hand_of(game, alice)).orders["registers"] == numbers


def test_a_player_who_has_previewed_a_fatal_program_is_not_warned_again(
    doomed: tuple[Game, list[int]], alice: User, read: ReaderOf
) -> None:
    game, numbers = doomed
    seen = read(alice).post(f"{game.get_absolute_url()}turns/1/preview/", **program(*numbers))
    assert FATAL in seen
    despite = seen.html.partition('name="despite" value="')[2].partition('"')[0]
    read(alice).post(orders(game), **program(*numbers), despite=despite)
    assert Program.objects.filter(hand=hand_of(game, alice)).exists()


def test_a_fatal_program_is_submitted_at_once_without_programming_aid(
    doomed: tuple[Game, list[int]], alice: User, read: ReaderOf
) -> None:
    game, numbers = doomed
    User.objects.filter(pk=alice.pk).update(aid=False)
    read(alice).post(orders(game), **program(*numbers))
    assert Program.objects.filter(hand=hand_of(game, alice)).exists()


def test_a_script_gets_the_warning_with_the_drawing_and_its_next_orders_are_accepted(
    doomed: tuple[Game, list[int]], alice: User, api: ApiOf
) -> None:
    game, numbers = doomed
    turn = f"games/{game.pk}/turns/1"
    answer = api(alice).post(f"{turn}/preview", {"registers": [numbers[0], None, None, None, None]})
    assert (answer.body["warning"], answer.body["summary"]) == (FATAL, "")
    turning = next(chip.number for chip in stored.chips_of(hand_of(game, alice)) if chip.kind in "LRU")
    safe = api(alice).post(f"{turn}/preview", {"registers": [turning, None, None, None, None]})
    assert safe.body["warning"] == ""
    assert safe.body["summary"].startswith(
        "If no other robot gets in the way, you are in column 1, row 1 after"
    )
    assert api(alice).post(f"{turn}/orders", {"registers": numbers}).status == 200
