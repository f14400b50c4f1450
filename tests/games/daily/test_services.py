"""Playing daily runs: tries, days, streaks, and the people behind them."""

from datetime import date, timedelta

import pytest

from accounts import guests
from accounts.models import User
from games.daily.models import DailyResult, DailyRun
from games.daily.selectors import Streak, day_in, place_of, result_url, share_line, streak_of, table_of
from games.daily.services import lay_program, make_run, offer_missing_run
from games.errors import Conflict, Invalid, Malformed, NotFound
from games.people.contacts import block
from games.people.selectors.personal_data import PARTS
from games.people.services.deletion import adopt_guest, delete_account, forget_guests
from tests.games.daily.days import FAR, LATE, PAR, TODAY, saved_day
from tests.games.support import NOW, code_of, later


def lay(user: User, registers: object, turn: int = 1, *, day: date = TODAY, hours: float = 0) -> DailyResult:
    return lay_program(user=user, day=day, turn_number=turn, registers=registers, now=later(hours=hours))


def test_the_first_try_counts_and_the_best_is_kept(alice: User) -> None:
    saved_day()
    first = lay(alice, FAR)
    assert (first.tries, first.first_score, first.best_score, first.counts) == (1, None, None, True)
    again = lay(alice, PAR)
    assert (again.tries, again.first_score, again.best_score, again.counts) == (2, None, 3, True)
    worse = lay(alice, LATE)
    assert (worse.tries, worse.best_score) == (3, 3)
    assert worse.best_programs == again.programs


def test_the_same_program_twice_is_one_try(alice: User) -> None:
    saved_day()
    assert lay(alice, PAR).pk == lay(alice, PAR).pk
    assert DailyResult.objects.get().tries == 1


def test_a_try_that_ends_after_midnight_does_not_count(alice: User) -> None:
    saved_day(turns=2)
    assert lay(alice, FAR, hours=11.9).tries == 0
    late = lay(alice, PAR, 2, hours=12.1)
    assert (late.tries, late.counts) == (1, False)
    assert table_of(run=late.run) == []
    assert streak_of(user=alice, now=later(hours=12.1)) == Streak(0, 0)


def test_turns_come_in_order(alice: User) -> None:
    saved_day(turns=2)
    assert code_of(Conflict, lay, alice, FAR, 2) == "stale-turn"
    assert code_of(Conflict, lay, alice, FAR, 3) == "stale-turn"
    lay(alice, FAR)
    assert code_of(Conflict, lay, alice, PAR, 1) == "stale-turn"
    assert lay(alice, PAR, 2).tries == 1
    assert lay(alice, PAR, 1).programs == [["1@490", "U@10", "2@670", "R@80", "L@70"]]


def test_a_destroyed_robot_ends_the_run_at_once(alice: User) -> None:
    saved_day(turns=2)
    lost = lay(alice, LATE)
    assert (lost.tries, lost.first_score) == (1, None)


@pytest.mark.parametrize(
    ("registers", "error", "code"),
    [
        ([None, *PAR[1:]], Invalid, "orders"),
        ([PAR[1], *PAR[1:]], Invalid, "orders"),
        ([840, *PAR[1:]], Invalid, "orders"),
        (PAR[:4], Invalid, "orders"),
        ("12345", Malformed, "no-orders"),
        ([10**30] * 5, Invalid, "orders"),
    ],
)
def test_faulty_programs_are_refused(alice: User, registers: object, error: type[Invalid], code: str) -> None:
    saved_day()
    assert code_of(error, lay, alice, registers) == code
    assert not DailyResult.objects.exists()


def test_days_without_a_run_and_coming_days_cannot_be_played(alice: User) -> None:
    saved_day(TODAY + timedelta(1))
    for day in (TODAY, TODAY + timedelta(1)):
        assert code_of(NotFound, lay, alice, PAR, day=day) == "no-daily-run"


def test_the_table_ranks_first_tries_of_players(alice: User, bob: User, carol: User) -> None:
    run = saved_day()
    lay(bob, FAR)
    lay(bob, PAR)
    lay(carol, PAR)
    lay(alice, PAR, hours=1)
    lay(guests.make_guest(), PAR)
    assert [(row["place"], row["robo_name"], row["score"]) for row in table_of(run=run)] == [
        (1, "Carol", 3),
        (1, "Alice", 3),
        (3, "Bob", None),
    ]
    assert place_of(run=run, result=DailyResult.objects.get(user=bob)) == (3, 3)
    assert place_of(run=run, result=DailyResult.objects.get(user__is_guest=True)) is None


def test_a_blocked_player_stays_in_the_table(alice: User, bob: User) -> None:
    """Tables have results, and blocks hide only messages and names."""
    run = saved_day()
    lay(bob, PAR)
    block(user=alice, robo_name="Bob", now=NOW)
    lay(alice, FAR)
    assert [row["robo_name"] for row in table_of(run=run)] == ["Bob", "Alice"]
    assert place_of(run=run, result=DailyResult.objects.get(user=alice)) == (2, 2)


def test_a_streak_counts_days_in_a_row(alice: User) -> None:
    for ago in (5, 4, 3, 1, 0):
        day = TODAY - timedelta(ago)
        saved_day(day)
        lay(alice, PAR, day=day, hours=-24 * ago)
    assert streak_of(user=alice, now=NOW) == Streak(2, 3)
    assert streak_of(user=alice, now=later(days=1)) == Streak(2, 3)
    assert streak_of(user=alice, now=later(days=2)) == Streak(0, 3)


def test_a_result_is_one_line_to_share(alice: User) -> None:
    run = saved_day()
    result = lay(alice, PAR)
    line = share_line(day_in(run), result)
    assert line == (f"Robo Runner, daily run 325: ■■■■■ 3 phases (par: 3 phases) {result_url(result)}")


def test_a_guest_s_results_go_over_to_the_account(alice: User) -> None:
    guest = guests.make_guest()
    for ago in (0, 1):
        saved_day(TODAY - timedelta(ago))
        lay(guest, PAR, day=TODAY - timedelta(ago), hours=-24 * ago)
    lay(alice, FAR)
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    scores = dict(DailyResult.objects.filter(user=alice).values_list("run_id", "first_score"))
    assert scores == {TODAY: None, TODAY - timedelta(1): 3}
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_guest_s_finished_try_replaces_one_that_the_account_has_only_begun(alice: User) -> None:
    saved_day(turns=2)
    guest = guests.make_guest()
    lay(alice, FAR)
    lay(guest, PAR)
    lay(guest, FAR, 2)
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    assert DailyResult.objects.get().first_score == 3


@pytest.mark.django_db
def test_guests_who_play_daily_runs_are_kept() -> None:
    guest = guests.make_guest()
    User.objects.filter(pk=guest.pk).update(date_joined=later(days=-40))
    saved_day()
    lay(guest, PAR)
    assert forget_guests(now=NOW) == 0
    assert forget_guests(now=later(days=31)) == 1
    assert not DailyResult.objects.exists()


def test_results_are_in_the_file_of_personal_data_and_go_with_the_account(alice: User) -> None:
    saved_day()
    lay(alice, PAR)
    (row,) = next(part for part in PARTS if part.key == "daily_runs").rows(alice)
    assert (row["run_id"], row["first_score"]) == (TODAY, 3)
    delete_account(user=alice, now=NOW)
    assert not DailyResult.objects.exists()


@pytest.mark.django_db
def test_workers_make_missing_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("games.work.enqueue.make_daily_run", asked.append)
    assert offer_missing_run(now=NOW) == 1
    day = date.fromordinal(asked[0])
    assert day == TODAY
    assert make_run(day=day, seed="one")
    before = DailyRun.objects.get(date=day).document
    assert not make_run(day=day, seed="two")
    assert DailyRun.objects.get(date=day).document == before
    assert [offer_missing_run(now=NOW) for _ in range(9)] == [1] * 7 + [0] * 2
    assert [date.fromordinal(each) for each in asked] == [TODAY + timedelta(ahead) for ahead in range(8)]
