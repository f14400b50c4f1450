"""Explanations of virtual and real robots, in the panel, the log and robots' cards."""

import rules
from accounts.models import User
from games.play.models import Game
from games.play.pages.console import meaning_of_virtual
from tests.games.reader import ReaderOf
from tests.games.support import WORKSHOP, Table, open_turn

MEANS = (
    "Robots pass through it, and it cannot push, shoot or be shot. "
    "It becomes real when it ends a turn alone in its cell."
)
REAL = "Your robot is real now: it can push and shoot other robots, and they can push and shoot it."


def change_robot(game: Game, number: int, **changes: object) -> None:
    """Change the robot with the given number at the start of the open turn."""
    turn = open_turn(game)
    turn.snapshot["robots"][number - 1].update(changes)
    turn.save()


def test_the_first_turn_explains_that_robots_start_virtual(
    dealt: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    said = f"Robots start virtual, and so does yours. {MEANS}"
    assert said in read(alice).get(dealt.get_absolute_url())
    assert said not in read(dave).get(dealt.get_absolute_url())  # only players see it


def test_a_robot_that_has_become_real_is_announced_once(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    change_robot(dealt, 1, cell=[1, 3])
    change_robot(dealt, 2, cell=[5, 5])
    table.play(dealt, alice, bob)
    page = read(alice).get(dealt.get_absolute_url())
    assert REAL in page
    assert "You become real: robots can push and shoot you now." in page
    table.play(dealt, alice, bob)
    assert REAL not in read(alice).get(dealt.get_absolute_url())


def test_a_robot_that_has_become_virtual_gets_an_explanation(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.play(dealt, alice, bob)
    change_robot(dealt, 1, virtual=True)
    assert f"Your robot is virtual. {MEANS}" in read(alice).get(dealt.get_absolute_url())


def test_the_card_explains_virtual_but_not_real_robots(dealt: Game, read: ReaderOf) -> None:
    page = read(None).get(f"{dealt.get_absolute_url()}robots/1/")
    assert MEANS in page
    change_robot(dealt, 1, virtual=False)
    assert MEANS not in read(None).get(f"{dealt.get_absolute_url()}robots/1/")


def test_solo_games_and_other_rulesets_do_not_mention_it(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    alone = table.game(alice)
    table.play(alone, alice)
    other = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11")
    for game in (alone, other):
        assert "virtual" not in read(alice).get(game.get_absolute_url()).text.lower()


def test_only_robo_arena_makes_virtual_robots_real_on_an_airlock() -> None:
    said = {
        key: meaning_of_virtual(rules.ruleset(key)) for key in ("robo-runner", "robo-recon", "factory-1999")
    }
    assert set(said.values()) == {MEANS}
    arena = meaning_of_virtual(rules.ruleset("robo-arena"))
    assert arena == f"{MEANS} After 2 turns on an airlock, it always becomes real."
