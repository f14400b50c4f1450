"""Tournaments that lose players, starships, logs, or the club that hosts them."""

from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games.clubs.services import close_club, create_club, join_club
from games.competitions.models import Entrant, Round, Tournament
from games.competitions.selectors.results import history_of, lines_of
from games.competitions.services.scoring import UNREADABLE_JOB, score_unreadable
from games.competitions.services.tournaments import (
    confirm_entry,
    create_tournament,
    join_tournament,
    leave_tournament,
    open_tournament,
)
from games.errors import Conflict, Forbidden
from games.fleet.models import Starship
from games.moderation.models import Case, Sanction
from games.news.models import Notice
from games.play.models import Game, Turn
from games.standings.services import apply_results
from games.work import jobs
from games.work.models import Alarm
from tests import cast
from tests.games.competitions.hosting import (
    START,
    crowd,
    games_of,
    last_round,
    opened,
    play_round,
    step,
    terms,
)
from tests.games.standings.rated import concede_to, ended
from tests.games.support import NOW, Board, Table, sweep, walled

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def places(tournament: Tournament) -> list[str]:
    return [each.user.robo_name for each in tournament.entrants.select_related("user").order_by("place")]


def seated(made: Round) -> set[str]:
    return set(made.tables.values_list("places__entrant__user__robo_name", flat=True))


def sanction(person: User, kind: str, *, at: datetime = NOW) -> None:
    """Store a sanction of a player, without any effect on running tournaments."""
    erin = User.objects.get(robo_name="Erin")
    case = Case.objects.create(person=person, opened_at=at)
    lasting = {"at": at, "days": 90, "ends_at": at + 90 * DAY}
    Sanction.objects.create(
        case=case, user=person, kind=kind, rule="polite", facts="Facts.", by=erin, **lasting
    )


def run_to_the_end(cup: Tournament, order: list[User]) -> Tournament:
    for day in range(1, 12):
        play_round(cup, order, now=START + day * DAY)
        step(START + day * DAY)
        cup.refresh_from_db()
        if cup.ended_at:
            return cup
    raise AssertionError("it does not end")


@pytest.mark.parametrize("seed", ["a", "b"])
def test_the_remaining_finalist_wins_by_walkover(seed: str, table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, kind="knockout", seed=seed)
    step(START)
    play_round(cup, people, now=START)
    leave_tournament(user=people[0], tournament_id=cup.pk, now=START)
    step(START + DAY)
    step(START + DAY)
    cup.refresh_from_db()
    assert (cup.status, places(cup)[0]) == ("finished", "Robo2" if _met(cup, people) else "Robo3")
    assert last_round(cup).tables.get().size == 1


def _met(cup: Tournament, people: list[User]) -> bool:
    """Return whether the first two players sat at different tables in round 1."""
    first = cup.all_rounds.get(number=1)
    return (
        not first.tables.filter(places__entrant__user=people[0])
        .filter(places__entrant__user=people[1])
        .exists()
    )


def test_a_finalist_who_leaves_during_the_final_does_not_win_it(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, kind="knockout")
    step(START)
    (final,) = games_of(last_round(cup))
    leave_tournament(user=alice, tournament_id=cup.pk, now=START)
    concede_to(final, alice, at=START)
    step(START + DAY)
    assert places(cup) == ["Bob", "Alice"]


def test_of_equals_at_a_table_the_one_who_stayed_advances(table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, kind="knockout")
    Entrant.objects.filter(user=people[0]).update(strength=3000)
    step(START)
    first = last_round(cup)
    leave_tournament(user=people[0], tournament_id=cup.pk, now=START)
    opponent = first.tables.get(places__entrant__user=people[0]).places.exclude(entrant__user=people[0])
    stayed = opponent.get().entrant
    step(first.ends_at)
    Entrant.objects.update(confirmed=True)
    step(first.ends_at + DAY)
    assert last_round(cup).number == 2 and stayed.user.robo_name in seated(last_round(cup))


@pytest.mark.parametrize("kind", ["bar", "suspension"])
def test_barred_and_suspended_players_do_not_start(
    kind: str, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol)
    sanction(alice, kind)
    step(START)
    assert seated(last_round(cup)) == {"Bob", "Carol"}
    assert cup.entrants.count() == 2


def test_a_barred_host_does_not_open_a_draft(table: Table, erin: User) -> None:
    cup = create_tournament(user=erin, terms=terms(table), now=NOW)
    sanction(erin, "bar")
    with pytest.raises(Forbidden, match="You can’t enter tournaments"):
        open_tournament(user=erin, tournament_id=cup.pk, now=NOW)


def test_a_player_barred_during_the_tournament_does_not_win(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, dave, kind="league", most=4)
    step(START)
    sanction(alice, "bar", at=START)
    run_to_the_end(cup, [alice, bob, carol, dave])
    assert places(cup)[0] != "Alice"
    assert cup.entrants.get(user=alice).left_at
    rounds = cup.all_rounds.filter(tables__places__entrant__user=alice)
    assert rounds.count() == 1, "a player who is out is not paired"


def test_a_player_barred_in_the_last_round_does_not_win(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, rounds=1)
    step(START)
    play_round(cup, [alice], now=START)
    sanction(alice, "suspension", at=START)
    step(START + DAY)
    assert places(cup) == ["Bob", "Alice"]


def test_a_player_who_left_a_marathon_stops_scoring(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    run = opened(table, erin, alice, bob, kind="marathon", starships=[])
    step(START)
    ended(table, alice, carol, at=START + DAY)
    leave_tournament(user=alice, tournament_id=run.pk, now=START + 2 * DAY)
    ended(table, alice, carol, at=START + 3 * DAY)
    apply_results(now=START + 3 * DAY)
    points = {line.key: line.points for line in lines_of(run)}
    assert points[run.entrants.get(user=alice).pk] == 840
    run.refresh_from_db()
    step(run.ends_at + DAY)
    assert places(run) == ["Bob", "Alice"], "a player who left does not win"


def test_a_cup_continues_with_the_fleet_if_all_its_starships_are_taken_down(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    Starship.objects.update(taken_down_at=START)
    other = Board("Other", walled("a a a a . . . .+i1")).saved()
    play_round(cup, [alice], now=START)
    step(START + DAY)
    (game,) = games_of(last_round(cup))
    assert last_round(cup).number == 2
    assert game.revision and game.revision.starship == other
    assert not Alarm.objects.exists()


def test_a_retired_starship_does_not_change_a_league_s_schedule(erin: User, db: None) -> None:
    """Five players do not fit on the small ship.

    A new schedule that leaves the retired ship out would have other tables.
    """
    wide = Table(Board("Wide", walled("a1 a2 a3 a4 a5 a6 . .+i1")).saved())
    small = Board("Small", walled("a1 a2 a3 a4 . . . .+i1")).saved()
    people = crowd(5)
    starships = [wide.starship.pk, small.pk]
    asked = {"kind": "league", "size": 4, "ruleset": "group-11", "most": 8, "starships": starships}
    cup = opened(wide, erin, *people, **asked)  # type: ignore[arg-type]
    step(START)
    cup.refresh_from_db()
    schedule = cup.schedule
    assert schedule and cup.rounds == len(schedule["rounds"]) > 1
    Starship.objects.filter(pk=small.pk).update(retired=True)
    run_to_the_end(cup, people)
    assert (cup.status, cup.schedule) == ("finished", schedule)
    assert cup.all_rounds.count() == len(schedule["rounds"])
    for made in cup.all_rounds.all():
        assert _tables(made) == [set(each) for each in schedule["rounds"][made.number - 1]]


def _tables(made: Round) -> list[set[int]]:
    return [set(each.places.values_list("entrant", flat=True)) for each in made.tables.order_by("number")]


def test_a_table_with_an_unreadable_log_delays_no_other(table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, rounds=2)
    step(START)
    bad, good = games_of(last_round(cup))
    table.play(bad, *User.objects.filter(seats__game=bad))
    turn = bad.turns.filter(status=Turn.Status.RESOLVED).latest("number")
    record = turn.record
    concede_to(bad, _player(bad), at=START)
    concede_to(good, _player(good), at=START)
    Turn.objects.filter(pk=turn.pk).update(record=b"no document")
    first = last_round(cup)
    step(START)
    assert first.tables.filter(scored_at=None).count() == 1, "it is tried again until the round ends"
    step(first.ends_at)
    assert last_round(cup).number == 2
    scored = first.tables.get(link__game=bad)
    assert sorted(scored.places.values_list("rank", flat=True)) == [1, 2], "its winner is known"
    alarm = Alarm.objects.get(job=UNREADABLE_JOB, row=scored.pk)
    assert alarm.closed_at is None and alarm.game == bad
    later = first.ends_at + timedelta(hours=1)
    score_unreadable(now=later)
    alarm.refresh_from_db()
    assert alarm.closed_at is None and alarm.attempts == 2
    Turn.objects.filter(pk=turn.pk).update(record=record)
    jobs.try_again(user=erin, alarm_id=alarm.pk, now=later)
    sweep(later)
    alarm.refresh_from_db()
    assert alarm.closed_at == later


def _player(game: Game) -> User:
    seat = game.players.select_related("user").order_by("number")[0]
    assert seat.user
    return seat.user


def test_a_late_entrant_does_not_reshuffle_the_schedule(table: Table, erin: User) -> None:
    people = crowd(16)
    cup = opened(table, erin, *people[:15], size=4, rounds=5)
    step(START)
    first = last_round(cup)
    join_tournament(user=people[15], tournament_id=cup.pk, now=START)
    for day in range(1, 5):
        play_round(cup, people, now=START + day * DAY)
        step(START + day * DAY)
        assert last_round(cup).pairing == {"format": "pairing/1", "way": "plane", "repeats": 0}
    assert first.pairing["way"] == "plane" and last_round(cup).number == 5
    assert set(history_of(cup).met.values()) == {1}


def test_with_too_many_late_entrants_points_decide_the_pairing(table: Table, erin: User) -> None:
    people = crowd(6)
    cup = opened(table, erin, *people[:4], rounds=3)
    step(START)
    for late in people[4:]:
        join_tournament(user=late, tournament_id=cup.pk, now=START)
    play_round(cup, people, now=START)
    step(START + DAY)
    assert last_round(cup).pairing["way"] == "points"


@pytest.mark.parametrize(("rounds", "last"), [(2, 0), (4, 1), (5, 2)])
def test_players_can_enter_until_half_of_the_rounds_have_started(
    rounds: int, last: int, table: Table, erin: User
) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, rounds=rounds)
    late = [cast.alice(), cast.bob(), cast.carol()]
    for begun in range(1, 4):
        step(START + begun * DAY)
        assert last_round(cup).number == begun
        if begun <= last:
            join_tournament(user=late[begun], tournament_id=cup.pk, now=START + begun * DAY)
        else:
            with pytest.raises(Conflict, match="too late to enter"):
                join_tournament(user=late[0], tournament_id=cup.pk, now=START + begun * DAY)
            break
        play_round(cup, people + late, now=START + begun * DAY)


def test_eliminated_players_are_not_asked_and_delay_no_one(table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, kind="knockout")
    step(START)
    first = last_round(cup)
    for game in games_of(first):
        game.players.update(excused=1)
    play_round(cup, people, now=START)
    step(START)
    assert Notice.objects.filter(kind="confirm").count() == 2
    won = [each for each in people if cup.entrants.filter(user=each, places__rank=1).exists()]
    for winner in won:
        confirm_entry(user=winner, tournament_id=cup.pk, now=START + timedelta(hours=1))
    step(START + timedelta(hours=1))
    assert last_round(cup).number == 2
    assert seated(last_round(cup)) == {each.robo_name for each in won}


def test_players_who_left_delay_no_one(table: Table, erin: User, alice: User, bob: User) -> None:
    carol = cast.carol()
    cup = opened(table, erin, alice, bob, carol, rounds=2)
    step(START)
    Entrant.objects.filter(user=carol).update(confirmed=False, left_at=START)
    play_round(cup, [alice, bob, carol], now=START)
    step(START)
    assert last_round(cup).number == 2


def test_the_open_tournament_of_a_closed_club_is_cancelled(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    create_club(user=alice, name="Night Shift", now=NOW)
    join_club(user=bob, slug="night-shift", now=NOW)
    cup = opened(table, erin, alice, bob, club="night-shift")
    close_club(user=alice, slug="night-shift", now=NOW)
    with pytest.raises(Forbidden, match="was closed"):
        join_tournament(user=cast.dave(), tournament_id=cup.pk, now=NOW)
    sweep(NOW + timedelta(minutes=1))
    cup.refresh_from_db()
    assert cup.status == "cancelled"


def test_the_running_tournament_of_a_closed_club_stays_with_its_entrants(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    create_club(user=alice, name="Night Shift", now=NOW)
    join_club(user=bob, slug="night-shift", now=NOW)
    cup = opened(table, erin, alice, bob, club="night-shift", rounds=3)
    step(START)
    close_club(user=alice, slug="night-shift", now=NOW)
    with pytest.raises(Forbidden, match="was closed"):
        join_tournament(user=cast.dave(), tournament_id=cup.pk, now=START)
    run_to_the_end(cup, [alice, bob])
    assert (cup.status, places(cup)) == ("finished", ["Alice", "Bob"])


def test_the_draft_of_a_closed_club_cannot_be_opened(table: Table, alice: User, erin: User) -> None:
    create_club(user=alice, name="Night Shift", now=NOW)
    made = create_tournament(user=alice, terms=terms(table, club="night-shift"), now=NOW)
    close_club(user=alice, slug="night-shift", now=NOW)
    with pytest.raises(Conflict, match="Edit or delete the draft"):
        open_tournament(user=alice, tournament_id=made.pk, now=NOW)
