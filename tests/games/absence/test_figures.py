"""The formula of reliability: examples, and properties for every history of turns."""

from hypothesis import given, strategies as st

from games.absence.models import IN_TIME_MARK, MISSED_MARK, WINDOW, add_turn, reliability_percent

HISTORIES = st.text(alphabet=[IN_TIME_MARK, MISSED_MARK], max_size=WINDOW)


def test_newcomers_have_missed_nothing() -> None:
    assert reliability_percent("") == 100


def test_one_missed_turn_costs_newcomers_and_others_the_same() -> None:
    assert (
        reliability_percent(MISSED_MARK)
        == reliability_percent(IN_TIME_MARK * (WINDOW - 1) + MISSED_MARK)
        == 98
    )


def test_five_turns_missed_in_a_row_leave_ninety_percent_and_six_do_not() -> None:
    assert reliability_percent(MISSED_MARK * 5) == 90
    assert reliability_percent(MISSED_MARK * 6) == 88


def test_every_fifth_turn_missed_is_eighty_percent_or_nearly_so() -> None:
    assert 79 <= reliability_percent((IN_TIME_MARK * 4 + MISSED_MARK) * 20) <= 80


@given(HISTORIES)
def test_the_percentage_is_100_only_if_nothing_was_missed(history: str) -> None:
    assert 0 <= reliability_percent(history) <= 100
    assert (reliability_percent(history) == 100) == (MISSED_MARK not in history)


@given(HISTORIES)
def test_a_turn_in_time_never_lowers_it_and_a_missed_one_never_raises_it(history: str) -> None:
    better, worse = add_turn(history, in_time=True), add_turn(history, in_time=False)
    assert reliability_percent(worse) <= reliability_percent(history) <= reliability_percent(better)


@given(HISTORIES, st.integers(0, WINDOW))
def test_older_turns_weigh_less(history: str, turns: int) -> None:
    later = history
    for _ in range(turns):
        later = add_turn(later, in_time=True)
    assert reliability_percent(later) >= reliability_percent(history)
    if turns == WINDOW:
        assert reliability_percent(later) == 100


@given(HISTORIES, st.data())
def test_the_same_turn_missed_earlier_weighs_no_more(history: str, data: st.DataObject) -> None:
    if MISSED_MARK not in history[1:]:
        return
    place = data.draw(st.sampled_from([at for at in range(1, len(history)) if history[at] == MISSED_MARK]))
    if history[place - 1] == MISSED_MARK:
        return
    earlier = history[: place - 1] + MISSED_MARK + IN_TIME_MARK + history[place + 1 :]
    assert reliability_percent(earlier) >= reliability_percent(history)


@given(HISTORIES, st.booleans())
def test_a_history_keeps_only_the_last_turns(history: str, in_time: bool) -> None:
    after = add_turn(history, in_time=in_time)
    assert len(after) == min(len(history) + 1, WINDOW)
    assert after.endswith(IN_TIME_MARK if in_time else MISSED_MARK)
    assert history.endswith(after[:-1])
