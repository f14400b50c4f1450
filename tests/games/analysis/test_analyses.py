"""Players ask for analyses of games, and workers make them turn by turn."""

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.db.models import QuerySet

from accounts import guests, limits
from accounts.models import User
from games.absence.models import Replacement, SitterTurn, Sitting
from games.analysis import reviewing, services
from games.analysis.models import Analysis
from games.analysis.reviewing import (
    ATTEMPTS,
    FAILURE_COST,
    LEASE,
    LONGEST_TURN,
    TASK_TIME_LIMIT,
    WORK_SECONDS,
    advance_analysis,
)
from games.analysis.selectors import accuracy_of, analysis_view, review_of
from games.analysis.services import START_COST, stop_analysis
from games.errors import Conflict, Forbidden, NotFound, TooMany
from games.people.services.deletion import adopt_guest, delete_account, erase, forget_guests
from games.people.services.scrubbing import rename_robot
from games.play import stored
from games.play.models import Game, Seat
from games.work import sweeper
from rules.review import VERSION
from tests.games.analysis.analyses import asked, cancelled, made
from tests.games.support import DUCTS, NOW, Table, code_of, later, leave_to_computer, record_of, rekeep
from tests.games.together import Call, Interleaved, deleted, interleave_everywhere

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
Messages = list[tuple[str, int]]


class Died(BaseException):
    """Raised when a worker is killed, so that it does nothing more."""


@pytest.fixture
def over(trio: Game, table: Table, alice: User, bob: User, carol: User, erin: User) -> Game:
    """A game of Alice, Bob and Carol that staff cancelled after turn 1."""
    table.play(trio, alice, bob, carol)
    return cancelled(trio, erin)


def test_workers_review_all_robots_of_a_finished_game(over: Game, alice: User) -> None:
    analysis = made(asked(alice, over))
    assert (analysis.status, analysis.turns, analysis.reviewed, analysis.asked_by) == ("done", 2, 2, None)
    review = review_of(game=over, viewer=AnonymousUser())
    assert review is not None
    assert [turn["turn"] for turn in review.turns] == [0, 1]
    assert [player["robot"] for player in review.players()] == ["Alice", "Bob", "Carol"]
    for turn in review.turns:
        for each in turn["figures"]:
            change = turn["after"][each["robot"] - 1] - turn["before"][each["robot"] - 1]
            assert each["deal"] + each["decision"] + each["collision"] == pytest.approx(change)
    assert review.document["result"] == review.turns[-1]["after"], "without a winner"
    view = analysis_view(analysis, game=over, viewer=alice)
    assert view["players"][0]["accuracy"] == pytest.approx(
        1 + review.document["totals"]["1"]["decision"] / 2, abs=1e-4
    )


def test_the_same_analysis_costs_nothing_the_second_time(over: Game, alice: User, bob: User) -> None:
    first = asked(alice, over)
    assert asked(bob, over) == first, "under way"
    made(first)
    key = f"person:{bob.pk}"
    assert asked(bob, over) == first
    assert limits.consume(limits.ANALYSES, key, limits.ANALYSES.most) == 0, "Bob has his whole budget"
    assert Analysis.objects.count() == 1


def test_a_budget_counts_positions(
    over: Game, table: Table, alice: User, bob: User, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged: list[int] = []

    def count(limit: Any, requester: str, cost: int = 1) -> int:
        charged.append(cost)
        return 0

    monkeypatch.setattr(limits, "consume", count)
    analysis = made(asked(alice, over))
    assert analysis.review
    assert charged == [START_COST, *(turn["positions"] for turn in analysis.review["turns"])]
    monkeypatch.undo()
    limits.consume(limits.ANALYSES, f"person:{alice.pk}", limits.ANALYSES.most)
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    assert code_of(TooMany, asked, alice, cancelled(game, erin)) == "too-many"
    assert asked(bob, game).is_under_way


def test_guests_share_the_limit_of_their_address(over: Game, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_guest=True, email="")
    alice.refresh_from_db()
    limits.consume(limits.GUEST_ANALYSES_FROM_ADDRESS, "address:192.0.2.9", 60)
    assert code_of(TooMany, asked, alice, over, address="address:192.0.2.9") == "too-many"
    assert asked(alice, over).is_under_way


def test_a_person_has_one_analysis_under_way(
    over: Game, table: Table, alice: User, bob: User, erin: User
) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    cancelled(game, erin)
    asked(alice, over)
    assert code_of(Conflict, asked, alice, game) == "under-way"
    assert asked(bob, game).is_under_way


def test_the_person_who_started_it_can_stop_and_continue_it(
    over: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviewing, "WORK_SECONDS", -1.0)  # one turn for each message
    analysis = asked(alice, over)
    assert advance_analysis(analysis_id=analysis.pk, now=NOW)
    given: dict[str, Any] = {"game_id": over.pk, "now": NOW}
    assert code_of(Forbidden, stop_analysis, user=bob, **given) == "not-yours"
    assert stop_analysis(user=alice, **given).status == "stopped"
    assert code_of(Conflict, stop_analysis, user=alice, **given) == "over"
    assert not advance_analysis(analysis_id=analysis.pk, now=NOW)
    first = review_of(game=over, viewer=alice)
    assert first is not None and [turn["turn"] for turn in first.turns] == [0]
    again = asked(bob, over)
    assert (again.pk, again.reviewed) == (analysis.pk, 1)
    assert made(again).status == "done"


def test_a_worker_stores_nothing_after_a_stop(
    over: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = asked(alice, over)
    review = reviewing.review_of_turn

    def stop_meanwhile(*args: Any, **more: Any) -> Any:
        Analysis.objects.filter(Analysis.OPEN).update(status="stopped", asked_by=None, finished_at=NOW)
        return review(*args, **more)

    monkeypatch.setattr(reviewing, "review_of_turn", stop_meanwhile)
    assert not advance_analysis(analysis_id=analysis.pk, now=NOW)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.review) == ("stopped", None)


def test_progress_is_written_between_turns(over: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "SECONDS_BETWEEN_WRITES", -1.0)
    analysis = asked(alice, over)
    seen: list[tuple[str, int]] = []
    review = reviewing.review_of_turn

    def look(*args: Any, **more: Any) -> Any:
        seen.append(Analysis.objects.values_list("status", "reviewed").get())
        return review(*args, **more)

    monkeypatch.setattr(reviewing, "review_of_turn", look)
    assert made(analysis).status == "done"
    assert seen == [("working", 0), ("working", 1)]


def test_another_worker_takes_over_from_a_dead_one_a_few_times(
    over: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any, **__: Any) -> Any:
        raise Died

    monkeypatch.setattr(reviewing, "review_turn", die)
    analysis = asked(alice, over)
    now = NOW
    for _ in range(ATTEMPTS):
        with pytest.raises(Died):
            advance_analysis(analysis_id=analysis.pk, now=now)
        assert not advance_analysis(analysis_id=analysis.pk, now=now), "claimed"
        now += LEASE
    assert not advance_analysis(analysis_id=analysis.pk, now=now)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.failure) == ("failed", f"deadly-analysis: {ATTEMPTS}")
    monkeypatch.undo()
    assert made(asked(alice, over), now).status == "done", "after another request"


def test_a_temporary_fault_is_no_attempt_and_an_error_fails_the_analysis(
    over: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = [OperationalError("the connection was lost"), KeyError("a fault of ours")]

    def fail(*_: Any, **__: Any) -> Any:
        raise errors.pop(0)

    monkeypatch.setattr(reviewing, "review_turn", fail)
    analysis = asked(alice, over)
    with pytest.raises(OperationalError):
        advance_analysis(analysis_id=analysis.pk, now=NOW)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.attempts) == ("working", 0)
    assert not advance_analysis(analysis_id=analysis.pk, now=NOW + LEASE)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.failure) == ("failed", "analysis-fault")
    left = limits.ANALYSES.most - START_COST - FAILURE_COST
    assert limits.consume(limits.ANALYSES, f"person:{alice.pk}", left) == 0, "the failure was charged once"
    assert limits.consume(limits.ANALYSES, f"person:{alice.pk}") > 0


def test_the_sweeper_offers_lost_analyses_again(over: Game, alice: User, messages: Messages) -> None:
    analysis = asked(alice, over)
    assert messages == [("review_game", analysis.pk)]
    messages.clear()
    assert sweeper.offer_analyses(now=later(seconds=30)) == 0
    assert sweeper.offer_analyses(now=later(minutes=2)) == 1
    assert messages == [("review_game", analysis.pk)]


def test_times_of_workers_fit_together() -> None:
    assert LEASE.total_seconds() > TASK_TIME_LIMIT > WORK_SECONDS + LONGEST_TURN


def test_an_analysis_of_an_older_version_is_made_again(over: Game, alice: User) -> None:
    old = made(asked(alice, over))
    Analysis.objects.update(version=VERSION - 1)
    review = review_of(game=over, viewer=alice)
    assert review is not None and review.analysis.version == VERSION - 1, "until there is a new one"
    new = asked(alice, over)
    assert new.pk != old.pk
    assert made(new).version == VERSION
    assert list(Analysis.objects.values_list("pk", flat=True)) == [new.pk]


def test_workers_of_a_new_release_stop_analyses_of_the_old_one(over: Game, alice: User) -> None:
    analysis = asked(alice, over)
    Analysis.objects.update(version=VERSION - 1)
    assert made(analysis).status == "stopped"


def test_games_without_rivals_or_turns_are_refused(
    table: Table, trio: Game, solo_loss: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    assert code_of(Conflict, asked, alice, solo_loss) == "one-side"
    assert code_of(Conflict, asked, dave, trio) == "not-over", "a spectator"
    assert code_of(Conflict, asked, erin, trio) == "not-over", "staff"
    assert code_of(Conflict, asked, alice, table.game(alice, seats=2)) == "not-over", "an open game"
    unplayed = table.game(alice, bob)
    assert code_of(Conflict, asked, alice, unplayed) == "not-played"
    assert code_of(Conflict, asked, alice, cancelled(unplayed, erin)) == "not-played"
    private = table.game(alice, bob, private=True)
    assert code_of(NotFound, asked, dave, private) == "no-game"


def test_squads_are_reviewed(alice: User, bob: User, carol: User, dave: User, erin: User) -> None:
    people = (alice, bob, carol, dave)
    table = Table(DUCTS.saved())
    game = table.game(*people, ruleset="robo-recon", seed="5eed")
    for _ in range(2):
        table.play(game, *people)
    analysis = made(asked(alice, cancelled(game, erin)))
    assert analysis.status == "done" and analysis.review
    squads = list(game.players.order_by("number").values_list("squad", flat=True))
    after = analysis.review["turns"][-1]["after"]
    assert len(set(zip(squads, after, strict=True))) == 2
    assert sum(dict(zip(squads, after, strict=True)).values()) == (pytest.approx(1, abs=1e-3))


def test_an_early_end_has_a_result(over: Game, alice: User) -> None:
    Game.objects.filter(pk=over.pk).update(status="over", ending="resigned", winner="Bob")
    over.refresh_from_db()
    analysis = made(asked(alice, over))
    assert analysis.review and analysis.review["result"] == [0.0, 1.0, 0.0]


def test_a_winner_who_is_renamed_meanwhile_stays_the_winner(
    over: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.filter(pk=over.pk).update(status="over", ending="resigned", winner="Bob")
    result_in = reviewing._result

    def rename_first(*args: Any) -> Any:
        rename_robot(game=Game.objects.get(pk=over.pk), before="Bob", after="Robert")
        return result_in(*args)

    monkeypatch.setattr(reviewing, "_result", rename_first)
    analysis = made(asked(alice, over))
    assert analysis.review and analysis.review["result"] == [0.0, 1.0, 0.0]


def test_an_analysis_under_way_goes_on_if_its_guest_logs_in_and_stops_if_its_person_leaves(
    over: Game, alice: User, dave: User
) -> None:
    guest = guests.make_guest()
    analysis = asked(guest, over)
    adopt_guest(guest_id=guest.pk, user=dave, now=NOW)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.asked_by) == ("waiting", dave)
    delete_account(user=dave, now=NOW)
    analysis.refresh_from_db()
    assert (analysis.status, analysis.asked_by) == ("stopped", None)
    assert made(asked(alice, over)).status == "done"


def test_an_analysis_of_a_guest_stops_if_the_account_has_another_one_under_way(
    over: Game, table: Table, alice: User, bob: User, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = table.game(alice, bob)
    table.play(other, alice, bob)
    monkeypatch.setattr(reviewing, "WORK_SECONDS", -1.0)  # one turn for each message
    guest = guests.make_guest()
    analysis = asked(guest, over)
    assert advance_analysis(analysis_id=analysis.pk, now=NOW)
    mine = asked(alice, cancelled(other, erin))
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    analysis.refresh_from_db()
    mine.refresh_from_db()
    assert (analysis.status, analysis.reviewed, mine.status) == ("stopped", 1, "waiting")


def test_a_guest_is_kept_while_their_analysis_is_under_way(over: Game) -> None:
    guest = guests.make_guest()
    User.objects.filter(pk=guest.pk).update(date_joined=later(days=-40))
    analysis = asked(guest, over)
    assert forget_guests(now=NOW) == 0
    assert made(analysis).status == "done"
    assert forget_guests(now=NOW) == 1
    assert Analysis.objects.get() == analysis


def test_an_analysis_that_starts_while_its_person_leaves_stops(over: Game, alice: User, dave: User) -> None:
    deletion = delete_account(user=dave, now=NOW)
    analysis = asked(dave, over)
    erase(deletion_id=deletion.pk, now=NOW)
    analysis.refresh_from_db()
    assert analysis.status == "stopped"


def test_a_guest_who_has_just_logged_in_elsewhere_is_told_so(over: Game, alice: User) -> None:
    guest = guests.make_guest()
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    assert code_of(NotFound, asked, guest, over) == "no-guest"


def test_a_player_who_leaves_while_their_analysis_starts_has_nothing_to_analyse(
    trio: Game, table: Table, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(trio, alice, bob, carol)
    lock_person = services.lock_person

    def leave_first(user: User) -> None:
        leave_to_computer(trio, user)
        lock_person(user)

    monkeypatch.setattr(services, "lock_person", leave_first)
    assert code_of(Conflict, asked, bob, trio) == "not-played"


@pytest.mark.django_db(transaction=True)
def test_a_game_is_deleted_while_its_analysis_starts(
    table: Table, alice: User, bob: User, erin: User, messages: Messages
) -> None:
    def prepare() -> tuple[Call, Call]:
        Analysis.objects.all().delete()
        game = table.game(alice, bob)
        table.play(game, alice, bob)
        cancelled(game, erin)
        return partial(asked, alice, game), partial(deleted, game)

    def check(done: Interleaved) -> None:
        assert done.second is None
        assert isinstance(done.first, (Analysis, NotFound, Conflict)), done.first
        assert not Analysis.objects.exists()

    assert interleave_everywhere(prepare, check, stride=2) > 6


def test_a_guest_s_own_analysis_goes_over_to_the_account(
    table: Table, alice: User, carol: User, dave: User, messages: Messages
) -> None:
    game = table.game(carol, alice)
    table.play(game, carol, alice)
    analysis = made(asked(carol, game))
    User.objects.filter(pk=carol.pk).update(is_guest=True, email="")
    adopt_guest(guest_id=carol.pk, user=dave, now=NOW)
    game.refresh_from_db()
    review = review_of(game=game, viewer=dave)
    assert review is not None and review.analysis == analysis


def test_games_that_leave_no_records_are_not_in_the_accuracy_over_time(over: Game, alice: User) -> None:
    made(asked(alice, over))
    found = accuracy_of(user=alice, games=Game.objects.all())
    assert found and [game["id"] for game in found["games"]] == [over.pk]
    Game.objects.filter(pk=over.pk).update(position={"format": "position/1"})
    assert accuracy_of(user=alice, games=Game.objects.all()) is None


def test_a_seat_that_is_lost_meanwhile_is_not_in_the_accuracy_over_time(
    over: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(asked(alice, over))
    rows = QuerySet.values_list

    def lose_first(queryset: QuerySet[Any], *names: Any, **more: Any) -> Any:
        if names == ("game", "number"):
            Seat.objects.filter(user=alice).update(user=None, computer="rookie", name="Rookie")
        return rows(queryset, *names, **more)

    monkeypatch.setattr(QuerySet, "values_list", lose_first)
    assert accuracy_of(user=alice, games=Game.objects.all()) is None


# --- Running games ------------------------------------------------------------------------------------------


def test_players_of_a_running_game_get_only_their_own_figures(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    table.play(trio, alice, bob, carol)
    mine = made(asked(alice, trio))
    assert mine.player == alice
    review = review_of(game=trio, viewer=alice)
    assert review is not None
    assert [player["robot"] for player in review.players()] == ["Alice"]
    assert review_of(game=trio, viewer=bob) is None
    assert made(asked(bob, trio)).pk != mine.pk


def test_an_own_analysis_goes_on_with_new_turns_and_is_replaced_at_the_end(
    trio: Game, table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    table.play(trio, alice, bob, carol)
    first = made(asked(alice, trio))
    assert asked(alice, trio).status == "done", "nothing new"
    table.play(trio, alice, bob, carol)
    again = asked(alice, trio)
    assert (again.pk, again.status, again.turns, again.reviewed) == (first.pk, "waiting", 3, 2)
    made(again)
    cancelled(trio, erin)
    assert review_of(game=trio, viewer=alice) is None, "the analysis of all robots is another one"
    whole = made(asked(bob, trio))
    assert list(Analysis.objects.values_list("pk", flat=True)) == [whole.pk]


def test_a_player_s_own_analysis_agrees_with_the_one_of_all_robots(
    trio: Game, table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    table.play(trio, alice, bob, carol)
    own = made(asked(alice, trio)).review
    whole = made(asked(alice, cancelled(trio, erin))).review
    assert own and whole
    for mine, every in zip(own["turns"], whole["turns"], strict=True):
        assert mine["figures"] == every["figures"][:1]
        assert mine["after"] == every["after"]


def test_a_player_who_took_a_seat_over_sees_only_their_own_turns(
    trio: Game, table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    table.play(trio, alice, bob, carol)
    leave_to_computer(trio, bob)
    seat = trio.players.get(robot="Bob")
    trio.players.filter(pk=seat.pk).update(user=dave, computer="", name="")
    Replacement.objects.create(
        seat=seat, game=trio, turn=2, became=dave, reason=Replacement.Reason.TAKEN_OVER, at=NOW
    )
    assert code_of(Conflict, asked, dave, trio) == "not-played"
    assert code_of(Conflict, asked, bob, trio) == "not-over", "the player who left"
    table.play(trio, alice, carol, dave)
    review = made(asked(dave, trio)).review
    assert review and [turn["turn"] for turn in review["turns"]] == [2]


def test_a_player_who_leaves_meanwhile_stops_the_analysis(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    table.play(trio, alice, bob, carol)
    analysis = asked(bob, trio)
    leave_to_computer(trio, bob)
    assert made(analysis).status == "stopped"
    assert analysis.review is None or analysis.review["turns"] == []


def test_a_player_who_came_back_gets_the_turns_since_then(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    for _ in range(2):
        table.play(trio, alice, bob, carol)
    before = made(asked(bob, trio))
    leave_to_computer(trio, bob)
    seat = trio.players.get(robot="Bob")
    trio.players.filter(pk=seat.pk).update(user=bob, computer="", name="")
    reason = Replacement.Reason.CAME_BACK
    Replacement.objects.create(seat=seat, game=trio, turn=3, became=bob, reason=reason, at=NOW)
    table.play(trio, alice, bob, carol)
    analysis = made(asked(bob, trio))
    assert (analysis.pk, analysis.status, analysis.turns, analysis.reviewed) == (before.pk, "done", 1, 1)
    assert analysis.review and [turn["turn"] for turn in analysis.review["turns"]] == [3]


def test_unrevealed_things_do_not_change_an_analysis_in_a_running_game(
    trio: Game, table: Table, alice: User, bob: User, carol: User, api: Any, read: Any
) -> None:
    """Two worlds differ only in what Alice does not know after turns 1 and 2."""
    for _ in range(2):
        table.play(trio, alice, bob, carol)

    def answers() -> list[Any]:
        Analysis.objects.all().delete()
        analysis = made(asked(alice, trio))
        assert analysis.status == "done"
        page = read(alice).get(f"/games/{trio.pk}/analysis/")
        answer = api(alice).get(f"games/{trio.pk}/analysis")
        return [TOKEN.sub("", page.html), answer.body, analysis.review]

    before = answers()
    unlike = 0
    for number in (1, 2):
        record = record_of(trio, number)
        hands = []
        for hand in record.hands:
            if hand.robot != 1 and hand.program:
                hidden = [chip for chip in sorted(range(10, 850, 10)) if chip not in hand.chips["chips"]]
                hand = type(hand)(
                    robot=hand.robot,
                    chips={**hand.chips, "chips": hidden[: len(hand.chips["chips"])]},
                    aside=hand.aside,
                    redealt=7,
                    face_down=hand.face_down,
                    program=type(hand.program)(
                        orders={"registers": hidden[:5]},
                        by="deadline",
                        remark="",
                        submitted_at=hand.program.submitted_at,
                    ),
                )
                unlike += 1
            hands.append(hand)
        rekeep(trio, number, hands=tuple(hands))
    Game.objects.filter(pk=trio.pk).update(seed="another")
    assert unlike == 4
    assert answers() == before


@pytest.mark.parametrize(("changed", "by"), [(False, "sitter"), (True, "player")])
def test_orders_of_a_sitter_do_not_count_in_a_player_s_accuracy(
    over: Game, alice: User, dave: User, changed: bool, by: str
) -> None:
    """Dave ordered for Alice, and she may have changed the orders later."""
    program = record_of(over).hands[0].program
    assert program is not None
    ordered_at = program.submitted_at - timedelta(minutes=5 * changed)
    days = {"first": NOW.date(), "last": NOW.date(), "begins_at": NOW, "ends_at": later(days=1)}
    sitting = Sitting.objects.create(owner=alice, sitter=dave, asked_at=NOW, accepted_at=NOW, **days)
    orders = {"format": "orders/1", **program.orders}
    SitterTurn.objects.create(sitting=sitting, game=over, turn=1, orders=orders, ordered_at=ordered_at)
    analysis = made(asked(alice, over))
    assert analysis.review is not None
    totals = analysis.review["totals"]
    assert [figures["by"] for figures in analysis.review["turns"][-1]["figures"]] == [by, "player", "player"]
    assert totals["1"]["decisions"] == totals["2"]["decisions"] - (by == "sitter")


def test_a_hand_that_stayed_face_down_is_not_used(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    table.play(trio, alice, bob, carol)
    record = record_of(trio)
    setup = stored.setup_of(trio)
    first = record.hands[0]
    kept = {name: getattr(first, name) for name in ("robot", "chips", "aside", "redealt", "program")}
    rekeep(trio, hands=(type(first)(**kept, face_down=True), *record.hands[1:]))
    assert reviewing.played_in(setup, record_of(trio), [0]).hands == {}
    assert 0 in reviewing.played_in(setup, record_of(trio), None).hands
