"""Records of games: statistics of robots, and achievements of players."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from unittest.mock import patch

import pytest
from django.db import transaction

import rules
from accounts.models import User
from games.people.models import Achievement, Tally
from games.people.services.records import counts_of, lock_and_sum, mark_seen, record_turn
from games.play import resolution, stored
from games.play.models import Game, Seat, Turn
from games.play.resolution import resolve_turn
from games.play.stored import each_played
from games.staff.services import cancel_as_staff
from roborunner.postgres.queries import Pipeline
from rules import events as ev
from rules.statistics import count
from tests.games.support import NOW, Table, later, open_turn
from tests.games.together import hold, meanwhile, wait_for_waiter

Event = rules.Event
END = ev.Over(5, "first finisher", 0, "finished")


def repaired(amount: int, robot: int = 0) -> Event:
    return ev.Repair(6, "repair", robot, amount, "depot")


def hurt(amount: int, robot: int = 0, source: int | None = None) -> Event:
    return ev.Damage(1, "lasers", robot, amount, "laser" if source is not None else "board-laser", source)


def destroyed(robot: int = 0) -> Event:
    return ev.Destroyed(1, "chips", robot, 0, "shaft")


def record(game: Game, *events: Event, minutes: int = 0) -> None:
    """Record statistics as if the given events had happened in the open turn."""
    turn = open_turn(game)
    state = stored.start_of(turn, stored.ship_of(game))
    with transaction.atomic():
        _record(game, turn, state, events, later(minutes=minutes))


def _record(game: Game, turn: Turn, state: rules.State, events: Sequence[Event], now: datetime) -> None:
    pipeline = Pipeline()
    sums = lock_and_sum(game=game, turn=turn, pipeline=pipeline)
    pipeline.send()
    record_turn(
        game=game, turn=turn, state_before=state, events=events, sums=sums, pipeline=pipeline, now=now
    )
    pipeline.send()


def earned(user: User) -> list[str]:
    return list(user.achievements.order_by("pk").values_list("key", flat=True))


def tally(game: Game, seat: int = 1) -> dict[str, int]:
    return {
        name: value
        for name, value in counts_of(Tally.objects.get(seat__game=game, seat__number=seat)).items()
        if value
    }


def with_a_computer(game: Game) -> None:
    game.players.filter(number=2).update(user=None, computer="pilot", name="Pilot Rivet", ready=True)


def test_a_resolved_turn_is_counted_for_every_seat(table: Table, duel: Game, alice: User, bob: User) -> None:
    for _ in range(4):
        table.play(duel, alice, bob)
    for seat in duel.players.all():
        total = dict.fromkeys(counts_of(Tally()), 0)
        for turn, played in each_played(duel.turns.filter(status=Turn.Status.RESOLVED)):
            ship = stored.ship_of(duel)
            state = stored.start_of(turn, ship)
            events = stored.events_in(played, ship, state)
            for counter, number in count(state, events)[seat.number - 1].items():
                total[counter] += number
        assert counts_of(seat.tally) == total
        assert total["forward"] > 0


def test_the_choice_of_headings_is_not_counted(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    assert tally(duel, 1) == tally(duel, 2) == {}


def test_turns_of_a_game_are_added_up(duel: Game) -> None:
    record(duel, repaired(2), hurt(3, 1, source=0))
    record(duel, repaired(1), destroyed(1))
    assert tally(duel, 1) == {"repaired": 3, "damage_dealt": 3}
    assert tally(duel, 2) == {"damage_taken": 3, "deaths": 1}
    assert Tally.objects.count() == 2


def test_a_failed_turn_leaves_no_records(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.move(duel, alice, bob)
    with patch.object(resolution, "open_turn", side_effect=ValueError), pytest.raises(ValueError):
        resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    assert not Tally.objects.exists()
    assert not Achievement.objects.exists()


def test_an_achievement_is_earned_in_the_turn_that_completes_it(duel: Game, alice: User) -> None:
    record(duel, hurt(4), minutes=1)
    assert earned(alice) == []
    record(duel, hurt(1), minutes=2)
    assert earned(alice) == ["damage-taken-5"]
    (achievement,) = alice.achievements.all()
    assert (achievement.game, achievement.turn) == (duel, open_turn(duel).number)
    assert (achievement.earned_at, achievement.seen_at) == (later(minutes=2), None)


def test_it_is_earned_once(duel: Game, alice: User) -> None:
    record(duel, repaired(1), minutes=1)
    record(duel, repaired(1), minutes=2)
    assert list(alice.achievements.values_list("key", "earned_at")) == [("repaired-1", later(minutes=1))]


def test_simultaneous_achievements_have_a_fixed_order(duel: Game, alice: User) -> None:
    record(duel, repaired(20), hurt(20, 0))
    assert earned(alice) == [
        *("damage-taken-5", "damage-taken-20"),
        *("repaired-1", "repaired-5", "repaired-20"),
    ]


def test_progress_adds_up_over_all_games(table: Table, alice: User, bob: User, carol: User) -> None:
    games = table.game(alice, bob), table.game(carol, alice)
    record(games[0], repaired(3))
    record(games[1], repaired(2, robot=1), repaired(4, robot=0))
    assert earned(alice) == ["repaired-1", "repaired-5"]
    assert earned(carol) == ["repaired-1"]
    assert alice.achievements.get(key="repaired-5").game == games[1]


def test_solo_missions_and_games_with_computers_count(table: Table, alice: User, bob: User) -> None:
    record(table.game(alice), repaired(1))
    assert earned(alice) == ["repaired-1"]
    game = table.game(alice, bob)
    with_a_computer(game)
    record(game, repaired(4))
    assert earned(alice) == ["repaired-1", "repaired-5"]


def test_computers_are_counted_but_earn_nothing(duel: Game) -> None:
    with_a_computer(duel)
    record(duel, repaired(5, robot=1), END)
    assert tally(duel, 2) == {"repaired": 5}
    assert not Achievement.objects.filter(key__startswith="repaired").exists()
    assert Achievement.objects.values("user").distinct().count() == 1


@pytest.mark.parametrize(
    ("events", "keys"),
    [
        ((), {"no-damage", "no-deaths", "no-damage-dealt"}),
        ((hurt(1),), {"no-deaths", "no-damage-dealt"}),
        ((destroyed(),), {"no-damage", "no-damage-dealt"}),
        ((hurt(1, 1, source=0),), {"no-damage", "no-deaths"}),
    ],
)
def test_achievements_for_avoiding_something_are_earned_at_the_end_of_a_game(
    duel: Game, alice: User, events: Iterable[Event], keys: set[str]
) -> None:
    of_one_game = alice.achievements.filter(key__startswith="no-")
    record(duel, *events)
    assert not of_one_game.exists()
    record(duel, END)
    assert set(of_one_game.values_list("key", flat=True)) == keys


def test_achievements_within_one_game_ignore_other_games(table: Table, alice: User, bob: User) -> None:
    record(table.game(alice, bob), hurt(9), destroyed())
    record(table.game(alice, bob), END)
    assert {"no-damage", "no-deaths"} <= set(earned(alice))


def test_an_achievement_within_one_game_is_earned_once(table: Table, alice: User, bob: User) -> None:
    first, second = table.game(alice, bob), table.game(alice, bob)
    record(first, END, minutes=1)
    record(second, repaired(1), END, minutes=2)
    assert set(earned(alice)) == {"no-damage", "no-deaths", "no-damage-dealt", "repaired-1"}
    assert alice.achievements.get(key="no-deaths").game == first


def test_a_game_that_ends_without_staff_grants_the_achievements_of_its_log(
    solo_loss: Game, alice: User
) -> None:
    """Alice's robot drove off the board in the first turn."""
    assert set(earned(alice)) >= {"deaths-1", "no-damage", "no-damage-dealt"}
    assert "no-deaths" not in earned(alice)
    last = solo_loss.turns.order_by("-number")[0]
    assert alice.achievements.get(key="no-damage").turn == last.number


def test_a_game_cancelled_by_staff_grants_nothing_more(duel: Game, erin: User, alice: User) -> None:
    record(duel, repaired(1))
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert earned(alice) == ["repaired-1"]


def test_a_seen_achievement_keeps_its_first_time(duel: Game, alice: User, bob: User) -> None:
    record(duel, repaired(5), repaired(1, robot=1))
    assert mark_seen(user=alice, keys=["repaired-1", "nonsense"], now=later(minutes=1)) == 1
    assert mark_seen(user=alice, now=later(minutes=2)) == 1
    assert mark_seen(user=alice, now=later(minutes=3)) == 0
    seen = dict(alice.achievements.values_list("key", "seen_at"))
    assert seen == {"repaired-1": later(minutes=1), "repaired-5": later(minutes=2)}
    assert bob.achievements.get().seen_at is None


def test_recording_takes_few_queries_for_any_turn(
    table: Table, alice: User, bob: User, carol: User, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    """The queries read seats, people with their sums, and tallies, and write achievements."""
    games = [table.game(alice, bob, carol) for _ in range(3)]
    for game in games:
        turn = open_turn(game)
        state = stored.start_of(turn, stored.ship_of(game))
        with transaction.atomic(), django_assert_max_num_queries(3):
            events = [*(repaired(game.pk % 3 + 5, robot) for robot in range(3)), hurt(20 * game.pk)]
            _record(game, turn, state, events, NOW)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_turns_of_two_games_complete_an_achievement_together(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    """The later turn waits for the earlier turn, and then adds to its counts."""
    games = table.game(alice, bob), table.game(alice, carol)
    with hold() as first:
        first.execute("SELECT 1 FROM accounts_user WHERE id = %s FOR NO KEY UPDATE", alice.pk)
        record_second = meanwhile(partial(record, games[1], repaired(3)))
        wait_for_waiter(first.backend)
        seat = Seat.objects.get(game=games[0], user=alice)
        Tally.objects.create(game_id=seat.game_id, seat=seat, repaired=2)
        assert earned(alice) == []
    record_second.result(timeout=60)
    assert earned(alice) == ["repaired-5"]
