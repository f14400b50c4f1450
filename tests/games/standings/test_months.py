"""Monthly figures count each game once. Recounting gives the same figures."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.forms.models import model_to_dict

from accounts.models import User
from games.absence.seats import give_up_seat
from games.people.models import Tally
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.play.resolution import resolve_turn
from games.standings import services
from games.standings.models import PlayerMonth
from games.standings.selectors.awards import FIGURES
from games.standings.services import MONTHS_JOB, count_game, count_months, recount_months
from games.work.jobs import count_ended_game, ended_games
from rules.statistics import COUNTERS
from tests.games.dying import dies_at_each_statement
from tests.games.standings.rated import concede_to, ended, rate, under_way
from tests.games.support import NOW, Table, later, open_turn, record_of, rekeep


def of(user: User, month: date | None = None) -> dict[str, Any]:
    row = PlayerMonth.objects.get(user=user, month=month or NOW.date().replace(day=1))
    return {name: getattr(row, name) for name in FIGURES}


def rows() -> list[dict[str, Any]]:
    every = PlayerMonth.objects.order_by("user", "month")
    return [{**model_to_dict(row), "id": None} for row in every]


def test_a_rated_game_is_counted_once_for_each_player(win: Game, alice: User, bob: User) -> None:
    assert count_months(now=NOW) == 0, "its result comes first"
    rate()
    assert (count_months(now=NOW), count_months(now=NOW)) == (1, 0)
    won, lost = of(alice), of(bob)
    assert (won["games"], won["won"], won["gained"], won["turns"], won["in_time"]) == (1, 1, 105, 3, 1)
    assert (lost["games"], lost["won"], lost["gained"]) == (1, 0, -105)
    tally = Tally.objects.get(seat__game=win, seat__user=alice)
    assert {name: won[name] for name in COUNTERS} == {name: getattr(tally, name) for name in COUNTERS}
    assert count_ended_game(MONTHS_JOB, count_game, win.pk) == 0


def test_checkpoints_are_those_inspected_by_the_robot(win: Game, alice: User, bob: User) -> None:
    inspections = [
        {"type": "inspect", "phase": 5, "step": "inspection", "robot": "Bob", "checkpoint": checkpoint}
        for checkpoint in (1, 2)
    ]
    rekeep(win, 3, events=(*record_of(win, 3).events, *inspections))
    rate()
    count_months(now=NOW)
    assert (of(alice)["checkpoints"], of(bob)["checkpoints"]) == (0, 2)


@pytest.mark.parametrize("terms", [{"rated": "no"}, {"seats": 3, "computers": ["ace"], "rated": "yes"}])
def test_other_games_do_not_count(terms: dict[str, Any], table: Table, alice: User, bob: User) -> None:
    ended(table, alice, bob, **terms)
    rate()
    count_months(now=NOW)
    assert not PlayerMonth.objects.exists()
    assert not ended_games(MONTHS_JOB).exists()


def test_a_player_who_left_has_played_and_lost(table: Table, alice: User, bob: User, carol: User) -> None:
    game = under_way(table, alice, bob, carol)
    give_up_seat(user=bob, game_id=game.pk, now=NOW)
    concede_to(game, alice)
    rate()
    count_months(now=NOW)
    left = of(bob)
    assert (left["games"], left["won"], left["in_time"], left["turns"]) == (1, 0, 0, 3)
    assert left["gained"] < 0


def test_a_game_with_a_missed_turn_is_not_in_time(table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob, absence={"policy": "random", "excused": None})
    turn = open_turn(game)
    table.move(game, alice)
    game.turns.filter(pk=turn.pk).update(deadline=NOW)
    turn.hands.update(deadline=NOW)
    assert resolve_turn(turn_id=turn.pk, now=later(hours=30))
    concede_to(game, alice)
    rate()
    count_months(now=NOW)
    assert (of(alice)["in_time"], of(bob)["in_time"]) == (1, 0)
    assert (of(alice)["turns"], of(bob)["turns"]) == (4, 3)


def test_each_game_counts_for_the_month_of_its_end(table: Table, alice: User, bob: User) -> None:
    ended(table, alice, bob, at=NOW)
    ended(table, alice, bob, at=NOW + timedelta(days=31))
    rate()
    count_months(now=NOW)
    assert [*PlayerMonth.objects.filter(user=alice).values_list("games", flat=True)] == [1, 1]


def test_a_recount_keeps_games_counted_meanwhile(
    win: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate()
    count_months(now=NOW)
    read = services.figures_of

    def meanwhile(game: Game) -> Any:
        monkeypatch.setattr(services, "figures_of", read)
        ended(table, bob, alice, at=later(hours=1))
        rate()
        assert count_months(now=NOW) == 1
        return read(game)

    monkeypatch.setattr(services, "figures_of", meanwhile)
    recount_months()
    assert (of(alice)["games"], of(alice)["won"]) == (2, 1)
    assert recount_months() == 0


def test_a_recount_gives_the_same_figures_and_corrects_errors(
    win: Game, table: Table, alice: User, bob: User
) -> None:
    ended(table, bob, alice, at=later(days=40))
    rate()
    count_months(now=NOW)
    before = rows()
    assert recount_months() == 0
    PlayerMonth.objects.filter(user=alice).update(pushed=99)
    PlayerMonth.objects.filter(user=bob)[0].delete()
    PlayerMonth.objects.create(user=bob, month=date(2020, 1, 1), games=4)
    call_command("recount", verbosity=0)
    assert rows() == before
    assert recount_months() == 0


def test_a_worker_that_dies_counts_nothing(win: Game, alice: User) -> None:
    rate()
    died, _ = dies_at_each_statement(
        lambda: count_ended_game(MONTHS_JOB, count_game, win.pk),
        nothing_is_done=lambda: ended_games(MONTHS_JOB).exists() and not PlayerMonth.objects.exists(),
    )
    assert died > 8
    assert of(alice)["games"] == 1


def test_a_deleted_account_has_no_monthly_figures(win: Game, alice: User, bob: User) -> None:
    rate()
    count_months(now=NOW)
    delete_account(user=bob, now=NOW)
    assert list(PlayerMonth.objects.values_list("user", flat=True)) == [alice.pk]
    assert recount_months() == 0
