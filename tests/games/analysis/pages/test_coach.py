"""The coach of missions: offered after two failed tries, and in the form, on the board and in words."""

from unittest.mock import patch

import pytest

from accounts.models import User
from games.absence.seats import resign_game
from games.analysis.pages import advice_in_words
from games.analysis.selectors import offers_coach
from games.fleet.missions import save_mission
from games.fleet.models import Mission
from games.lobby import services
from games.lobby.practice import start_mission
from games.play import stored
from games.play.models import Draft, Game, Program
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from rules.orders import Orders
from rules.review import Choice
from rules.review.coach import LOST
from tests.games.fleet.test_missions import LESSON
from tests.games.reader import Answer, ReaderOf
from tests.games.support import LANE, NOW, open_turn

ASK = "Ask the coach"


@pytest.fixture
def mission(db: None) -> Mission:
    """A mission on a lane of one row. A robot that leaves it has lost."""
    lesson = {**LESSON, "notes": [{"cells": [[4, 0]], "text": "There."}]}
    return save_mission(
        slug="lane", number=1, title="A lane", starship=LANE.saved(), options={"lives": 1}, lesson=lesson
    )


def begun(user: User) -> Game:
    with patch.object(services.secrets, "token_hex", return_value="a seed"):
        return start_mission(user=user, slug="lane", now=NOW)


def order(game: Game, user: User, document: dict[str, object]) -> None:
    turn = open_turn(game)
    submit_orders(user=user, game_id=game.pk, turn_number=turn.number, document=document, now=NOW)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()


def failed(user: User) -> Game:
    """Fly the mission, and drive off the lane."""
    game = begun(user)
    order(game, user, {"heading": "S"})
    chips = stored.chips_of(open_turn(game).hands.get(robot=1))
    first = next(chip for chip in chips if chip.kind in "123B")
    others = [chip for chip in chips if chip != first][:4]
    order(game, user, {"registers": [chip.number for chip in (first, *others)]})
    assert (game.status, game.winner) == ("over", "")
    return game


def asked(read: ReaderOf, user: User | None, game: Game) -> Answer:
    return read(user).post(f"/games/{game.pk}/turns/{game.turn}/coach/")


def test_the_coach_explains_after_the_second_failed_try(
    mission: Mission, alice: User, read: ReaderOf
) -> None:
    first = failed(alice)
    assert "you can ask the coach" not in read(alice).get(f"/games/{first.pk}/").text
    game = begun(alice)
    assert ASK not in read(alice).get(f"/games/{game.pk}/").text
    refused = asked(read, alice, game)
    assert (refused.status, "after you have failed the same one twice" in refused.text) == (409, True)
    order(game, alice, {"heading": "S"})
    resign_game(user=alice, game_id=game.pk, now=NOW)
    assert ASK not in read(alice).get(f"/games/{begun(alice).pk}/").text, "no program was played"
    resign_game(user=alice, game_id=begun(alice).pk, now=NOW)
    second = failed(alice)
    assert "This time, you can ask the coach" in read(alice).get(f"/games/{second.pk}/").text

    game = begun(alice)
    assert ASK in read(alice).get(f"/games/{game.pk}/").text
    page = asked(read, alice, game)
    assert page.status == 200
    assert "The coach would face east. Your robot then needs about " in page.text
    order(game, alice, {"heading": "E"})
    page = asked(read, alice, game)
    assert "The coach’s program is in your registers. Your robot then reaches the goal" in page.text
    assert 'class="outlook"' in page.html
    assert "If no other robot gets in the way" in page.text
    registers = [int(page.chosen(f"register-{number}")) for number in range(1, 6)]
    assert not Draft.objects.exists()
    assert not Program.objects.filter(game=game).exists()
    order(game, alice, {"registers": registers})
    assert game.winner == "Alice"
    assert ASK not in read(alice).get(f"/games/{game.pk}/").text


def test_only_the_player_of_the_mission_can_ask(
    mission: Mission, duel: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    failed(alice)
    failed(alice)
    game = begun(alice)
    assert asked(read, bob, game).status == 404
    assert "/login/" in asked(read, None, game).address or asked(read, None, game).status == 404
    refused = asked(read, alice, duel)
    assert refused.status == 409, "it is no mission"
    assert not offers_coach(game=duel, seat=duel.players.get(user=alice))
    game.refresh_from_db()
    stale = read(alice).post(f"/games/{game.pk}/turns/7/coach/")
    assert (stale.status, "in turn 0" in stale.text) == (409, True)


def test_advice_compares_choices() -> None:
    def words(first: float, other: float | None, **orders: bool) -> str:
        rest = [] if other is None else [Choice(Orders(), 1.0, other)]
        return " ".join(advice_in_words(Choice(Orders(**orders), 1.0, first), *rest).sentences)

    assert words(0, 4.2) == (
        "Your robot then reaches the goal in this turn. With the next best choice, it needs about 4 phases."
    )
    assert words(0.6, 1) == (
        "Your robot then needs about 1 more phase to the goal, on average."
        " The next best choice is about as good."
    )
    assert words(6, LOST).endswith("With the next best choice, it loses its last life.")
    assert words(6, None, power_down=True).endswith(
        "Reboot afterwards, because the damage would cost you more time."
    )
    assert words(LOST, LOST) == "Whatever you do, your robot loses its last life."
