"""Records of played turns: one document for each turn. It contains all data of the turn."""

import json
import random
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

import rules
from accounts.models import User
from games.play import resolution
from games.play.models import Game, Turn
from games.play.resolution import save_played_turn
from games.play.stored import (
    PlayedHand,
    PlayedProgram,
    TurnRecord,
    decode_record,
    each_played,
    encode_record,
    turn_record,
)
from tests.games.at_random import play_game
from tests.games.support import NOW, Table, open_turn, record_of

TURNS = 8
"""The number of the last turn in a random game."""

CHIPS = {"format": "hand/1", "chips": [490, 30]}
GIVEN = PlayedProgram(
    orders={"registers": [490, None], "power_down": True},
    by="computer",
    remark="ValueError: it’s “against” the rules \u2028 \\ \x00",
    submitted_at=NOW + timedelta(microseconds=7),
)
ASIDE = {"format": "aside/1", "hands": [{"number": None, "chips": [280]}, {"number": 2, "chips": []}]}


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_random_turn_survives_writing_and_reading(
    db: None, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    given: list[TurnRecord] = []

    def keep(*, played: TurnRecord, **rest: Any) -> None:
        given.append(played)
        save_played_turn(played=played, **rest)

    monkeypatch.setattr(resolution, "save_played_turn", keep)
    game = play_game(key, random.Random(f"played {key}"), turns=TURNS)
    turns = list(each_played(game.turns.filter(status=Turn.Status.RESOLVED)))
    assert turns
    assert [played for _, played in turns] == given


def turn_of(*hands: PlayedHand, events: tuple[dict[str, Any], ...] = ()) -> TurnRecord:
    start = {"format": "state/1", "robots": [{"name": "Aliçe"}, {"name": "Bob"}]}
    return TurnRecord(first_seq=7, start=start, hands=hands, events=events)


def hand(**more: Any) -> PlayedHand:
    plain = {"robot": 1, "chips": CHIPS, "aside": None, "redealt": None, "face_down": False, "program": None}
    return PlayedHand(**{**plain, **more})


@pytest.mark.parametrize(
    "played",
    [
        turn_of(),
        turn_of(events=({"type": "turn", "robot": "Aliçe"}, {"type": "over", "winner": None})),
        turn_of(hand(), hand(robot=2, chips={"format": "hand/1", "chips": []})),
        turn_of(hand(face_down=True, program=GIVEN)),
        turn_of(hand(aside=ASIDE, redealt=3, program=GIVEN)),
        turn_of(hand(redealt=0)),
    ],
)
def test_every_feature_of_a_turn_survives_writing_and_reading(played: TurnRecord) -> None:
    assert decode_record(encode_record(played), played.first_seq) == played
    assert played.names == ["Aliçe", "Bob"]
    assert played.last_seq == 6 + len(played.events)


def packed(document: object) -> bytes:
    return zlib.compress(json.dumps(document).encode())


WHOLE = json.loads(zlib.decompress(encode_record(turn_of(hand(program=GIVEN)))))


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"{}",
        encode_record(turn_of())[:-1],
        encode_record(turn_of())[:4],
        encode_record(turn_of())[:-1] + b"?",
        zlib.compress(b"\xff"),
        zlib.compress(b"{"),
        *(packed(document) for document in ([], None, "turn/1", 7, {}, {"format": "turn/1"})),
        packed({**WHOLE, "format": "turn/2"}),
        *(packed({key: WHOLE[key] for key in WHOLE if key != missing}) for missing in WHOLE),
        *(packed({**WHOLE, "hands": hands}) for hands in (None, 7, [7], [{}], [[]])),
        *(packed({**WHOLE, "events": events}) for events in (None, 7)),
        *(packed({**WHOLE, "hands": [{**WHOLE["hands"][0], "at": at}]}) for at in (None, 7, "now")),
    ],
)
def test_a_broken_record_is_rejected(record: bytes) -> None:
    with pytest.raises(ValueError, match="The record of a turn"):
        decode_record(record, 1)


def test_the_record_of_a_turn_of_four_is_small(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    """Database rows for each event took twenty times as much space, with overhead."""
    players = (alice, bob, carol, dave)
    game = table.game(*players)
    for _ in range(3):
        table.play(game, *players)
    sizes = [len(turn.record or b"") for turn in game.turns.filter(status=Turn.Status.RESOLVED)]
    assert len(sizes) == 3
    assert 0 < max(sizes) < 2048


def test_a_long_game_is_read_in_one_query(
    table: Table,
    alice: User,
    bob: User,
    django_assert_num_queries: Callable[[int], Any],
) -> None:
    game = table.game(alice, bob)
    for _ in range(4):
        table.play(game, alice, bob)
    with django_assert_num_queries(1):
        found = list(each_played(game.turns.filter(status=Turn.Status.RESOLVED)))
    assert [(turn.number, len(played.hands)) for turn, played in found] == [(each, 2) for each in range(4)]


def test_a_turn_is_stored_as_it_was_played(duel: Game, table: Table, alice: User, bob: User) -> None:
    """The numbers of log lines continue from turn to turn."""
    table.play(duel, alice, bob)
    start = open_turn(duel).snapshot
    turn = table.play(duel, alice, bob)
    first, second = record_of(duel, 0), record_of(duel, 1)
    assert second.start == start
    assert (first.first_seq, second.first_seq) == (1, first.last_seq + 1)
    assert (turn.first_seq, turn.last_seq) == (second.first_seq, second.last_seq)
    assert turn_record(turn) == second


def test_invalid_rows_are_refused(duel: Game, table: Table, alice: User, bob: User) -> None:
    turn = table.play(duel, alice, bob)
    for wrong in (
        {"record": None},
        {"record": None, "snapshot": {"format": "state/1"}},
        {"snapshot": {"format": "state/1"}},
        {"first_seq": None},
        {"last_seq": None},
        {"first_seq": 0},
        {"last_seq": 0, "first_seq": 2},
        {"status": "open", "resolved_at": None},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Turn.objects.filter(pk=turn.pk).update(**wrong)
