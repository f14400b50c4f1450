"""The page explains the move order from the log of the turn before (RR-2)."""

from typing import Any

from accounts.models import User
from games.play.models import Game
from games.play.pages.crew import reasons_for_ranks
from tests.games.films.pages.test_playback import replay, robot, situation
from tests.games.reader import ReaderOf
from tests.games.support import Table

Json = dict[str, Any]


def reasons(
    rows: list[str], *robots: Json, me: str | None = "A", ruleset: str = "robo-runner"
) -> dict[str, str]:
    return reasons_for_ranks(replay(situation(rows, *robots, phases=5, ruleset=ruleset)), me=me)


def test_inspections_and_hits_are_named_but_not_being_hit() -> None:
    said = reasons([". .+i1 . .+i2"], robot("A", (0, 0), "E", "1"), robot("B", (3, 0), "N"))
    assert said["A"] == "Hit B, 5 times: +25. Inspected a checkpoint: +10. Moved: +1."
    assert said["B"] == "Nothing earned."


def test_the_player_who_was_hit_reads_you() -> None:
    said = reasons([". . . ."], robot("A", (0, 0), "E", "L"), robot("B", (3, 0), "W", "U"), me="B")
    assert said["A"] == "Nothing earned. Tied with you."
    said = reasons([". . . ."], robot("A", (0, 0), "E"), robot("B", (3, 0), "N"), me="B")
    assert said["A"] == "Hit you, 5 times: +25."


def test_each_step_of_a_push_counts_and_so_does_the_move() -> None:
    said = reasons([". . . . ."], robot("A", (0, 0), "W", "B", "B"), robot("B", (1, 0), "N"))
    assert said["A"] == "Pushed B, 2 times: +20. Moved, 2 times: +2."


def test_a_fatal_push_is_described_only_as_a_kill() -> None:
    said = reasons([". . o"], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "N"))
    assert said["A"] == "Pushed and destroyed B: +30. Moved: +1."
    assert said["B"] == "Got destroyed: +20."
    assert reasons([". . o"], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "N"), me="B")["B"] == (
        "Got destroyed: +20."
    )


def test_a_fatal_shot_is_described_as_a_kill_and_earlier_shots_as_hits() -> None:
    said = reasons([". . ."], robot("A", (0, 0), "E"), robot("B", (2, 0), "N", damage=8))
    assert said["A"] == "Shot and destroyed B: +35. Hit B: +5."


def test_a_scanner_is_named_like_a_robot_and_counts_less() -> None:
    said = reasons([". . o h1"], robot("A", (0, 0), "E", "1"), robot("S", (1, 0), "N", scanner=True))
    assert said["A"].startswith("Pushed and destroyed S: +5")


def test_welding_is_named() -> None:
    said = reasons([". . .+i1*3"], robot("A", (0, 0), "E"), robot("B", (0, 0), "N", virtual=True))
    assert said["A"] == "Welded hull, 3 times: +6."


def test_ties_are_explained_by_chance() -> None:
    said = reasons(
        [". . .", ". . ."], robot("A", (0, 0), "N"), robot("B", (1, 0), "N"), robot("C", (2, 0), "N")
    )
    assert said == {
        "A": "Nothing earned. Tied with B and C.",
        "B": "Nothing earned. Tied with you and C.",
        "C": "Nothing earned. Tied with you and B.",
    }


def test_a_robot_that_is_out_has_no_place_in_the_order_and_no_reason() -> None:
    said = reasons(
        [". . o", ". . ."],
        robot("A", (1, 0), "E", "1", lives=1),
        robot("B", (0, 1), "N"),
        robot("C", (1, 1), "N"),
    )
    assert set(said) == {"B", "C"}


def test_rulesets_that_order_by_chips_have_no_reasons() -> None:
    assert reasons([". . ."], robot("A", (0, 0), "E", "1@500"), ruleset="factory-1999") == {}


def test_the_page_shows_the_next_turn_s_move_order_with_reasons(
    played: Game, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(played.get_absolute_url())
    assert "Robots move in this order." in page
    assert "move order 1" in page
    assert "move order 2" in page
    assert "Moved" in page
    crew = page.html.partition('id="crew-title"')[2]
    assert crew.index("move order <strong>1") < crew.index("move order <strong>2")


def test_in_the_first_turn_the_order_was_drawn_by_lot(
    duel: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.play(duel, alice, bob)
    page = read(alice).get(duel.get_absolute_url())
    assert "Robots move in this order. It is random in turn 1. After that, it depends on what" in page
    assert "mate-why" not in page.html


def test_a_solo_robot_has_no_move_order(table: Table, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(table.game(alice).get_absolute_url())
    assert "Your move" in page or "Which way does your robot face?" in page
    assert "Robots move in this order" not in page


def test_a_past_turn_shows_the_resulting_order_with_reasons(played: Game, read: ReaderOf) -> None:
    page = read(None).get(f"{played.get_absolute_url()}turns/1/")
    assert "move order 2" in page
    assert page.html.count('class="mate-why"') == 2
