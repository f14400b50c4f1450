"""`rules.verify` finds every change in the file of a game."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

import rules
from tests.rules.proving import faults, finished_game, headed, of_albots, of_sleepers, put_aside
from tests.rules.recorded import Document


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each plain value in a document."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*path, key))
    else:
        yield path


def changed(document: Document, path: tuple[Any, ...]) -> Document:
    """Return a copy of a document, with another value of the same type at the given path."""
    document = deepcopy(document)
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    value = place[path[-1]]
    if isinstance(value, bool):
        place[path[-1]] = not value
    elif isinstance(value, int):
        place[path[-1]] = value + 1
    elif isinstance(value, str):
        place[path[-1]] = value + "x"
    else:
        place[path[-1]] = 1
    return document


def is_refused(document: Document) -> bool:
    """Return whether a file has faults or is malformed. Fail on any other error."""
    try:
        return bool(faults(document))
    except rules.RulesError as error:
        return bool(str(error))


@pytest.mark.parametrize("key", rules.RULESETS)
def test_every_changed_value_is_found(key: str) -> None:
    document = headed(finished_game(key))
    every = list(leaves(document))
    for path in Random(1).sample(every, min(25, len(every))):
        assert is_refused(changed(document, path)), path


PROVABLE = ("turn", "hands", "events")


@pytest.mark.parametrize("key", rules.RULESETS)
def test_consequences_of_the_seed_and_the_orders_cannot_be_forged(key: str) -> None:
    """A corrected digest does not hide the change."""
    document = finished_game(key)
    every = [
        path
        for path in leaves(document)
        if path[0] in ("seed", "commitment", "end", "winner") or (path[0] == "turns" and path[2] in PROVABLE)
    ]
    for path in Random(2).sample(every, min(25, len(every))):
        assert is_refused(rules.with_digest(changed(document, path))), path


def forged(change: Callable[[Any], object], document: Any = None) -> list[str]:
    """Change a won game and correct its digest. Return the faults that are found."""
    document = document or finished_game()
    change(document)
    return faults(rules.with_digest(document))


def test_another_seed_is_found_by_the_commitment_and_by_the_hands() -> None:
    first, second, *_ = forged(lambda game: game.update(seed="another"))
    assert "the seed does not fit the commitment" in first
    assert "turn " in second


def test_a_seed_with_another_commitment_breaks_the_promised_one() -> None:
    game = rules.read_game_file(finished_game())
    (fault,) = rules.verify(game, promised="0" * 64)
    assert str(fault) == f"the commitment is {game.commitment}, not {'0' * 64}"
    assert rules.verify(game, promised=f" {game.commitment.upper()} ") == []


def test_an_exchanged_hand_is_reported_with_turn_and_robot() -> None:
    def exchange(game: Any) -> None:
        hand = game["turns"][2]["hands"][0]
        hand["chips"][0] = next(chip.number for chip in rules.DECK if chip.number not in hand["chips"])

    (fault,) = forged(exchange)
    assert fault.startswith("turn 2, player0: the hand does not follow from the seed: it is ")


def test_a_missing_hand_is_reported() -> None:
    assert forged(lambda game: game["turns"][2]["hands"].pop(0)) == [
        "turn 2, player0: the chips of its hand are missing"
    ]


def test_a_hand_without_a_robot_and_a_second_hand_are_reported() -> None:
    def add(game: Any) -> None:
        hands = game["turns"][1]["hands"]
        hands += [hands[0], {**hands[0], "robot": "Mallory"}]

    assert forged(add) == [
        "turn 1, player0: the chips of its hand are listed twice",
        "turn 1, Mallory: the chips of its hand are listed, but this robot has none in this turn",
    ]


def test_hands_redrawn_out_of_order_are_reported() -> None:
    game = of_albots()
    turn = next(
        turn for turn in game["turns"] if sum(hand["redealt"] is not None for hand in turn["hands"]) > 1
    )
    second = max((hand for hand in turn["hands"] if hand["redealt"]), key=lambda hand: hand["redealt"])
    missing = second["redealt"]
    second["redealt"] = second["aside"][-1]["number"] = missing + 1
    (fault,) = faults(rules.with_digest(game))
    assert fault == f"turn {turn['turn']}, {second['robot']}: redrawn hand {missing} is missing"


def test_a_redrawn_hand_that_cannot_be_redrawn_is_reported() -> None:
    (fault,) = forged(lambda game: game["turns"][1]["hands"][0].update(redealt=1))
    assert fault == "turn 1, player0: this hand cannot be redrawn"


def test_chips_falsely_put_aside_are_reported() -> None:
    game = of_albots()
    turn = next(turn for turn in game["turns"] if any(hand["redealt"] for hand in turn["hands"]))
    hand = next(hand for hand in turn["hands"] if hand["redealt"] == 1)
    hand["aside"][0]["chips"].reverse()
    (fault,) = faults(rules.with_digest(game))
    said = f"turn {turn['turn']}, {hand['robot']}: the chips put aside do not follow from the seed"
    assert fault.startswith(said)


def test_an_old_file_without_chips_put_aside_is_proved() -> None:
    game = of_albots()
    for turn in game["turns"]:
        for hand in turn["hands"]:
            hand.pop("aside", None)
    assert faults(rules.with_digest(game)) == []


def hands_of_turn_1(game: Any) -> tuple[Any, Any]:
    """Return two hands of turn 1: one that replaced a hand put aside, and one that did not."""
    first, *_ = game["turns"]
    hand = next(hand for hand in first["hands"] if "aside" in hand)
    return hand, next(hand for hand in first["hands"] if "aside" not in hand)


def test_a_hand_put_aside_while_dealing_is_proved() -> None:
    game = put_aside()
    hand, _ = hands_of_turn_1(game)
    [aside] = hand["aside"]
    assert (hand["redealt"], aside["number"], len(aside["chips"])) == (None, None, 9)
    assert faults(game) == []


def _other_chips(hand: Any, other: Any) -> None:
    hand["aside"][0]["chips"][0] = hand["chips"][0]


def _once_more(hand: Any, other: Any) -> None:
    hand["aside"].append(hand["aside"][0])


def _of_another(hand: Any, other: Any) -> None:
    other["aside"] = hand.pop("aside")


@pytest.mark.parametrize("change", [_other_chips, _once_more, _of_another])
def test_a_false_hand_put_aside_while_dealing_is_reported(change: Callable[[Any, Any], None]) -> None:
    game = put_aside()
    hand, other = hands_of_turn_1(game)
    change(hand, other)
    (fault,) = faults(rules.with_digest(game))
    robot = (other if change is _of_another else hand)["robot"]
    assert fault.startswith(f"turn 1, {robot}: the chips put aside do not follow from the seed: they are ")


def test_a_hand_put_aside_while_dealing_cannot_follow_a_redrawn_one() -> None:
    game = put_aside()
    hand, _ = hands_of_turn_1(game)
    chips = hand["aside"][0]["chips"]
    hand["redealt"] = 2
    hand["aside"] = [{"number": number, "chips": chips} for number in (1, None, 2)]
    with pytest.raises(rules.NotationError, match="hands with a number come after those without"):
        faults(rules.with_digest(game))


def test_an_old_file_without_hands_put_aside_while_dealing_is_proved() -> None:
    game = put_aside()
    del hands_of_turn_1(game)[0]["aside"]
    assert faults(rules.with_digest(game)) == []


def test_orders_against_the_rules_are_reported() -> None:
    def cheat(game: Any) -> None:
        turn = game["turns"][1]
        held = next(hand["chips"] for hand in turn["hands"] if hand["robot"] == turn["orders"][0]["robot"])
        others = [chip.number for chip in rules.DECK if chip.number not in held]
        turn["orders"][0] |= {"by": "player", "orders": {"registers": others[:5]}}

    robot = finished_game()["turns"][1]["orders"][0]["robot"]
    assert forged(cheat) == [
        f"turn 1, {robot}: the orders are against the rules: The chip in register {n} is not in your hand."
        for n in range(1, 6)
    ]


def test_missing_orders_are_reported() -> None:
    robot = finished_game()["turns"][1]["orders"][0]["robot"]
    assert forged(lambda game: game["turns"][1]["orders"].pop(0)) == [
        f"turn 1, {robot}: the orders are missing"
    ]


@pytest.mark.parametrize("author", ["deadline", "chance"])
def test_orders_falsely_attributed_to_chance_are_reported(author: str) -> None:
    def blame(game: Any) -> None:
        turn = next(turn for turn in game["turns"] if turn["orders"][0]["by"] == "player")
        turn["orders"][0]["by"] = author

    (fault,) = forged(blame)
    assert fault.endswith("the orders do not follow from the seed")


def test_changed_orders_do_not_lead_to_the_events() -> None:
    """The test swaps two chips. The new orders are allowed, but have other results."""

    def swap(game: Any) -> None:
        given = next(
            given
            for turn in game["turns"][1:]
            for given in turn["orders"]
            if given["by"] == "player" and all(given["orders"].get("registers", [None])[:2])
        )
        chips = given["orders"]["registers"]
        chips[0], chips[1] = chips[1], chips[0]

    (fault,) = forged(swap)
    assert "does not follow from the orders" in fault


def test_missing_and_added_events_are_reported() -> None:
    assert "event 1 does not follow" in forged(lambda game: game["turns"][1]["events"].pop(0))[0]
    assert "the log is incomplete" in forged(lambda game: game["turns"][1]["events"].pop())[0]
    again = forged(lambda game: game["turns"][1]["events"].append({"type": "over"}))
    assert "the log continues after the turn" in again[0]


def test_missing_and_surplus_turns_are_reported() -> None:
    last = len(finished_game()["turns"]) - 1
    assert forged(lambda game: game["turns"].pop()) == [
        f"the game is not over after turn {last - 1}: the turns after it are missing"
    ]
    assert "turn 1 is missing: turn 2 is in its place" in forged(lambda game: game["turns"].pop(1))[0]
    more = forged(lambda game: game["turns"].append({**game["turns"][-1], "turn": last + 1}))
    assert more == [f"turn {last + 1}: this turn follows the end of the game"]
    assert forged(lambda game: game["turns"].clear()) == ["no turn was played"]


def test_a_false_winner_and_a_false_end_are_reported() -> None:
    assert "the winner is " in forged(lambda game: game.update(winner="Mallory"))[0]
    assert "the winner is " in forged(lambda game: game.update(winner=None))[0]
    (fault,) = forged(lambda game: game["end"]["robots"][0].update(damage=77))
    assert "player0: the end state does not follow from the log: “damage” is " in fault
    (fault,) = forged(lambda game: game["end"].update(turn=99))
    assert "“turn” is " in fault
    assert forged(lambda game: game["end"]["robots"].append({"name": "Mallory"}))


def test_a_false_option_is_found() -> None:
    def give_lives(game: Any) -> None:
        game["options"]["lives"] = game["options"]["lives"] % 9 + 1

    assert forged(give_lives)


@pytest.mark.clause("AM-5.2", "FA-5")
def test_a_program_of_a_robot_that_stayed_off_is_reported() -> None:
    game = of_sleepers()
    turn, given = next(
        (turn, given)
        for turn in game["turns"]
        for given in turn["orders"]
        if given["orders"].get("stay_down")
    )
    given["orders"] = {"registers": [None] * 5}
    said = f"turn {turn['turn']}, {given['robot']}: the robot has a program, but was never switched on"
    assert said in faults(rules.with_digest(game))


@pytest.mark.clause("AM-5.2", "FA-5")
def test_a_hand_drawn_in_another_order_is_reported() -> None:
    game = of_sleepers()
    turn, hand = next(
        (turn, hand)
        for turn in game["turns"]
        for hand in turn["hands"]
        if hand.get("aside") and not hand["aside"][0]["chips"]
    )
    hand["chips"].reverse()
    (fault,) = faults(rules.with_digest(game))
    assert fault.startswith(
        f"turn {turn['turn']}, {hand['robot']}: the hand does not follow from the seed: it is "
    )
