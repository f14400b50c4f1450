"""Seasons: divisions, promotion and relegation, and computers on empty seats."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from accounts.models import User
from games.competitions.formats import Candidate, divide, next_quarter, round_days
from games.competitions.models import Division, Entrant, Round, Season, Tournament
from games.competitions.selectors.results import history_of, lines_of
from games.competitions.selectors.seasons import SeasonView, season_view, seasons
from games.competitions.services.rounds import advance
from games.competitions.services.scoring import score_table
from games.competitions.services.seasons import (
    advance_season,
    advance_seasons,
    join_season,
    leave_season,
    open_seasons,
)
from games.competitions.services.tournaments import cancel_tournament, leave_tournament
from games.errors import Conflict, NotFound
from games.people.services.deletion import delete_account
from games.play.models import Game
from tests import cast
from tests.games.api_client import Api
from tests.games.competitions.hosting import crowd, games_of, last_round, play_round, step
from tests.games.dying import dies_at_each_statement
from tests.games.reader import ReaderOf, reader
from tests.games.standings.rated import concede_to
from tests.games.support import HALL, NOW, Table
from tests.games.together import together

KEY = "robo-runner"


@pytest.fixture
def season(table: Table) -> Season:
    open_seasons(now=NOW)
    return Season.objects.get(ruleset=KEY)


def join(season: Season, *users: User) -> None:
    for user in users:
        join_season(user=user, season_id=season.pk, now=NOW)


def started(season: Season, *users: User) -> list[Tournament]:
    """Start a season with the given players. Return the tournaments of its divisions, in round 1."""
    join(season, *users)
    advance_seasons(now=season.starts_at)
    step(season.starts_at)
    return [each.tournament for each in season.divisions.select_related("tournament")]


def test_each_ruleset_has_one_season_a_quarter(season: Season) -> None:
    quarter = datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC)
    assert (season.starts_at, season.ends_at) == quarter
    assert open_seasons(now=NOW) == 0
    assert not Season.objects.filter(ruleset="robo-recon").exists()
    assert {each["status"] for each in seasons(viewer=None)} == {"open"}


def test_the_last_round_starts_four_weeks_before_the_end() -> None:
    for month in (1, 4, 7, 10):
        starts_at = next_quarter(datetime(2027, month, 15, tzinfo=UTC))
        ends_at = next_quarter(starts_at)
        last = starts_at + 4 * timedelta(days=round_days(starts_at, ends_at))
        assert timedelta(days=28) <= ends_at - last < timedelta(days=32)


def test_a_season_works_with_ten_players(season: Season) -> None:
    people = crowd(10)
    (division,) = started(season, *people)
    first = last_round(division)
    strengths = Counter(
        seat.computer for game in games_of(first) for seat in game.players.all() if seat.computer
    )
    assert sum(strengths.values()) == 4 * first.tables.count() - 10
    assert all(game.seats == 4 and game.rated == "yes" for game in games_of(first))
    days = round_days(season.starts_at, season.ends_at)
    assert first.ends_at == season.starts_at + timedelta(days=days)
    levels: set[str] = set(strengths)
    for number in range(1, 6):
        assert last_round(division).number == number
        now = season.starts_at + timedelta(days=days * (number - 1))
        levels |= {
            seat.computer
            for game in games_of(last_round(division))
            for seat in game.players.all()
            if seat.computer
        }
        play_round(division, people, now=now)
        step(now + timedelta(days=1))
        if number < 5:
            assert last_round(division).number == number, "the next round waits for its day"
            step(now + timedelta(days=days))
    assert levels == {"rookie", "pilot", "ace"}
    met = history_of(division).met
    assert len(met) == 45 and set(met.values()) == {1}
    advance_seasons(now=season.ends_at)
    season.refresh_from_db()
    assert season.status == "finished" and season.closed_at
    (shown,) = shown_to(None, season)["divisions"]
    assert shown["table"][0]["robo_name"] == "Robo1"
    assert len(shown["table"]) == 10


def test_an_outage_at_the_start_costs_no_round(season: Season) -> None:
    join(season, *crowd(5))
    late = season.starts_at + timedelta(days=40)
    advance_seasons(now=late)
    step(late)
    (division,) = [each.tournament for each in season.divisions.all()]
    assert last_round(division).ends_at == late + timedelta(days=10)


def test_a_player_who_left_is_replaced_by_a_computer(season: Season) -> None:
    people = crowd(16)
    (division,) = started(season, *people)
    play_round(division, people, now=season.starts_at)
    leave_tournament(user=people[0], tournament_id=division.pk, now=season.starts_at)
    step(season.starts_at + timedelta(days=20))
    seated = [seat for game in games_of(last_round(division)) for seat in game.players.all()]
    assert len(seated) == 16 and sum(bool(seat.computer) for seat in seated) == 1


def test_four_are_promoted_and_four_relegated() -> None:
    before = [
        Candidate(100 * division + place, division, place, 16)
        for division in (1, 2, 3)
        for place in range(1, 17)
    ]
    first, second, third = divide(before, lowest=3)
    assert first == [*range(101, 113), *range(201, 205)]
    assert second == [*range(113, 117), *range(205, 213), *range(301, 305)]
    assert third == [*range(213, 217), *range(305, 317)]


def test_newcomers_start_in_lower_divisions_by_their_placement_games() -> None:
    newcomers = [Candidate(1), Candidate(2, rating=1600, games=5), Candidate(3, rating=1900, games=4)]
    newcomers.append(Candidate(4, rating=1700, games=9))
    old = [Candidate(10 + place, 1, place, 5) for place in range(1, 6)]
    assert divide([*newcomers, *old], lowest=1) == [[11, 12, 13, 14, 15, 4, 2, 1, 3]]


def test_a_second_season_follows_from_the_first(season: Season) -> None:
    people = crowd(18)
    upper, lower = started(season, *people)
    assert (upper.entrants.count(), lower.entrants.count()) == (16, 2)
    for cup in (upper, lower):
        for place, entrant in enumerate(cup.entrants.order_by("pk"), 1):
            entrant.place = place
            entrant.save()
        Tournament.objects.filter(pk=cup.pk).update(status="finished", ended_at=NOW, due_at=None)
    advance_seasons(now=season.starts_at + timedelta(days=1))
    following = Season.objects.get(ruleset=KEY, starts_at=season.ends_at)
    join(following, *reversed(people))
    advance_seasons(now=following.starts_at)
    top = Division.objects.get(season=following, number=1).tournament
    names = set(top.entrants.values_list("user__robo_name", flat=True))
    assert {"Robo17", "Robo18"} <= names, "they rose"
    assert not {"Robo15", "Robo16"} & names


def at_the_boundary(season: Season) -> tuple[Tournament, Tournament, Season]:
    """Play the last round of two divisions, except one table, and join the next season.

    Return both divisions and the next season, which starts when this season ends.
    """
    people = crowd(18)
    upper, lower = started(season, *people)
    Tournament.objects.filter(pk__in=(upper.pk, lower.pk)).update(rounds=1)
    Round.objects.update(ends_at=season.ends_at)
    for game in games_of(last_round(upper))[:-1] + games_of(last_round(lower)):
        winner = game.players.exclude(user=None).order_by("-user").first()
        assert winner and winner.user
        concede_to(game, winner.user, at=season.starts_at)
    advance_seasons(now=season.starts_at + timedelta(days=1))
    step(season.starts_at + timedelta(days=1))
    following = Season.objects.get(ruleset=season.ruleset, starts_at=season.ends_at)
    join(following, *people)
    return upper, lower, following


def first_division(season: Season) -> set[str]:
    top = Division.objects.get(season=season, number=1).tournament
    return set(top.entrants.values_list("user__robo_name", flat=True))


def test_a_season_waits_for_the_end_of_the_previous_one_and_says_so(
    season: Season, read: ReaderOf, alice: User
) -> None:
    upper, lower, following = at_the_boundary(season)
    lower.refresh_from_db()
    assert lower.status == "finished"
    assert shown_to(None, following, now=season.ends_at - timedelta(minutes=1))["waits_for"] == []
    advance_seasons(now=season.ends_at)
    following.refresh_from_db()
    assert (following.status, following.divisions.count()) == ("open", 0)
    (waits,) = shown_to(None, following, now=season.ends_at)["waits_for"]
    awaited = {"season": season.pk, "tournament": upper.pk, "until": season.ends_at}
    assert waits == {**awaited, **dict.fromkeys(("number", "round", "rounds", "tables"), 1)}
    season.refresh_from_db()
    assert shown_to(None, season, now=season.ends_at)["waits_for"] == [waits]
    with time_machine.travel(season.ends_at, tick=False):
        page = read(None).get(f"/seasons/{following.pk}/").text
        assert "It starts when the previous season is over" in page
        assert "Round 1: 1 table without a result · soon to be scored as they stand" in page
        assert "This season was due to end" in read(None).get(f"/seasons/{season.pk}/").text
    join(following, alice)
    step(season.ends_at)
    advance_seasons(now=season.ends_at)
    season.refresh_from_db()
    following.refresh_from_db()
    assert (season.status, following.status) == ("finished", "running"), "in one pass"
    assert shown_to(None, following, now=season.ends_at)["waits_for"] == []
    top = first_division(following)
    assert {"Robo17", "Robo18"} <= top and "Alice" not in top, "they rose, and she begins"


def test_a_cancelled_division_keeps_its_places_for_the_next_season(season: Season, erin: User) -> None:
    upper, _lower, following = at_the_boundary(season)
    cancel_tournament(user=erin, tournament_id=upper.pk, now=season.ends_at)
    advance_seasons(now=season.ends_at)
    places = {line.key: line.place for line in lines_of(upper)}
    fallen = [each.user.robo_name for each in upper.entrants.all() if places[each.pk] > 12]
    assert len(fallen) == 4
    top = first_division(following)
    assert {"Robo17", "Robo18"} <= top, "they rose"
    assert len(set(fallen) & top) == 2, "sixteen play at the top: two of the four who fell fill it up"


def test_a_worker_that_dies_at_the_boundary_starts_no_season_early(season: Season) -> None:
    upper, _lower, following = at_the_boundary(season)
    now = season.ends_at
    tables = upper.all_rounds.get().tables.filter(scored_at=None).values_list("pk", flat=True)
    acts = [
        *(partial(score_table, table, now=now) for table in tables),
        partial(advance, upper.pk, now=now),
        partial(advance_season, season.pk, now=now),
    ]

    def not_started() -> bool:
        return not following.divisions.exists()

    start = partial(advance_season, following.pk, now=now)
    for act in acts:
        assert start() == 0, "the season before is not over"
        died, done = dies_at_each_statement(act, nothing_is_done=not_started)
        assert died and done
    died, done = dies_at_each_statement(start, nothing_is_done=not_started)
    assert died and done
    assert {"Robo17", "Robo18"} <= first_division(following)


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_boundary_close_a_season_before_they_start_the_next() -> None:
    Table(HALL.saved())
    open_seasons(now=NOW)
    season = Season.objects.get(ruleset=KEY)
    _upper, _lower, following = at_the_boundary(season)

    def work(number: int) -> None:
        """Run the jobs a few times. The workers start with different jobs."""
        for sweep in range(4):
            jobs = [partial(advance_seasons, now=season.ends_at), partial(step, season.ends_at)]
            for job in jobs if (number + sweep) % 2 else reversed(jobs):
                job()

    assert together(*(partial(work, number) for number in range(3))) == [None] * 3
    following.refresh_from_db()
    assert (following.status, following.divisions.count()) == ("running", 2)
    assert {"Robo17", "Robo18"} <= first_division(following)
    ended = Tournament.objects.filter(division__season=season).values_list("status", flat=True)
    assert set(ended) == {"finished"}


def test_a_season_without_entrants_ends(season: Season) -> None:
    advance_seasons(now=season.starts_at)
    season.refresh_from_db()
    assert (season.status, season.divisions.count()) == ("finished", 0)


def test_entries_and_withdrawals_end_with_the_start(season: Season, alice: User, bob: User) -> None:
    join(season, alice, alice, bob)
    leave_season(user=bob, season_id=season.pk)
    shown = shown_to(alice, season)
    assert (shown["entrants"], shown["players"]) == (["Alice"], 1)
    advance_seasons(now=season.starts_at)
    for act in (lambda: join(season, bob), lambda: leave_season(user=alice, season_id=season.pk)):
        with pytest.raises(Conflict, match="has started"):
            act()
    with pytest.raises(NotFound):
        leave_season(user=alice, season_id=10**9)


def test_a_deleted_account_is_not_seated(season: Season, alice: User, bob: User) -> None:
    join(season, alice, bob)
    delete_account(user=alice, now=NOW)
    assert shown_to(bob, season)["players"] == 1
    advance_seasons(now=season.starts_at)
    assert Division.objects.get().tournament.entrants.get().user == bob


def test_a_season_starts_completely_or_not_at_all(season: Season) -> None:
    join(season, *crowd(18))
    died, _ = dies_at_each_statement(
        lambda: advance_season(season.pk, now=season.starts_at),
        nothing_is_done=lambda: not Tournament.objects.exists(),
    )
    assert died > 8 and Division.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_start_a_season_once() -> None:
    Table(HALL.saved())
    open_seasons(now=NOW)
    season = Season.objects.get(ruleset=KEY)
    join(season, cast.alice(), cast.bob())
    together(*[partial(advance_seasons, now=season.starts_at)] * 4)
    assert Tournament.objects.filter(division__season=season).count() == 1
    step(season.starts_at)
    assert (Round.objects.count(), Game.objects.filter(seats=4).count()) == (1, Game.objects.count())


def test_the_pages_show_seasons(season: Season, alice: User, read: ReaderOf) -> None:
    there = f"/seasons/{season.pk}/"
    assert "Open to join" in read(None).get("/seasons/")
    assert "Join the season" not in read(None).get(there).html
    client = reader(alice).client
    joined = client.post(f"{there}enter/", {"do": "join"}, follow=True).content.decode()
    assert "You joined the season." in joined
    assert "you joined" in read(alice).get("/seasons/")
    advance_seasons(now=season.starts_at)
    step(season.starts_at)
    page = read(alice).get(there)
    assert "Division 1" in page and "Alice" in page
    cup = Division.objects.get().tournament
    assert read(None).get(f"/tournaments/{cup.pk}/").status == 200
    assert cup.name not in read(None).get("/tournaments/").html


def test_divisions_are_shown_page_by_page(
    season: Season, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.competitions.selectors.seasons.DIVISIONS_PER_PAGE", 1)
    people = crowd(16 + 3)
    started(season, *people)
    last = Entrant.objects.filter(tournament__division__number=2).select_related("user")
    assert [each["number"] for each in shown_to(None, season)["divisions"]] == [1]
    mine = shown_to(last[0].user, season)
    assert (mine["page"], mine["pages"], mine["my_division"]) == (2, 2, 2)
    assert len(mine["divisions"][0]["table"]) == 3
    assert shown_to(None, season, page=9)["page"] == 2
    there = f"/seasons/{season.pk}/"
    page = read(None).get(there)
    assert "Division 1" in page and "Page 1 of 2" in page
    assert "Division 2" not in page.html
    assert "Division 2" in read(None).get(f"{there}?page=2")
    assert "You play in division 2." in read(last[0].user).get(f"{there}?page=1")
    assert Api(people[0]).get(f"seasons/{season.pk}?page=2").body["page"] == 2


def shown_to(viewer: User | None, season: Season, page: int | None = None, now: datetime = NOW) -> SeasonView:
    return season_view(viewer=viewer, season_id=season.pk, page=page, now=now)


def test_the_api_does_the_same(season: Season, alice: User) -> None:
    api = Api(alice)
    there = f"seasons/{season.pk}"
    assert season.pk in {each["id"] for each in api.get("seasons").body["results"]}
    assert api.put(f"{there}/entry").body["joined"]
    assert api.delete(f"{there}/entry").body["joined"] is False
    api.put(f"{there}/entry")
    advance_seasons(now=season.starts_at)
    (division,) = api.get(there).body["divisions"]
    assert api.get(f"tournaments/{division['tournament']}").body["host"] is None
