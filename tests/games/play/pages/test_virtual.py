"""Virtual and real, told where it happens: at the panel, in the log, on the robot's card."""

import rules
from accounts.models import User
from games.play.models import Game
from games.play.pages.console import meaning_of_virtual
from tests.games.reader import ReaderOf
from tests.games.support import WORKSHOP, Table, open_turn

MEANS = (
    "Robots pass through it, and it cannot push, shoot or be shot. "
    "It becomes real at the end of a turn in which it is alone in its cell."
)
REAL = "Your robot is real now: robots can push and shoot it, and it can push and shoot them."


def stand(game: Game, number: int, **changes: object) -> None:
    """Change a robot at the start of the turn under way."""
    turn = open_turn(game)
    turn.snapshot["robots"][number - 1].update(changes)
    turn.save()


def test_the_first_turn_says_that_robots_start_virtual_and_what_that_means(
    dealt: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    said = f"Robots start virtual, and so does yours. {MEANS}"
    assert said in read(alice).get(dealt.get_absolute_url())
    assert said not in read(dave).get(dealt.get_absolute_url())  # it is of who plays


def test_a_robot_that_has_become_real_is_told_so_once(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    stand(dealt, 1, cell=[1, 3])
    stand(dealt, 2, cell=[5, 5])
    table.play(dealt, alice, bob)
    page = read(alice).get(dealt.get_absolute_url())
    assert REAL in page
    assert "Alice becomes real: robots can push and shoot it now." in page
    table.play(dealt, alice, bob)
    assert REAL not in read(alice).get(dealt.get_absolute_url())


def test_a_robot_that_has_become_virtual_is_told_what_that_means(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.play(dealt, alice, bob)
    stand(dealt, 1, virtual=True)
    assert f"Your robot is virtual. {MEANS}" in read(alice).get(dealt.get_absolute_url())


def test_its_card_says_what_virtual_means_and_nothing_of_a_real_robot(dealt: Game, read: ReaderOf) -> None:
    page = read(None).get(f"{dealt.get_absolute_url()}robots/1/")
    assert MEANS in page
    stand(dealt, 1, virtual=False)
    assert MEANS not in read(None).get(f"{dealt.get_absolute_url()}robots/1/")


def test_who_flies_alone_or_by_other_rules_reads_nothing_of_it(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    alone = table.game(alice)
    table.play(alone, alice)
    other = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11")
    for game in (alone, other):
        assert "virtual" not in read(alice).get(game.get_absolute_url()).text.lower()


def test_only_arena_drives_virtual_robots_from_their_airlock() -> None:
    said = {
        key: meaning_of_virtual(rules.ruleset(key)) for key in ("robo-runner", "robo-recon", "factory-1999")
    }
    assert set(said.values()) == {MEANS}
    arena = meaning_of_virtual(rules.ruleset("robo-arena"))
    assert arena == f"{MEANS} After two turns on an airlock it becomes real in any case."
