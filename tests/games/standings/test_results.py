"""Results change ratings once, in a fixed order, and ratings can be recomputed."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.forms.models import model_to_dict

from accounts.models import User
from games.play.models import Game
from games.standings import services
from games.standings.models import PlayerRating, RatingChange, RatingPool, RatingShift, Result
from games.standings.selectors.ratings import steps_of
from games.standings.services import RESULTS_JOB, apply_results, rate_game, recount_ratings, unlist_idle
from games.work.jobs import count_ended_game, ended_games, note_ended
from tests import cast
from tests.games.dying import dies_at_each_statement
from tests.games.standings.rated import ended, finish, give_rating, rate
from tests.games.support import HALL, NOW, Table, later
from tests.games.together import together


def stored_ratings() -> list[Any]:
    """Return all stored ratings, without row IDs."""
    tables = (RatingPool, RatingShift, PlayerRating, RatingChange, Result)
    return [
        [{**model_to_dict(row), "id": None, "result": None} for row in table.objects.order_by(*order)]
        for table, order in zip(
            tables,
            (["key"], ["pool", "month"], ["pool", "user"], ["pool", "user", "seq"], ["seq", "revision"]),
            strict=True,
        )
    ]


def test_a_game_is_recorded_when_it_ends_and_applied_once(win: Game, alice: User, bob: User) -> None:
    assert list(ended_games(RESULTS_JOB).values_list("game", flat=True)) == [win.pk]
    assert (apply_results(now=NOW), apply_results(now=NOW)) == (1, 0)
    assert count_ended_game(RESULTS_JOB, rate_game, win.pk) == 0
    for pool in ("all", win.ruleset):
        won, lost = (PlayerRating.objects.get(pool=pool, user=user) for user in (alice, bob))
        assert won.mu > 25 > lost.mu
        assert (won.games, won.met, won.listed) == (1, 1, False)
    before = stored_ratings()
    note_ended(win.pk, [RESULTS_JOB])
    rate()
    assert stored_ratings() == before, "noted twice, it is applied once"


def test_unrated_games_leave_nothing(table: Table, alice: User, bob: User) -> None:
    ended(table, alice, bob, rated="no")
    rate()
    assert not ended_games(RESULTS_JOB).exists()
    assert not Result.objects.exists()


def test_a_pool_contains_only_games_of_its_ruleset(db: None, alice: User, bob: User, carol: User) -> None:
    finish("robo-runner", alice, bob)
    finish("group-11", carol, alice)
    games = {(row.pool_id, row.user_id): row.games for row in PlayerRating.objects.all()}
    assert games["all", alice.pk] == 2
    assert games["robo-runner", alice.pk] == games["group-11", alice.pk] == 1
    assert ("robo-runner", carol.pk) not in games


def test_a_worker_that_dies_applies_nothing(win: Game) -> None:
    """The worker dies at each SQL statement in turn.

    The next pass starts again from the same state.
    """
    with transaction.atomic():
        rate_game(win.pk)
        whole = stored_ratings()
        transaction.set_rollback(True)
    died, _ = dies_at_each_statement(
        lambda: count_ended_game(RESULTS_JOB, rate_game, win.pk),
        nothing_is_done=lambda: ended_games(RESULTS_JOB).exists() and not Result.objects.exists(),
    )
    assert died > 8
    assert stored_ratings() == whole


def test_a_recount_gives_the_same_columns(
    win: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    ended(table, bob, carol, at=later(days=40))
    rate()
    for number, order in enumerate([(alice, bob, carol), (carol, alice), (bob, carol, alice)]):
        finish("robo-runner", *order, at=NOW + timedelta(days=45 + 20 * number))
    before = stored_ratings()
    assert recount_ratings().corrected == 0
    assert stored_ratings() == before
    PlayerRating.objects.filter(user=alice).update(mu=99, listed=True)
    PlayerRating.objects.filter(user=bob, pool="all").delete()
    give_rating(cast.dave())
    RatingChange.objects.filter(user=carol).delete()
    RatingChange.objects.filter(user=bob).update(rank=7)
    RatingPool.objects.update(residual=3)
    call_command("recount", verbosity=0)
    assert stored_ratings() == before
    for table_ in (PlayerRating, RatingChange, RatingShift, RatingPool):
        table_.objects.all().delete()
    assert recount_ratings().corrected > 0
    assert stored_ratings() == before


def test_a_recount_rates_older_games_in_the_order_of_their_ends(table: Table, alice: User, bob: User) -> None:
    second, first = ended(table, alice, bob, at=later(days=2)), ended(table, bob, alice, at=later(days=1))
    ended_games(RESULTS_JOB).delete()
    assert recount_ratings().results == 2
    assert list(Result.objects.values_list("of_game", flat=True)) == [first.pk, second.pk]
    assert PlayerRating.objects.get(pool="all", user=alice).games == 2


def test_games_are_rated_in_the_order_of_their_ends(table: Table, alice: User, bob: User) -> None:
    ended(table, alice, bob, at=later(days=2))
    first = ended(table, bob, alice, at=later(days=1))
    rate()
    opening = RatingChange.objects.get(pool="all", user=alice, result__of_game=first.pk)
    assert opening.mu_before == 25 > opening.mu
    assert steps_of(user=alice, pool="all")[0].game == first.pk
    assert recount_ratings().corrected == 0


def test_the_order_of_arrival_does_not_matter(
    db: None, alice: User, bob: User, carol: User, dave: User
) -> None:
    """The late results include games of the same players and of strangers.

    Some games ended at the same moment, and one in a month that is closed.
    """
    games = [
        (1, (alice, bob, carol), NOW),
        (2, (carol, dave), NOW + timedelta(hours=1)),
        (3, (bob, alice), NOW + timedelta(hours=1)),
        (4, (dave, alice), NOW + timedelta(hours=1)),
        (5, (carol, bob), NOW + timedelta(days=40)),
    ]
    came: list[Any] = []
    for order in ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [2, 1, 4, 5, 3]):
        with transaction.atomic():
            for number in order:
                _, people, at = games[number - 1]
                finish("robo-runner", *people, at=at, number=number)
            assert recount_ratings().corrected == 0
            came.append([[{**row, "seq": None} for row in rows] for rows in stored_ratings()[:3]])
            transaction.set_rollback(True)
    assert came[0] == came[1] == came[2]


def test_reading_logs_delays_no_other_result(win: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool of all rulesets is locked only after the log has been read."""
    read = services.outcome_of

    def outcome_of(game: Game) -> Any:
        assert not RatingPool.objects.exists()
        return read(game)

    monkeypatch.setattr(services, "outcome_of", outcome_of)
    assert rate_game(win.pk)
    assert RatingPool.objects.filter(pk="all").exists()


def test_a_repaired_log_adds_a_revision_in_the_same_place(
    win: Game, table: Table, alice: User, bob: User
) -> None:
    ended(table, bob, alice, at=later(days=1))
    rate()
    Game.objects.filter(pk=win.pk).update(winner="Bob")
    assert recount_ratings().corrected > 0
    revisions = Result.objects.filter(of_game=win.pk).order_by("revision")
    assert [(each.seq, each.revision) for each in revisions] == [(1, 1), (1, 2)]
    first = RatingChange.objects.get(pool="all", user=bob, seq=1)
    assert (first.rank, first.result.revision) == (1, 2)
    assert first.mu > 25
    assert recount_ratings().corrected == 0


def test_a_result_remains_when_its_game_is_deleted(win: Game) -> None:
    rate()
    before = stored_ratings()
    win.delete()
    assert recount_ratings().corrected == 0
    assert stored_ratings() == before


def test_a_rating_is_listed_after_twenty_games_with_eight_people_while_its_player_is_active(
    db: None, alice: User
) -> None:
    others = [cast.person(f"Rival{number}") for number in range(8)]
    for number in range(20):
        finish("robo-runner", alice, others[number % 7], at=later(minutes=number - 60))
    row = PlayerRating.objects.get(pool="all", user=alice)
    assert (row.games, row.met, row.listed) == (20, 7, False)
    for number in range(12):
        table = (others[7], alice, others[number % 7], others[(number + 1) % 7])
        finish("robo-runner", *table, at=later(minutes=number - 30))
    row.refresh_from_db()
    assert (row.met, row.listed, row.sigma <= 4.5) == (8, True, True)
    assert unlist_idle(now=later(days=89)) == 0
    assert unlist_idle(now=later(days=91)) > 0
    row.refresh_from_db()
    assert not row.listed


@pytest.mark.django_db(transaction=True)
def test_simultaneous_workers_apply_each_result_once() -> None:
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    for number in range(4):
        ended(table, alice, bob, at=later(hours=number))
    together(*[rate] * 4)
    rate()
    assert sorted(Result.objects.values_list("seq", flat=True)) == [1, 2, 3, 4]
    assert PlayerRating.objects.get(pool="all", user=alice).games == 4
    assert recount_ratings().corrected == 0
