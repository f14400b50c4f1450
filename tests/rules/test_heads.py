"""Heads form a chain of hashes that exposes later changes to a game."""

import json
import random
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

import rules
from rules.__main__ import main
from rules.game_file import SALT_BITS, first_head, next_head, salt_of, seat_names, seat_names_in
from rules.verification import heads_of
from tests.rules.proving import faults, finished_game, headed
from tests.rules.recorded import Document
from tests.rules.test_renaming import renamed


def read(document: Document) -> rules.GameFile:
    return rules.read_game_file(json.loads(json.dumps(document)))


def heads(document: Document) -> list[str]:
    return [head.hash for head in heads_of(read(document))]


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def test_a_head_is_the_documented_hash() -> None:
    """The test computes the hash itself, without the code under test."""
    start = {
        "commitment": "c0",
        "created_at": "2026-11-21T12:00:00Z",
        "started_at": "2026-11-21T12:05:00Z",
        "ruleset": "robo-runner",
        "version": 1,
        "options": {"lives": 3},
        "house_rules": {},
        "starship": {"format": "starship/1", "name": "Größe", "rows": ["a .+i1"]},
        "seats": [{"seat": 1, "name": "Alice", "squad": None, "model": None, "computer": None}],
        "seed": "not bound but by the commitment",
    }
    text = (
        '{"commitment":"c0","created_at":"2026-11-21T12:00:00Z","house_rules":{},"options":{"lives":3},'
        '"ruleset":"robo-runner","seats":[{"computer":null,"model":null,"seat":1,"squad":null}],'
        '"starship":{"format":"starship/1","name":"Größe","rows":["a .+i1"]},'
        '"started_at":"2026-11-21T12:05:00Z","version":1}'
    )
    first = first_head(start)
    assert first == hashed(text)
    head = next_head(
        first,
        turn=4,
        salt="5a17",
        orders=[{"robot": "Bob", "by": "player", "orders": {"registers": [490]}}],
        events=[
            {
                "type": "phase",
                "phase": 1,
                "step": "chips revealed",
                "chips": {"Bob": "1@490", "Scanner 2": "U@1"},
            },
            {"type": "over", "phase": 1, "step": "first finisher", "winner": "Bob", "reason": "finished"},
        ],
        seats=seat_names(["Alice", "Bob"], ["Scanner 1", "Scanner 2"]),
    )
    assert head == hashed(
        first + "\n"
        '{"events":[{"chips":{"2":"1@490","s2":"U@1"},"phase":1,"step":"chips revealed","type":"phase"},'
        '{"phase":1,"reason":"finished","step":"first finisher","type":"over","winner":"2"}],'
        '"orders":[{"by":"player","orders":{"registers":[490]},"robot":"2"}],"salt":"5a17","turn":4}'
    )


@pytest.mark.clause("G-2.4")
def test_the_salt_of_each_turn_follows_from_the_seed_and_is_too_long_to_guess() -> None:
    salts = [salt_of(seed, turn) for seed in ("a seed", "another") for turn in range(50)]
    assert len(set(salts)) == 100
    assert all(len(salt) == SALT_BITS // 4 == 32 and int(salt, 16) >= 0 for salt in salts)
    assert salts[0] == salt_of("a seed", 0)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_changed_name_changes_no_head(key: str) -> None:
    document = headed(finished_game(key))
    called = renamed(document, document["seats"][0]["name"], "Deleted-7")
    assert heads(called) == heads(document)
    assert faults(called) == []


def test_exchanged_names_change_no_head() -> None:
    document = headed(finished_game())
    one, other = (seat["name"] for seat in document["seats"][:2])
    called = renamed(renamed(renamed(document, one, "…"), other, one), "…", other)
    assert heads(called) == heads(document)


def test_players_and_scanners_have_seat_names_and_the_crystal_has_none() -> None:
    robots = [{"name": "A"}, {"name": "S", "scanner": True}, {"name": "power crystal", "crystal": True}]
    assert seat_names_in({"robots": robots}) == {"A": "1", "S": "s1"}


def change_last_orders(game: Any) -> None:
    """Replace orders of the last turn with other allowed orders, so that the game ends differently."""
    setup, names, _, dealt = before_the_last_turn(game)
    told = game["turns"][-1]
    chance = random.Random(1)
    terms = rules.Vocabulary(setup.starship, names)
    for _ in range(500):
        given = {terms.indexes[one["robot"]]: rules.read_orders(one["orders"]) for one in told["orders"]}
        index = chance.choice(sorted(given))
        hand = dealt.hands.get(index, ())
        given[index] = rules.complete(setup, dealt.state, index, hand, None, str(chance.random()))
        outcome = rules.resolve_turn(setup, dealt.state, dealt.hands, given, game["seed"])
        orders = [
            {**one, "orders": rules.write_orders(given[terms.indexes[one["robot"]]])}
            for one in told["orders"]
        ]
        if outcome.state.over and orders != told["orders"]:
            game["end"] = rules.state_to_json(setup.starship, outcome.state)
            game["winner"] = terms.robot_or_word(outcome.state.winner)
            for one, before in zip(orders, told["orders"], strict=True):
                if one != before:
                    one["by"] = "player"
            events = rules.events_to_json(terms, outcome.events)
            game["turns"][-1] = {**told, "orders": orders, "events": events}
            return
    raise AssertionError("no other orders end the game in this turn")


def before_the_last_turn(game: Any) -> tuple[rules.Setup, list[str], rules.State, rules.Deal]:
    """Play a game up to its last turn.

    Return the set-up, the robots' names, the state before dealing the last turn, and the deal.
    """
    setup = read(game).setup
    names = [robot["name"] for robot in game["end"]["robots"]]
    index = rules.Vocabulary(setup.starship, names).indexes
    dealt = rules.begin(setup, [seat["name"] for seat in game["seats"]], game["seed"])
    state = dealt.state
    for told in game["turns"][:-1]:
        orders = {index[one["robot"]]: rules.read_orders(one["orders"]) for one in told["orders"]}
        state = rules.resolve_turn(setup, dealt.state, dealt.hands, orders, game["seed"]).state
        dealt = rules.deal(setup, state, game["seed"])
    return setup, names, state, dealt


def cut_off(game: Any) -> None:
    """Remove the last turn of a game, so that it appears as cancelled by vote."""
    setup, _, state, _ = before_the_last_turn(game)
    game["turns"].pop()
    game |= {"end": rules.state_to_json(setup.starship, state), "winner": None, "ending": "voted"}


def change_author(game: Any) -> None:
    given = next(
        given for turn in game["turns"] for given in turn["orders"] if given["by"] in ("player", "computer")
    )
    given["by"] = "computer" if given["by"] == "player" else "player"


def change_start(game: Any) -> None:
    game["about"]["started_at"] = "2025-01-01T00:00:00Z"


FORGERIES: list[Callable[[Any], object]] = [change_last_orders, cut_off, change_author, change_start]


@pytest.mark.parametrize("forge", FORGERIES)
def test_the_last_shown_head_exposes_a_consistent_forgery(
    forge: Callable[[Any], object],
) -> None:
    """The forged game passes all other checks. Only a head saved earlier exposes it."""
    true = headed(finished_game())
    kept = heads(true)[-1]
    forged = json.loads(json.dumps(true))
    forge(forged)
    forged = headed(forged)
    assert faults(forged) == [], "without the head it looks like any other game"
    (fault,) = rules.verify(read(forged), kept=kept)
    assert "the game had a different course when that head was shown" in str(fault)
    assert rules.verify(read(true), kept=kept) == []


def test_a_head_binds_only_earlier_turns() -> None:
    true = headed(finished_game())
    forged = json.loads(json.dumps(true))
    change_last_orders(forged)
    every, others = heads(true), heads(headed(forged))
    assert others[:-1] == every[:-1]
    assert others[-1] != every[-1]


def test_removed_heads_are_still_calculated() -> None:
    """If they were not, a forged game could pass as an old game without heads."""
    true, kept = finished_game(), heads(headed(finished_game()))[-1]
    true["about"] = headed(true)["about"]
    assert rules.verify(read(rules.with_digest(true)), kept=kept) == []
    change_author(true)
    assert len(rules.verify(read(rules.with_digest(true)), kept=kept)) == 1


SPOILT: list[tuple[Callable[[Any], object], str]] = [
    (lambda game: game.update(first_head="0" * 64), "the first head is "),
    (lambda game: game["turns"][1].update(head="0" * 64), "turn 1: by the turns played, the head is "),
    (lambda game: game["turns"][1].update(salt="0" * 32), "turn 1: by the seed, the salt is "),
    (lambda game: game["turns"][1].pop("head"), "not missing"),
    (lambda game: game["turns"][1].pop("salt"), "not missing"),
    (lambda game: game["about"].update(created_at="2025-01-01T00:00:00Z"), "the first head is "),
    (lambda game: game["starship"].update(description="Another"), "the first head is "),
    (lambda game: game["seats"][0].update(computer="ace"), "the first head is "),
]


@pytest.mark.parametrize(("spoil", "told"), SPOILT)
def test_a_head_that_contradicts_its_file_is_reported_once(spoil: Callable[[Any], object], told: str) -> None:
    game = headed(finished_game())
    spoil(game)
    (fault,) = faults(rules.with_digest(game))
    assert told in fault


def test_an_unreadable_turn_is_reported_to_have_no_head() -> None:
    game = headed(finished_game())
    game["turns"][1]["events"][0]["type"] = "nonsense"
    first, *_ = faults(rules.with_digest(game))
    told = "the head of turn 1 cannot be calculated: its orders or its events are not complete"
    assert first == told


@pytest.fixture
def verify(tmp_path: Any, capsys: Any) -> Callable[..., tuple[int, str]]:
    def verify(document: Document, *options: str) -> tuple[int, str]:
        path = tmp_path / "game.json"
        path.write_text(json.dumps(document))
        try:
            status = main(["verify", *options, str(path)])
        except SystemExit as end:
            status = int(end.code or 0)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return verify


def test_the_command_names_the_turn_of_a_head(verify: Any) -> None:
    game = headed(finished_game())
    first, *after = heads(game)
    for turn, head in zip(game["turns"], after, strict=True):
        status, told = verify(game, "--head", f" {head.upper()} ")
        assert status == 0
        after_it = f"follows turn {turn['turn']}, and binds everything up to it\n"
        assert told.endswith(f"; the head that you kept {after_it}")
    status, told = verify(game, "--head", first)
    assert (status, "is the first one, and binds the start of the game" in told) == (0, True)
    assert f"each of its {len(after) + 1} heads follows from the one before" in told


def test_the_command_reports_an_unknown_head(verify: Any) -> None:
    status, told = verify(headed(finished_game()), "--head", "0" * 64)
    assert (status, told.startswith("FAIL  ")) == (1, True)
    assert f"heads is {'0' * 64}" in told


def test_the_command_reports_a_game_without_heads_and_when_heads_began(verify: Any) -> None:
    status, told = verify(finished_game())
    assert (status, "it has no heads: it ended before heads existed, or someone removed them" in told) == (
        0,
        True,
    )
    game = headed(finished_game())
    game["about"]["heads_from"] = 2
    status, told = verify(rules.with_digest(game))
    assert (status, "(shown from turn 2 on, as the file says)" in told) == (0, True)


@pytest.mark.parametrize("text", ["", "9f2c", "g" * 64, "0" * 63])
def test_an_incomplete_head_is_refused_in_one_line(verify: Any, text: str) -> None:
    status, told = verify(headed(finished_game()), "--head", text)
    (line,) = told.splitlines()
    assert (status, "copy all of it" in line) == (2, True)


def test_a_head_belongs_to_one_game(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--head", "0" * 64, "one.json", "another.json"])
    assert "--head is for one game: name one file" in capsys.readouterr().err
