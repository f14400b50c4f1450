"""``python -m rules verify`` proves or refuses files of games (``game/1``)."""

import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import rules
from rules.__main__ import main
from tests.rules.proving import faults, finished_game, of_albots
from tests.rules.recorded import recorded
from tests.support.internals import hint_in

SEEDS = st.integers(min_value=0, max_value=2**32)


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
def test_a_won_game_is_proved(key: str) -> None:
    assert faults(finished_game(key)) == []


def test_redrawn_hands_are_proved() -> None:
    assert faults(of_albots()) == []


def test_a_commitment_is_the_hash_of_a_text_with_no_other_use() -> None:
    text = "Robo Runner, commitment to the seed of a game, 1\n5eed"
    assert rules.commitment("5eed") == sha256(text.encode()).hexdigest()


BAD: list[tuple[Callable[[Any], object], str]] = [
    (lambda game: game.update(format="game/2"), 'the format is "game/2"'),
    (
        lambda game: game.update(version=99),
        "Robo Runner has no version 99; there are: 1, 2",
    ),
    (lambda game: game.update(version="1"), "“version” must be a whole number"),
    (lambda game: game.update(ruleset="chess"), "there is no ruleset “chess”"),
    (lambda game: game.update(ruleset=["chess"]), "“ruleset” must be a text"),
    (lambda game: game.update(colour="red"), "a game has an unknown key “colour”"),
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
    (lambda game: game.update(end={"format": "state/9"}), 'the format is "state/9"'),
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
def test_an_invalid_game_is_refused_in_one_line_with_status_2(
    spoil: Callable[[Any], object], reason: str, write: Any, capsys: Any
) -> None:
    game = finished_game()
    spoil(game)
    assert main(["verify", write(game)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "game.json: " in line
    assert reason in line
    assert hint_in(line) is None, line


def test_two_robots_with_one_name_are_refused(write: Any, capsys: Any) -> None:
    for seed in range(100):
        game = recorded(seed)
        if len(game["seats"]) > 1:
            break
    game["seats"][1]["name"] = game["seats"][0]["name"]
    assert main(["verify", write(game)]) == 2
    assert 'two robots have the name "player0"' in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", "{}", "[" * 100_000, '{"format": NaN}', '{"a": "\\ud800"}']
)
def test_an_invalid_document_is_refused_in_one_line(text: str, write: Any, capsys: Any) -> None:
    assert main(["verify", write(text)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_too_large_a_file_is_not_read_to_its_end(
    write: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.__main__.MAX_FILE_SIZE", 2 * 1024**2)
    assert main(["verify", write(" " * (2 * 1024**2 + 1))]) == 2
    assert capsys.readouterr().err.endswith("game.json: larger than 2 MB, which is the limit\n")


def test_a_proved_game_is_reported_with_the_proved_parts(write: Any, capsys: Any) -> None:
    game = finished_game()
    assert main(["verify", write(game)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("ok  ")
    assert f"Robo Runner, version 2: {len(game['turns'])} turns" in told
    assert f"won by {game['winner']}" in told
    assert game["commitment"] in told


def test_a_false_game_exits_with_1_and_names_the_place(write: Any, capsys: Any) -> None:
    game = finished_game()
    game["turns"][1]["events"].pop(0)
    assert main(["verify", write(game)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "the digest does not fit" in lines[0]
    assert "turn 1, " in lines[1] or "turn 1: " in lines[1]
    assert all(line.startswith("FAIL  ") for line in lines)


def test_the_command_reads_standard_input_and_a_promise(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    game = finished_game()
    for promised, status in ((game["commitment"], 0), ("0" * 64, 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(game).encode())))
        assert main(["verify", "--commitment", promised, "-"]) == status
    assert ", not " in capsys.readouterr().out


def test_a_promise_belongs_to_one_game(write: Any, capsys: Any) -> None:
    file = write(finished_game())
    with pytest.raises(SystemExit) as end:
        main(["verify", "--commitment", "0", file, file])
    assert end.value.code == 2
    assert "--commitment is for one game" in capsys.readouterr().err


def test_long_lists_of_faults_are_cut_short(write: Any, capsys: Any) -> None:
    game = finished_game()
    turn = game["turns"][1]
    turn["hands"] += [{"robot": f"Mallory{number}", "chips": [], "redealt": None} for number in range(999)]
    assert main(["verify", write(game)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 20


def test_a_name_in_a_file_cannot_fake_a_proof(write: Any, capsys: Any) -> None:
    game = finished_game()
    lie = "Mallory\nok  game.json: proved \x1b[1A"
    game["turns"][1]["hands"].append({"robot": lie, "chips": [], "redealt": None})
    assert main(["verify", write(game)]) == 1
    told = capsys.readouterr().out
    assert all(line.startswith("FAIL  ") for line in told.splitlines())
    assert r"Mallory\nok  game.json: proved \x1b[1A" in told


def test_random_checkpoints_are_proved() -> None:
    board = rules.read_starship({"format": "starship/1", "rows": ["a . . .+i1", ". . . .", ". . . ."]})
    games = (json.loads(json.dumps(recorded(seed, "factory-1999", board))) for seed in range(1, 99))
    game = next(game for game in games if 1 < game["options"].get("random_checkpoints", 0) < 5)
    assert [fault for fault in faults(game) if "the game is not over" not in fault] == []
    ship = rules.read_starship(game["starship"])
    cells = [ship.pos(cell) for _, cell in sorted(ship.checkpoints.items())]
    other = next((x, y) for y in range(1, 3) for x in range(4) if (x, y) not in cells)
    game["starship"] = rules.write_starship(rules.with_checkpoints(ship, [other, *cells[1:]]))
    (first, *_) = faults(rules.with_digest(game))
    assert first == f"checkpoint 1 does not follow from the seed: it is at {[*cells[0]]}, not {[*other]}"
