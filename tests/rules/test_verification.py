"""``game/1`` and ``python -m rules verify``: true games are proved, and whatever is changed is found."""

import io
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.__main__ import main
from tests.rules.recorded import Document, recorded

SEEDS = st.integers(min_value=0, max_value=2**32)
SHIP = {
    "format": "starship/1",
    "name": "Yard",
    "rows": ["a b1:E . .+i1 .+x2", ". h1 o . .", "~ . . .+i2 a", ". t:red . t:red ."],
}


def faults(document: Document) -> list[str]:
    return [str(fault) for fault in rules.verify(rules.read_game_file(document))]


@cache
def _whole(key: str) -> str:
    """Play games of a ruleset until one has come to its end, with more than two turns."""
    for seed in range(500):
        document = recorded(seed, key)
        if document["end"]["over"] and len(document["turns"]) > 3 and document["winner"]:
            return json.dumps(document)
    raise AssertionError("none of these games was won")


def whole(key: str = "robo-runner") -> Any:
    """Return a game that was won."""
    return json.loads(_whole(key))


@cache
def _of_albots() -> str:
    """Return a game in which two hands of one turn were dealt anew."""
    for seed in range(500):
        document = recorded(seed, "group-11")
        if document["end"]["over"] and any(
            sum(hand["redealt"] is not None for hand in turn["hands"]) > 1 for turn in document["turns"]
        ):
            return json.dumps(document)
    raise AssertionError("in none of these games two hands were dealt anew")


# What is true is proved


@pytest.mark.parametrize("key", rules.RULESETS)
@settings(max_examples=3, deadline=None)
@given(seed=SEEDS)
def test_every_game_is_proved_once_it_is_over(key: str, seed: int) -> None:
    document = json.loads(json.dumps(recorded(seed, key)))
    if document["end"]["over"]:
        assert faults(document) == []
    else:
        (fault,) = faults(document)
        assert "the game is not over after turn" in fault


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_game_that_was_won_is_proved(key: str) -> None:
    assert faults(whole(key)) == []


def test_hands_dealt_anew_are_proved() -> None:
    assert faults(json.loads(_of_albots())) == []


def test_a_commitment_is_the_hash_of_a_text_that_is_for_nothing_else() -> None:
    text = "Robo Runner, commitment to the seed of a game, 1\n5eed"
    assert rules.commitment("5eed") == sha256(text.encode()).hexdigest()


# What was changed is found


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the plain values of a document are."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*path, key))
    else:
        yield path


def changed(document: Document, path: tuple[Any, ...]) -> Document:
    """Return a document with another value in one place, of the same type where there is one."""
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
    """Return whether a file is found to be wrong, or not even well-formed; nothing else may happen."""
    try:
        return bool(faults(document))
    except rules.RulesError as error:
        return bool(str(error))


@pytest.mark.parametrize("key", rules.RULESETS)
def test_whatever_value_is_changed_is_found(key: str) -> None:
    document = whole(key)
    every = list(leaves(document))
    for path in Random(1).sample(every, min(25, len(every))):
        assert is_refused(changed(document, path)), path


PROVABLE = ("turn", "hands", "events")


@pytest.mark.parametrize("key", rules.RULESETS)
def test_what_follows_from_the_seed_and_the_orders_cannot_be_forged(key: str) -> None:
    """Not even by somebody who makes the digest fit."""
    document = whole(key)
    every = [
        path
        for path in leaves(document)
        if path[0] in ("seed", "commitment", "end", "winner") or (path[0] == "turns" and path[2] in PROVABLE)
    ]
    for path in Random(2).sample(every, min(25, len(every))):
        assert is_refused(rules.sealed(changed(document, path))), path


def forged(change: Callable[[Any], object], document: Any = None) -> list[str]:
    """Change a game that was won, make the digest fit, and return what is wrong with it."""
    document = document or whole()
    change(document)
    return faults(rules.sealed(document))


def test_another_seed_is_found_by_the_commitment_and_by_the_hands() -> None:
    first, second, *_ = forged(lambda game: game.update(seed="another"))
    assert "the seed does not fit the commitment" in first
    assert "turn " in second


def test_a_seed_with_a_commitment_of_its_own_does_not_fit_the_one_that_was_promised() -> None:
    game = rules.read_game_file(whole())
    (fault,) = rules.verify(game, promised="0" * 64)
    assert str(fault) == f"the commitment is {game.commitment}, and {'0' * 64} was promised"
    assert rules.verify(game, promised=f" {game.commitment.upper()} ") == []


def test_a_hand_that_was_exchanged_is_told_with_turn_and_robot() -> None:
    def exchange(game: Any) -> None:
        hand = game["turns"][2]["hands"][0]
        hand["chips"][0] = next(chip.number for chip in rules.DECK if chip.number not in hand["chips"])

    (fault,) = forged(exchange)
    assert fault.startswith("turn 2, player0: the hand does not follow from the seed: it is ")


def test_a_hand_that_is_not_there_is_told() -> None:
    assert forged(lambda game: game["turns"][2]["hands"].pop(0)) == [
        "turn 2, player0: the chips of its hand are missing"
    ]


def test_a_hand_for_nobody_and_a_second_hand_are_told() -> None:
    def add(game: Any) -> None:
        hands = game["turns"][1]["hands"]
        hands += [hands[0], {**hands[0], "robot": "Mallory"}]

    assert forged(add) == [
        "turn 1, player0: the chips of its hand stand there twice",
        "turn 1, Mallory: there are chips of its hand, and this robot has none in this turn",
    ]


def test_hands_dealt_anew_out_of_turn_are_told() -> None:
    game = json.loads(_of_albots())
    turn = next(
        turn for turn in game["turns"] if sum(hand["redealt"] is not None for hand in turn["hands"]) > 1
    )
    second = next(hand for hand in turn["hands"] if hand["redealt"] == 2)
    second["redealt"] = 3
    (fault,) = faults(rules.sealed(game))
    assert fault == f"turn {turn['turn']}, {second['robot']}: hand 2 that was dealt anew is missing"


def test_a_robot_whose_hand_cannot_be_dealt_anew_is_told() -> None:
    (fault,) = forged(lambda game: game["turns"][1]["hands"][0].update(redealt=1))
    assert fault == "turn 1, player0: this hand cannot be dealt anew"


def test_orders_that_are_against_the_rules_are_told() -> None:
    def cheat(game: Any) -> None:
        turn = game["turns"][1]
        held = next(hand["chips"] for hand in turn["hands"] if hand["robot"] == turn["orders"][0]["robot"])
        others = [chip.number for chip in rules.DECK if chip.number not in held]
        turn["orders"][0] |= {"by": "player", "orders": {"registers": others[:5]}}

    assert all("the orders are against the rules: Chip" in fault for fault in forged(cheat))


def test_orders_that_are_missing_are_told() -> None:
    robot = whole()["turns"][1]["orders"][0]["robot"]
    assert forged(lambda game: game["turns"][1]["orders"].pop(0)) == [
        f"turn 1, {robot}: the orders are missing"
    ]


@pytest.mark.parametrize("author", ["deadline", "chance"])
def test_orders_that_chance_did_not_give_are_told(author: str) -> None:
    def blame(game: Any) -> None:
        turn = next(turn for turn in game["turns"] if turn["orders"][0]["by"] == "player")
        turn["orders"][0]["by"] = author

    (fault,) = forged(blame)
    assert fault.endswith("the orders are not those that chance gave by the seed")


def test_orders_that_were_exchanged_do_not_lead_to_the_events() -> None:
    """Two chips of a program change places: allowed, and another turn."""

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


def test_an_event_that_was_left_out_added_or_cut_off_is_told() -> None:
    assert "event 1 does not follow" in forged(lambda game: game["turns"][1]["events"].pop(0))[0]
    assert "the log breaks off" in forged(lambda game: game["turns"][1]["events"].pop())[0]
    again = forged(lambda game: game["turns"][1]["events"].append({"type": "over"}))
    assert "the log goes on after the turn" in again[0]


def test_turns_that_are_missing_doubled_or_too_many_are_told() -> None:
    last = len(whole()["turns"]) - 1
    assert forged(lambda game: game["turns"].pop()) == [
        f"the game is not over after turn {last - 1}: the turns after it are missing"
    ]
    assert "turn 1 is missing: turn 2 stands in its place" in forged(lambda game: game["turns"].pop(1))[0]
    more = forged(lambda game: game["turns"].append({**game["turns"][-1], "turn": last + 1}))
    assert more == [f"turn {last + 1}: this turn follows the end of the game"]
    assert forged(lambda game: game["turns"].clear()) == ["no turn was played"]


def test_another_winner_and_another_end_are_told() -> None:
    assert "the winner is " in forged(lambda game: game.update(winner="Mallory"))[0]
    assert "the winner is " in forged(lambda game: game.update(winner=None))[0]
    (fault,) = forged(lambda game: game["end"]["robots"][0].update(damage=77))
    assert "player0: the end state does not follow from the log: “damage” is " in fault
    (fault,) = forged(lambda game: game["end"].update(turn=99))
    assert "“turn” is " in fault
    assert forged(lambda game: game["end"]["robots"].append({"name": "Mallory"}))


def test_an_option_that_was_not_played_by_is_found() -> None:
    def give_lives(game: Any) -> None:
        game["options"]["lives"] = game["options"]["lives"] % 9 + 1

    assert forged(give_lives)


# What is no such file


BAD: list[tuple[Callable[[Any], object], str]] = [
    (lambda game: game.update(format="game/2"), "the format is 'game/2'"),
    (
        lambda game: game.update(version=99),
        "it was played by version 99 of Robo Runner, and version 1 is here",
    ),
    (lambda game: game.update(version="1"), "“version” must be a whole number"),
    (lambda game: game.update(ruleset="chess"), "there is no ruleset “chess”"),
    (lambda game: game.update(ruleset=["chess"]), "“ruleset” must be a text"),
    (lambda game: game.update(colour="red"), "a game has no key “colour”"),
    (lambda game: game.pop("seed"), "the key “seed” is missing"),
    (lambda game: game.update(seed=7), "“seed” must be a text"),
    (lambda game: game.update(seed=""), "“seed” must be a text of 1 to 200 characters"),
    (lambda game: game.update(about=[]), "“about” must be an object"),
    (lambda game: game.update(options={"lives": "many"}), "“lives” must be a whole number"),
    (lambda game: game.update(options=[]), "“options” must be an object"),
    (lambda game: game.update(starship={"format": "starship/1", "rows": ["q"]}), "unknown"),
    (lambda game: game.update(seats=[]), "players, not 0"),
    (lambda game: game.update(seats=[7]), "seat 1 must be an object"),
    (lambda game: game["seats"][0].pop("name"), "seat 1 has no “name”"),
    (lambda game: game["seats"][0].update(seat=2), "numbered from 1 without a gap"),
    (lambda game: game["seats"][0].update(name=""), "“name” of seat 1 is empty"),
    (lambda game: game["seats"][0].update(squad="red"), "has no squads"),
    (lambda game: game.update(turns={}), "“turns” must be a list"),
    (lambda game: game["turns"][0].update(turn=None), "the number of a turn must be a whole number"),
    (lambda game: game["turns"][0].update(events=[7]), "each of the events of turn 0 must be an object"),
    (lambda game: game["turns"][1]["hands"][0].update(chips=["1"]), "must be the numbers of chips"),
    (lambda game: game["turns"][1]["hands"][0].update(redealt="1"), "must be a whole number or null"),
    (lambda game: game["turns"][1]["orders"][0].update(by="me"), "“by” of player0 must be one of player,"),
    (lambda game: game["turns"][1]["orders"][0].update(orders=[]), "turn 1, player0: orders must be"),
    (lambda game: game.update(end={"format": "state/9"}), "the format is 'state/9'"),
    (lambda game: game.update(winner=7), "“winner” must be a text"),
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object], str]:
    def write(document: object) -> str:
        path = tmp_path / "game.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return str(path)

    return write


@pytest.mark.parametrize(("spoil", "reason"), BAD)
def test_what_is_no_game_is_one_clear_line_and_exit_status_2(
    spoil: Callable[[Any], object], reason: str, write: Any, capsys: Any
) -> None:
    game = whole()
    spoil(game)
    assert main(["verify", write(game)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "game.json: " in line
    assert reason in line


def test_two_robots_of_one_name_are_no_game(write: Any, capsys: Any) -> None:
    for seed in range(100):
        game = recorded(seed)
        if len(game["seats"]) > 1:
            break
    game["seats"][1]["name"] = game["seats"][0]["name"]
    assert main(["verify", write(game)]) == 2
    assert "two robots have the name 'player0'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", "{}", "[" * 100_000, '{"format": NaN}', '{"a": "\\ud800"}']
)
def test_what_is_no_document_is_one_clear_line(text: str, write: Any, capsys: Any) -> None:
    assert main(["verify", write(text)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_that_is_too_large_is_not_read_to_its_end(
    write: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.__main__.LARGEST_FILE", 2 * 1024**2)
    assert main(["verify", write(" " * (2 * 1024**2 + 1))]) == 2
    assert capsys.readouterr().err.endswith("game.json: larger than 2 MB, which no document is\n")


# The command


def test_a_game_that_is_proved_is_told_with_what_was_proved(write: Any, capsys: Any) -> None:
    game = whole()
    assert main(["verify", write(game)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("ok  ")
    assert f"Robo Runner, version 1: {len(game['turns'])} turns" in told
    assert f"won by {game['winner']}" in told
    assert game["commitment"] in told


def test_a_game_that_is_not_true_exits_with_1_and_says_where(write: Any, capsys: Any) -> None:
    game = whole()
    game["turns"][1]["events"].pop(0)
    assert main(["verify", write(game)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "the digest does not fit" in lines[0]
    assert "turn 1, " in lines[1] or "turn 1: " in lines[1]
    assert all(line.startswith("FAIL  ") for line in lines)


def test_the_command_reads_standard_input_and_a_promise(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    game = whole()
    for promised, status in ((game["commitment"], 0), ("0" * 64, 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(game).encode())))
        assert main(["verify", "--commitment", promised, "-"]) == status
    assert "was promised" in capsys.readouterr().out


def test_a_promise_is_of_one_game(write: Any, capsys: Any) -> None:
    file = write(whole())
    with pytest.raises(SystemExit) as end:
        main(["verify", "--commitment", "0", file, file])
    assert end.value.code == 2
    assert "a commitment is to one game" in capsys.readouterr().err


def test_faults_without_end_are_cut_short(write: Any, capsys: Any) -> None:
    game = whole()
    turn = game["turns"][1]
    turn["hands"] += [{"robot": f"Mallory{number}", "chips": [], "redealt": None} for number in range(999)]
    assert main(["verify", write(game)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 20
