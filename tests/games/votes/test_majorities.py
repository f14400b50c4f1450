"""Majorities: examples, and properties for all numbers of ballots."""

import pytest
from hypothesis import given, strategies as st

from games.votes.selectors import CALLING_OFF, CONCEDING, EJECTING, PAUSING, Majority, Verdict

MAJORITIES = st.sampled_from([EJECTING, PAUSING, CALLING_OFF, CONCEDING])


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int, int]:
    voters = draw(st.integers(1, 16))
    ayes = draw(st.integers(0, voters))
    return voters, ayes, draw(st.integers(0, voters - ayes))


@pytest.mark.parametrize(
    ("majority", "voters", "ayes", "noes", "over", "verdict"),
    [
        (EJECTING, 3, 2, 0, False, Verdict.PASSED),
        (EJECTING, 3, 1, 1, False, Verdict.OPEN),
        (EJECTING, 3, 1, 2, False, Verdict.REFUSED),
        (EJECTING, 3, 1, 0, True, Verdict.REFUSED),
        (EJECTING, 1, 1, 0, True, Verdict.REFUSED),  # no one removes another player without a second vote
        (EJECTING, 4, 2, 2, False, Verdict.REFUSED),
        (PAUSING, 2, 1, 0, False, Verdict.OPEN),
        (PAUSING, 2, 1, 0, True, Verdict.PASSED),
        (PAUSING, 2, 1, 1, False, Verdict.REFUSED),
        (PAUSING, 4, 2, 2, False, Verdict.REFUSED),
        (CALLING_OFF, 2, 2, 0, False, Verdict.PASSED),
        (CALLING_OFF, 2, 1, 0, False, Verdict.OPEN),
        (CALLING_OFF, 2, 1, 0, True, Verdict.PASSED),  # absent players block no one
        (CALLING_OFF, 4, 2, 1, True, Verdict.PASSED),
        (CALLING_OFF, 4, 1, 1, True, Verdict.REFUSED),
        (CALLING_OFF, 4, 2, 2, False, Verdict.REFUSED),
        (CALLING_OFF, 1, 1, 0, False, Verdict.PASSED),
        (CONCEDING, 3, 3, 0, False, Verdict.PASSED),
        (CONCEDING, 3, 2, 0, True, Verdict.REFUSED),
        (CONCEDING, 3, 2, 1, False, Verdict.REFUSED),
    ],
)
def test_a_vote_has_the_state_of_its_majority(
    majority: Majority, voters: int, ayes: int, noes: int, over: bool, verdict: Verdict
) -> None:
    assert majority.verdict(voters=voters, ayes=ayes, noes=noes, over=over) == verdict


@given(MAJORITIES, counts())
def test_a_decision_does_not_depend_on_silent_voters(majority: Majority, count: tuple[int, int, int]) -> None:
    voters, ayes, noes = count
    now = majority.verdict(voters=voters, ayes=ayes, noes=noes, over=False)
    if now == Verdict.OPEN:
        return
    for more in range(voters - ayes - noes + 1):
        for others in range(voters - ayes - noes - more + 1):
            for over in (False, True):
                later = majority.verdict(voters=voters, ayes=ayes + more, noes=noes + others, over=over)
                assert later == now


@given(MAJORITIES, counts())
def test_an_open_vote_could_still_go_either_way_or_waits_for_its_deadline(
    majority: Majority, count: tuple[int, int, int]
) -> None:
    voters, ayes, noes = count
    if majority.verdict(voters=voters, ayes=ayes, noes=noes, over=False) != Verdict.OPEN:
        return
    silent = voters - ayes - noes
    assert majority.verdict(voters=voters, ayes=ayes + silent, noes=noes, over=False) == Verdict.PASSED
    assert majority.verdict(voters=voters, ayes=ayes, noes=noes + silent, over=True) == Verdict.REFUSED


@given(MAJORITIES, counts(), st.booleans())
def test_another_aye_never_makes_a_vote_fail(
    majority: Majority, count: tuple[int, int, int], over: bool
) -> None:
    voters, ayes, noes = count
    passed = majority.verdict(voters=voters, ayes=ayes, noes=noes, over=over) == Verdict.PASSED
    if passed and noes:
        assert majority.verdict(voters=voters, ayes=ayes + 1, noes=noes - 1, over=over) == Verdict.PASSED
    if passed and ayes + noes < voters:
        assert majority.verdict(voters=voters, ayes=ayes + 1, noes=noes, over=over) == Verdict.PASSED


@given(MAJORITIES, counts())
def test_an_overdue_vote_is_decided(majority: Majority, count: tuple[int, int, int]) -> None:
    voters, ayes, noes = count
    assert majority.verdict(voters=voters, ayes=ayes, noes=noes, over=True) != Verdict.OPEN


@given(MAJORITIES, counts(), st.booleans())
def test_nothing_passes_without_ayes_or_with_more_noes(
    majority: Majority, count: tuple[int, int, int], over: bool
) -> None:
    voters, ayes, noes = count
    if majority.verdict(voters=voters, ayes=ayes, noes=noes, over=over) == Verdict.PASSED:
        assert ayes > noes
