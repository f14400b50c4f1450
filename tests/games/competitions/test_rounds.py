"""Tournaments from start to end, as the sweeper runs them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.competitions.models import Entrant, Round, Tournament
from games.competitions.selectors.results import history_of, lines_of
from games.competitions.services.rounds import draw_round, start_now
from games.competitions.services.scoring import rescore_tables
from games.competitions.services.tournaments import confirm_entry, join_tournament, leave_tournament
from games.errors import Conflict, Forbidden
from games.lobby.lists import games_to_take_over
from games.news.models import Notice
from games.news.services import judge
from games.people.contacts import block
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.staff.services import cancel_as_staff, replace_as_staff
from games.standings.services import apply_results
from games.votes.services import call_vote
from tests import cast
from tests.games.competitions.hosting import START, crowd, games_of, last_round, opened, play_round, step
from tests.games.standings.rated import concede_to, ended, finish, play_on
from tests.games.support import LANE, NOW, Board, Table, sweep, walled

pytestmark = pytest.mark.django_db


def places(tournament: Tournament) -> list[str]:
    return [each.user.robo_name for each in tournament.entrants.select_related("user").order_by("place")]


def test_its_host_starts_it_early_with_enough_entrants(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, least=2)
    with pytest.raises(Conflict, match="at least 2 entrants"):
        start_now(user=erin, tournament_id=cup.pk, now=NOW)
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Forbidden):
        start_now(user=alice, tournament_id=cup.pk, now=NOW)
    start_now(user=erin, tournament_id=cup.pk, now=NOW)
    cup.refresh_from_db()
    assert (cup.status, cup.starts_at) == ("running", NOW)
    (game,) = games_of(last_round(cup))
    assert {seat.user for seat in game.players.all()} == {alice, bob}
    assert {notice.user for notice in Notice.objects.filter(kind="round")} == {alice, bob}
    step(START)
    assert last_round(cup).number == 1
    with pytest.raises(Conflict, match="open to join"):
        start_now(user=erin, tournament_id=cup.pk, now=NOW)


def test_a_marathon_starts_at_its_time(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob, kind="marathon")
    with pytest.raises(Conflict, match="before its time"):
        start_now(user=erin, tournament_id=cup.pk, now=NOW)


def test_it_starts_automatically_and_seats_everyone(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob)
    sweep(START - timedelta(minutes=1))
    assert not Round.objects.exists()
    sweep(START)
    (game,) = games_of(last_round(cup))
    assert (game.status, game.rated, game.private) == (Game.Status.RUNNING, "yes", False)
    assert {seat.robo_name for seat in game.players.all()} == {"Alice", "Bob"}
    told = Notice.objects.filter(game=game, channel="mail")
    assert sorted((each.kind, judge(each, START).status) for each in told) == [
        *[("round", Notice.Status.PENDING)] * 2,
        *[("turn", Notice.Status.HELD)] * 2,
    ], "a round and its first turn are one email"
    sweep(START + timedelta(minutes=1))
    assert Round.objects.count() == 1


def test_a_round_follows_when_all_games_are_over_and_the_last_ends_the_tournament(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, rounds=2)
    step(START)
    for number in (1, 2):
        assert last_round(cup).number == number
        play_round(cup, [bob, alice], now=START + timedelta(days=number))
        step(START + timedelta(days=number))
    cup.refresh_from_db()
    assert (cup.status, places(cup)) == ("finished", ["Bob", "Alice"])
    assert Notice.objects.filter(kind="finished").count() == 3, "the host hears of it too"
    assert step(START + timedelta(days=9)) == 0


def test_a_swiss_system_pairs_by_points_and_never_repeats(table: Table, erin: User) -> None:
    people = crowd(8)
    cup = opened(table, erin, *people, rounds=3)
    for number in range(3):
        step(START + timedelta(days=number))
        play_round(cup, people, now=START + timedelta(days=number))
    step(START + timedelta(days=3))
    assert set(history_of(cup).met.values()) == {1}
    assert places(cup)[0] == "Robo1", "three wins"
    assert next(line.points for line in lines_of(cup)) == 3 * 840


def test_a_round_ends_on_time_while_its_games_continue(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, rounds=2)
    step(START)
    first = last_round(cup)
    (game,) = games_of(first)
    table.play(game, alice, bob)
    step(first.ends_at - timedelta(minutes=1))
    assert Round.objects.count() == 1
    step(first.ends_at)
    assert game.status == Game.Status.RUNNING
    assert [each.points for each in first.tables.get().places.all()] == [420, 420], "no one was ahead"
    assert last_round(cup).number == 2
    concede_to(game, bob, at=first.ends_at)
    step(first.ends_at + timedelta(hours=1))
    assert rescore_tables() == 0
    assert [each.points for each in first.tables.get().places.all()] == [420, 420], "too late to count"


def test_with_too_few_entrants_it_is_cancelled(table: Table, erin: User, alice: User) -> None:
    cup = opened(table, erin, alice)
    sweep(START)
    cup.refresh_from_db()
    assert (cup.status, Round.objects.count()) == ("cancelled", 0)


def test_a_knock_out_reaches_its_final(table: Table, erin: User) -> None:
    people = crowd(6)
    cup = opened(table, erin, *people, kind="knockout")
    for day in range(3):
        step(START + timedelta(days=day))
        assert last_round(cup).number == day + 1
        play_round(cup, people, now=START + timedelta(days=day))
    step(START + timedelta(days=3))
    cup.refresh_from_db()
    assert (cup.status, places(cup)[0]) == ("finished", "Robo1")
    sizes = [each.tables.count() for each in cup.all_rounds.order_by("number")]
    assert sizes == [4, 2, 1]


@pytest.mark.parametrize(("turns", "way"), [(0, resign_game), (0, give_up_seat), (1, resign_game)])
def test_a_player_who_resigns_at_once_is_knocked_out(
    turns: int, way: Callable[..., Game], table: Table, erin: User
) -> None:
    """The player with the higher rating resigns. A tie would knock out the other player."""
    people = crowd(4)
    cup = opened(table, erin, *people, kind="knockout")
    Entrant.objects.filter(user=people[0]).update(strength=1900)
    step(START)
    for game in games_of(last_round(cup)):
        play_on(game, turns=turns, now=START)
        if game.players.filter(user=people[0]).exists():
            way(user=people[0], game_id=game.pk, now=START)
            opponent = game.players.exclude(user=None).exclude(user=people[0]).get().user
    ends = last_round(cup).ends_at
    step(ends)
    for asked in Entrant.objects.filter(confirmed=False):
        confirm_entry(user=asked.user, tournament_id=cup.pk, now=ends)
    step(ends + timedelta(days=1))
    assert last_round(cup).number == 2
    final = set(last_round(cup).tables.values_list("places__entrant__user", flat=True))
    assert opponent and opponent.pk in final and people[0].pk not in final


def test_in_a_league_all_pairs_meet(table: Table, erin: User) -> None:
    people = crowd(5)
    cup = opened(table, erin, *people, kind="league", most=8)
    for day in range(5):
        step(START + timedelta(days=day))
        play_round(cup, people, now=START + timedelta(days=day))
    step(START + timedelta(days=5))
    assert set(history_of(cup).met.values()) == {1} and len(history_of(cup).met) == 10
    assert places(cup) == [f"Robo{number}" for number in range(1, 6)]


def test_a_marathon_counts_all_rated_games_of_its_month(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    run = opened(table, erin, alice, bob, kind="marathon", starships=[])
    step(START)
    run.refresh_from_db()
    assert run.status == "running" and run.ends_at
    join_tournament(user=carol, tournament_id=run.pk, now=START + timedelta(days=2))
    ended(table, bob, carol, alice, at=START + timedelta(days=1))
    ended(table, carol, alice, at=START - timedelta(hours=1))
    ended(table, bob, alice, at=run.ends_at - timedelta(hours=1))
    step(run.ends_at)
    run.refresh_from_db()
    assert run.status == "running", "games that ended in it were not rated yet"
    apply_results(now=run.ends_at)
    ended(table, carol, alice, at=run.ends_at + timedelta(hours=1))
    step(run.ends_at + timedelta(minutes=2))
    run.refresh_from_db()
    assert run.status == "finished" and places(run)[0] == "Bob"
    assert {line.points for line in lines_of(run)} == {1680, 210}


def test_a_squad_that_wins_scores_a_whole_point_in_a_marathon(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    run = opened(table, erin, alice, bob, carol, dave, kind="marathon", ruleset="", starships=[])
    step(START)
    finish("robo-recon", (alice, bob), (carol, dave), at=START + timedelta(days=1), left=[bob])
    assert {line.key: line.points for line in lines_of(run)} == {
        entrant.pk: 840 * (entrant.user == alice) for entrant in run.entrants.all()
    }


def test_a_player_who_missed_turns_confirms_or_sits_out(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, dave, rounds=3)
    step(START)
    for game in games_of(last_round(cup)):
        game.players.filter(user__in=(bob, carol)).update(excused=1)
    play_round(cup, [alice, bob, carol, dave], now=START)
    step(START + timedelta(hours=1))
    assert last_round(cup).number == 1
    assert Notice.objects.filter(kind="confirm").count() == 2
    confirm_entry(user=bob, tournament_id=cup.pk, now=START + timedelta(hours=2))
    step(START + timedelta(hours=24))
    assert last_round(cup).number == 1
    step(START + timedelta(hours=25))
    second = last_round(cup)
    assert second.number == 2
    there = set(second.tables.values_list("places__entrant__user__robo_name", flat=True))
    assert there == {"Alice", "Bob", "Dave"}


@pytest.mark.parametrize("kind", ["swiss", "league", "knockout"])
def test_a_table_never_has_more_players_than_its_ship_seats(kind: str, erin: User, db: None) -> None:
    """Five players get two tables, since the ship has only four start cells."""
    table = Table(Board("Four", walled("a1 a2 a3 a4 . . . .+i1")).saved())
    cup = opened(table, erin, *crowd(5), kind=kind, size=4, ruleset="group-11", most=8)
    step(START)
    assert sorted(game.seats for game in games_of(last_round(cup))) == [2, 3]


def test_a_player_who_leaves_keeps_their_results_and_is_not_paired(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, rounds=3)
    step(START)
    play_round(cup, [carol, alice, bob], now=START)
    leave_tournament(user=carol, tournament_id=cup.pk, now=START)
    step(START + timedelta(days=1))
    (game,) = games_of(last_round(cup))
    assert {seat.robo_name for seat in game.players.all()} == {"Alice", "Bob"}
    assert len(lines_of(cup)) == 3


@pytest.mark.parametrize("when", ["open", "running", "finished"])
def test_a_deleted_account_is_not_paired_and_tables_stay_correct(
    when: str, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, rounds=1 if when == "finished" else 2)
    if when != "open":
        step(START)
    if when == "finished":
        play_round(cup, [alice, bob, carol], now=START)
        step(START + timedelta(days=1))
    before = lines_of(cup)
    delete_account(user=alice, now=START + timedelta(days=1))
    step(START + timedelta(days=40))
    for asked in cup.entrants.filter(confirmed=False, left_at=None):
        confirm_entry(user=asked.user, tournament_id=cup.pk, now=START + timedelta(days=40))
    step(START + timedelta(days=40))
    cup.refresh_from_db()
    assert cup.entrants.count() == (2 if when == "open" else 3)
    if when != "finished":
        seated = last_round(cup).tables.values_list("places__entrant__user", flat=True)
        assert alice.pk not in set(seated)
    else:
        assert lines_of(cup) == before


def test_a_departed_host_leaves_the_tournament_to_staff(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob)
    Tournament.objects.update(host=alice)
    delete_account(user=alice, now=NOW)
    join_tournament(user=erin, tournament_id=cup.pk, now=NOW)
    step(START)
    assert last_round(cup).tables.count() == 1


def test_blocks_do_not_affect_pairing(table: Table, erin: User, alice: User, bob: User) -> None:
    block(user=alice, robo_name="Bob", now=NOW)
    cup = opened(table, erin, alice, bob)
    step(START)
    assert len(games_of(last_round(cup))) == 1


def test_players_cannot_change_the_rules_of_a_table(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    with pytest.raises(Conflict, match="have no votes"):
        call_vote(user=alice, game_id=game.pk, kind="pause", days=3, now=START)
    seat = game.players.get(user=bob)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="He is away.", now=START)
    carol = cast.carol()
    assert not games_to_take_over(viewer=carol).exists()
    with pytest.raises(Forbidden, match="cannot take over seats in tournament or ladder games"):
        take_seat(user=carol, game_id=game.pk, seat=seat.number, now=START)


def test_a_stuck_tournament_blocks_no_other(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    stuck = opened(table, erin, alice, bob)
    well = opened(table, erin, carol, dave, name="Spring Cup")
    Tournament.objects.filter(pk=stuck.pk).update(ruleset="a-ruleset-that-is-gone")
    sweep(START)
    assert list(Round.objects.values_list("tournament", flat=True)) == [well.pk]
    stuck.refresh_from_db()
    assert stuck.status == "open", "it is tried again when staff have mended it"


def test_banned_starships_are_not_played(table: Table, erin: User, alice: User, bob: User) -> None:
    lane = LANE.saved()
    cup = opened(table, erin, starships=[table.starship.pk, lane.pk], ship_choice="banned", rounds=1)
    join_tournament(user=alice, tournament_id=cup.pk, banned=table.starship.pk, now=NOW)
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    step(START)
    (game,) = games_of(last_round(cup))
    assert game.revision and game.revision.starship_id == lane.pk


def test_a_host_rules_out_sitters_in_all_games(table: Table, erin: User, alice: User, bob: User) -> None:
    cups = [opened(table, erin, alice, bob, sitters=allowed) for allowed in (True, False)]
    step(START)
    assert [game.sitters for cup in cups for game in games_of(last_round(cup))] == [True, False]


def test_a_cancelled_game_of_a_table_counts_as_it_stood(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, rounds=1)
    step(START)
    (game,) = games_of(last_round(cup))
    cancel_as_staff(user=erin, game_id=game.pk, reason="It is broken.", now=START)
    step(START + timedelta(days=1))
    assert set(last_round(cup).tables.get().places.values_list("points", flat=True)) == {420}


def test_tables_rescored_from_the_logs_are_the_same(table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, rounds=2)
    for day in range(2):
        step(START + timedelta(days=day))
        play_round(cup, people, now=START + timedelta(days=day))
    step(START + timedelta(days=2))
    before = _rows(cup)
    for place in last_round(cup).tables.all()[0].places.all():
        place.rank, place.points = 1, 1
        place.save()
    assert rescore_tables() == 1
    assert _rows(cup) == before


def _rows(cup: Tournament) -> list[Any]:
    return [(line.key, line.place, line.points, line.strength, line.firsts) for line in lines_of(cup)]


@pytest.mark.parametrize(("number", "way"), [(16, "plane"), (12, "everybody"), (32, "points")])
def test_small_fields_follow_a_schedule_until_a_player_leaves(
    table: Table, erin: User, number: int, way: str
) -> None:
    cup = opened(table, erin, size=4, rounds=5, most=64)
    for person in crowd(number):
        cup.entrants.create(user=person, joined_at=NOW, strength=1500)
    everyone = set(cup.entrants.values_list("pk", flat=True))
    draw = draw_round(cup, history_of(cup), number=1, active=everyone)
    assert (draw.way, draw.repeats) == (way, 0)
    assert sorted(key for keys in draw.tables for key in keys) == sorted(everyone)
    left = everyone - {min(everyone)}
    assert draw_round(cup, history_of(cup), number=1, active=left).way == "points"
