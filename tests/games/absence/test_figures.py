"""Reliability figures: examples, and properties of all histories."""

from hypothesis import given, strategies as st

from games.absence.models import IN_TIME, MISSED, WINDOW, figure, with_turn

HISTORIES = st.text(alphabet=[IN_TIME, MISSED], max_size=WINDOW)


def test_newcomers_have_missed_nothing() -> None:
    assert figure("") == 100


def test_one_missed_turn_costs_newcomers_and_others_the_same() -> None:
    assert figure(MISSED) == figure(IN_TIME * (WINDOW - 1) + MISSED) == 98


def test_five_turns_missed_in_a_row_leave_ninety_percent_and_six_do_not() -> None:
    assert figure(MISSED * 5) == 90
    assert figure(MISSED * 6) == 88


def test_every_fifth_turn_missed_is_eighty_percent_or_nearly_so() -> None:
    assert 79 <= figure((IN_TIME * 4 + MISSED) * 20) <= 80


@given(HISTORIES)
def test_the_percentage_is_100_only_if_nothing_was_missed(history: str) -> None:
    assert 0 <= figure(history) <= 100
    assert (figure(history) == 100) == (MISSED not in history)


@given(HISTORIES)
def test_a_turn_in_time_never_lowers_it_and_a_missed_one_never_raises_it(history: str) -> None:
    better, worse = with_turn(history, in_time=True), with_turn(history, in_time=False)
    assert figure(worse) <= figure(history) <= figure(better)


@given(HISTORIES, st.integers(0, WINDOW))
def test_older_turns_weigh_less(history: str, turns: int) -> None:
    later = history
    for _ in range(turns):
        later = with_turn(later, in_time=True)
    assert figure(later) >= figure(history)
    if turns == WINDOW:
        assert figure(later) == 100


@given(HISTORIES, st.data())
def test_the_same_turn_missed_earlier_weighs_no_more(history: str, data: st.DataObject) -> None:
    if MISSED not in history[1:]:
        return
    place = data.draw(st.sampled_from([at for at in range(1, len(history)) if history[at] == MISSED]))
    if history[place - 1] == MISSED:
        return
    earlier = history[: place - 1] + MISSED + IN_TIME + history[place + 1 :]
    assert figure(earlier) >= figure(history)


@given(HISTORIES, st.booleans())
def test_a_history_keeps_only_the_last_turns(history: str, in_time: bool) -> None:
    after = with_turn(history, in_time=in_time)
    assert len(after) == min(len(history) + 1, WINDOW)
    assert after.endswith(IN_TIME if in_time else MISSED)
    assert history.endswith(after[:-1])
