"""The policy on missed turns: its documents, its sentences, and excused turns."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from games.play.policy import (
    CLEAN_TURNS,
    COMPUTER,
    GIVE_UP,
    MAX_EXCUSED,
    POLICIES,
    RANDOM,
    STANDING,
    Absence,
    AbsenceRecord,
    absence_in_words,
    after_missing,
    after_playing,
    read_absence,
    write_absence,
)

SETTLED = st.one_of(
    st.just(Absence(GIVE_UP, 0)),
    st.builds(
        Absence,
        st.sampled_from([RANDOM, STANDING, COMPUTER]),
        st.one_of(st.none(), st.integers(1, MAX_EXCUSED)),
    ),
)


@given(SETTLED)
def test_a_written_policy_is_read_again(absence: Absence) -> None:
    assert read_absence(write_absence(absence)) == absence


def test_omitted_keys_have_their_defaults() -> None:
    assert read_absence(None) == read_absence({}) == Absence(RANDOM, None)
    assert read_absence({"policy": "give-up"}) == Absence(GIVE_UP, 0)
    assert read_absence({"excused": 2}) == Absence(RANDOM, 2)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("random", "an object"),
        ({"policy": "mercy"}, "must be one of these: random, standing, computer, give-up"),
        ({"policy": ["random"]}, "must be one of"),
        ({"excused": 0}, "from 1 to 10"),
        ({"excused": 11}, "from 1 to 10"),
        ({"excused": 1.5}, "from 1 to 10"),
        ({"excused": True}, "from 1 to 10"),
        ({"policy": "give-up", "excused": 3}, "must be 0 or left out"),
        ({"policy": "give-up", "excused": False}, "must be 0 or left out"),
        ({"policy": "random", "mercy": 1}, "no key “mercy”"),
    ],
)
def test_an_invalid_policy_is_refused_with_a_sentence(document: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_absence(document)


@given(SETTLED, st.lists(st.booleans(), max_size=60))
def test_players_miss_no_more_than_is_excused_and_clean_turns_restore_it(
    absence: Absence, in_time: list[bool]
) -> None:
    record = AbsenceRecord(absence.excused or 0, 0)
    records = [record]
    for played in in_time:
        after = after_playing(absence, record) if played else after_missing(absence, record)
        if after is None:
            assert absence.excused is not None and record.left == 0
            return
        record = after
        records.append(record)
    if absence.excused is None:
        return
    assert all(0 <= each.left <= absence.excused and 0 <= each.clean < CLEAN_TURNS for each in records)
    gained = sum(max(0, after.left - before.left) for before, after in pairwise(records))
    assert gained <= in_time.count(True) // CLEAN_TURNS
    assert in_time.count(False) <= absence.excused + gained


def test_clean_turns_must_be_consecutive() -> None:
    absence, record = Absence(RANDOM, 3), AbsenceRecord(1, 0)
    for _ in range(CLEAN_TURNS - 1):
        record = after_playing(absence, record)
    missed = after_missing(absence, record)
    assert missed == AbsenceRecord(0, 0)
    for _ in range(CLEAN_TURNS):
        missed = after_playing(absence, missed)
    assert missed == AbsenceRecord(1, 0)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_has_a_sentence(policy: str) -> None:
    words = absence_in_words(read_absence({"policy": policy}))
    assert words.startswith("If a player misses a turn, ") and words.endswith(".")


def test_the_sentence_names_the_number_of_excused_turns() -> None:
    words = absence_in_words(Absence(STANDING, 2))
    assert "If they miss more than 2 turns, a computer replaces them." in words
