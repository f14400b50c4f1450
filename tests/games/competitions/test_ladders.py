"""Ladders: challenges, and changes of places after games."""

from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts import guests
from accounts.models import Frequency, User
from games.absence.seats import resign_game
from games.clocks.models import Vacation, VacationDay
from games.competitions.models import LadderGame, Rung
from games.competitions.selectors.ladders import ladder_view, ladders, places_of
from games.competitions.services.ladders import (
    challenge,
    drop,
    join_ladder,
    leave_ladder,
    locked_ladder,
    move,
    remove,
    rest,
    rest_idle,
    settle_ladder_game,
    settle_ladder_games,
)
from games.errors import Conflict, Forbidden, NotFound, ServiceError
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.news.channels.mail import compose
from games.news.kinds import summary_of
from games.news.models import Notice, Webhook
from games.news.services import OUTDATED, SEND, UNWANTED, judge
from games.people.contacts import block
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.play.reminders import reminder_url
from games.staff.services import replace_as_staff
from games.votes.services import call_vote
from tests import cast
from tests.games.api_client import Api
from tests.games.competitions.hosting import crowd
from tests.games.dying import dies_at_each_statement
from tests.games.reader import ReaderOf, reader
from tests.games.standings.rated import concede_to, play_on
from tests.games.support import HALL, NOW, Table
from tests.games.together import together

KEY = "robo-runner"
PAGE = f"/ladders/{KEY}/"


def join(*users: User, at: datetime = NOW) -> None:
    for user in users:
        join_ladder(user=user, ruleset=KEY, now=at)


def order() -> list[str]:
    rungs = Rung.objects.select_related("user").order_by("place")
    assert [rung.place for rung in rungs] == list(range(1, len(rungs) + 1))
    return [rung.user.robo_name for rung in rungs]


def call(user: User, other: User, *, at: datetime = NOW) -> Game:
    return challenge(user=user, ruleset=KEY, robo_name=other.robo_name, now=at)


def end(game: Game, winner: User, *, turns: int = 3, at: datetime = NOW) -> None:
    """Play a game up to turn ``turns``, let ``winner`` win, and settle the ladder."""
    play_on(game, turns=turns + 1, now=at)
    concede_to(game, winner, at=at)
    settle_ladder_games(now=at)


@pytest.fixture
def on_it(table: Table, alice: User, bob: User, carol: User) -> Table:
    join(alice, bob, carol)
    return table


def test_newcomers_start_at_the_bottom(on_it: Table, bob: User, dave: User) -> None:
    join(dave)
    assert order() == ["Alice", "Bob", "Carol", "Dave"]
    with pytest.raises(Conflict, match="already on this ladder"):
        join(dave)
    with pytest.raises(NotFound):
        join_ladder(user=dave, ruleset="robo-recon", now=NOW)
    assert {each["ruleset"]: each["first"] for each in ladders()}[KEY] == "Alice"
    assert places_of(bob) == [(KEY, 2)]


def test_the_winner_of_a_challenge_takes_the_place(on_it: Table, alice: User, carol: User) -> None:
    game = call(carol, alice)
    assert (game.status, game.rated, game.pace["hours"], game.seats) == ("running", "yes", 48, 2)
    (notice,) = Notice.objects.filter(kind="challenged", user=alice, channel="mail")
    assert "Carol challenged you on the Robo Runner ladder" in compose(notice).body
    end(game, carol)
    assert order() == ["Carol", "Alice", "Bob"]
    assert LadderGame.objects.get().outcome == "climbed"


def test_a_challenge_and_its_first_turn_are_one_email(on_it: Table, alice: User, carol: User) -> None:
    game = call(carol, alice)
    mails = {each.kind: each for each in Notice.objects.filter(game=game, user=alice, channel="mail")}
    assert {kind: judge(each, NOW).status for kind, each in mails.items()} == {
        "challenged": Notice.Status.PENDING,
        "turn": Notice.Status.HELD,
    }
    mail = compose(mails["challenged"])
    for text in (str(mail.body), str(mail.alternatives[0][0])):
        assert "Choose your robot’s starting heading." in text and "Your deadline" in text
        assert f"{game.get_absolute_url()}move/" in text and "Remind me in 3 hours" in text
    theirs = Notice.objects.get(game=game, user=carol, channel="mail")
    assert (theirs.kind, judge(theirs, NOW)) == ("turn", SEND)
    Notice.objects.filter(pk=mails["challenged"].pk).update(status="sent", sent_at=NOW)
    assert judge(mails["turn"], NOW) == OUTDATED
    on_it.play(game, alice, carol)
    late = summary_of(Notice.objects.get(pk=mails["challenged"].pk))
    assert late.hand and late.reminder_url == reminder_url(mails["challenged"], turn=1)
    assert "Your hand" in compose(Notice.objects.get(pk=mails["challenged"].pk)).body


def test_a_first_turn_has_its_own_email_if_no_email_about_the_challenge_is_sent(
    on_it: Table, alice: User, carol: User
) -> None:
    game = call(carol, alice)
    challenged, turn = (
        Notice.objects.get(game=game, user=alice, channel="mail", kind=kind)
        for kind in ("challenged", "turn")
    )
    User.objects.filter(pk=alice.pk).update(silenced=["challenged"])
    assert judge(Notice.objects.get(pk=turn.pk), NOW) == SEND
    User.objects.filter(pk=alice.pk).update(silenced=[])
    game.players.filter(user=alice).update(visited_at=NOW + timedelta(minutes=1))  # she looks, and goes
    later = NOW + timedelta(hours=1)
    assert judge(Notice.objects.get(pk=challenged.pk), later).status == Notice.Status.SEEN
    assert judge(Notice.objects.get(pk=turn.pk), later) == SEND


def test_an_email_about_a_challenge_is_the_one_email_until_the_player_comes_back(
    on_it: Table, alice: User, carol: User
) -> None:
    game = call(carol, alice)
    Notice.objects.filter(user=alice, kind="challenged").update(status="sent", sent_at=NOW)
    play_on(game, turns=1, now=NOW + timedelta(hours=1))
    game.players.update(manner=Frequency.ONE, ordered_at=None)  # as if time had run out
    turn = Notice.objects.get(game=game, user=alice, channel="mail", kind="turn", turn=1)
    assert judge(turn, NOW + timedelta(hours=2)) == UNWANTED


def test_webhooks_get_a_challenge_and_its_first_turn(on_it: Table, alice: User, carol: User) -> None:
    game = call(carol, alice)
    Webhook.objects.create(user=alice, url="https://robo.example/", secret="whsec_c2VjcmV0", made_at=NOW)
    notices = Notice.objects.filter(game=game, user=alice)
    notices.update(channel="webhook")
    assert {each.kind: judge(each, NOW) for each in notices} == {"challenged": SEND, "turn": SEND}


def test_a_losing_challenger_stays(on_it: Table, alice: User, bob: User) -> None:
    end(call(bob, alice), alice)
    assert order() == ["Alice", "Bob", "Carol"]
    assert LadderGame.objects.get().outcome == "defended"


@pytest.mark.parametrize("winner", ["Alice", "Bob"])
def test_a_game_that_is_too_short_changes_no_place_and_protects_no_player(
    winner: str, on_it: Table, alice: User, bob: User
) -> None:
    end(call(bob, alice), {"Alice": alice, "Bob": bob}[winner], turns=2)
    assert (order()[0], LadderGame.objects.get().outcome) == ("Alice", "void")
    assert not Rung.objects.exclude(protected_until=None).exists()


@pytest.mark.parametrize("turns", [0, 3, 4])
def test_a_holder_who_resigns_loses_the_place_at_any_time(
    turns: int, on_it: Table, alice: User, bob: User
) -> None:
    game = call(bob, alice)
    play_on(game, turns=turns)
    resign_game(user=alice, game_id=game.pk, now=NOW)
    settle_ladder_games(now=NOW)
    assert order() == ["Bob", "Alice", "Carol"]
    protected = Rung.objects.get(user=bob).protected_until is not None
    assert protected == (turns > 3), "both have ordered three turns"


@pytest.mark.parametrize("turns", [0, 4])
def test_a_challenger_who_resigns_protects_the_holder_only_after_three_turns(
    turns: int, on_it: Table, alice: User, bob: User
) -> None:
    game = call(bob, alice)
    play_on(game, turns=turns)
    resign_game(user=bob, game_id=game.pk, now=NOW)
    settle_ladder_games(now=NOW)
    assert (order()[0], LadderGame.objects.get().outcome) == ("Alice", "defended")
    assert (Rung.objects.get(user=alice).protected_until is not None) == (turns > 3)


def test_a_winner_already_above_gains_nothing(on_it: Table, alice: User, carol: User) -> None:
    game = call(carol, alice)
    with transaction.atomic():
        locked_ladder(KEY)
        move(Rung.objects.get(user=alice), 3)
    assert order() == ["Bob", "Carol", "Alice"]
    end(game, carol)
    assert order() == ["Bob", "Carol", "Alice"]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("below", "Challenge a player above you."),
        ("oneself", "Challenge a player above you."),
        ("out", "You already have a running challenge."),
        ("in", "Bob is already playing a challenge."),
        ("protected", "you can’t challenge them until"),
        ("resting", "Bob is resting."),
        ("rest", "You are resting."),
        ("away", "Bob is on vacation."),
        ("again", "less than 14 days ago"),
    ],
)
def test_a_refused_challenge_names_the_reason(
    case: str, said: str, on_it: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    join(dave)
    who, whom = carol, bob
    match case:
        case "below":
            whom = dave
        case "oneself":
            whom = carol
        case "out":
            call(carol, alice)
        case "in":
            call(dave, bob)
        case "protected":
            Rung.objects.filter(user=bob).update(protected_until=NOW + timedelta(days=1))
        case "resting":
            rest(user=bob, ruleset=KEY, now=NOW)
        case "rest":
            rest(user=carol, ruleset=KEY, now=NOW)
        case "away":
            VacationDay.objects.create(user=bob, began_at=NOW - timedelta(hours=1), planned=True)
        case "again":
            end(call(carol, bob), bob)
            Rung.objects.update(protected_until=None)
    games = Game.objects.count()
    with pytest.raises(Conflict, match=said):
        call(who, whom)
    assert Game.objects.count() == games


def test_ten_planned_vacations_block_no_challenge(on_it: Table, alice: User, bob: User) -> None:
    for number in range(10):
        first = NOW.date() + timedelta(days=28 * number)
        Vacation.objects.create(user=alice, first=first, last=first + timedelta(days=27), planned_at=NOW)
    call(bob, alice, at=NOW)


@pytest.mark.parametrize(
    ("zone", "midnight"),
    [("UTC", 0), ("Pacific/Honolulu", 10), ("Asia/Kolkata", -5.5)],
)
def test_a_day_of_vacation_ends_at_midnight_in_the_player_s_time_zone(
    zone: str, midnight: float, on_it: Table, alice: User, bob: User
) -> None:
    """The clocks stop for 24 hours from noon. The vacation lasts until the next midnight."""
    User.objects.filter(pk=alice.pk).update(time_zone=zone)
    noon = NOW.replace(hour=12, minute=0)
    VacationDay.objects.create(user=alice, began_at=noon, planned=True)
    ends = noon + timedelta(days=1)
    day = ends.replace(hour=0)
    midnights = [day + timedelta(days=days, hours=midnight) for days in (-1, 0, 1, 2)]
    over = next(moment for moment in midnights if moment > ends)
    with pytest.raises(Conflict, match="Alice is on vacation"):
        call(bob, alice, at=over - timedelta(minutes=1))
    call(bob, alice, at=over)


def test_a_rest_starts_at_the_earliest_sixty_days_after_the_last(
    on_it: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    rest(user=alice, ruleset=KEY, now=NOW)
    back = NOW + timedelta(days=29)
    join(alice, at=back)
    with pytest.raises(Conflict, match="You can rest again from"):
        rest(user=alice, ruleset=KEY, now=back)
    shown = ladder_view(viewer=alice, ruleset=KEY, now=back)
    assert shown["may_rest_from"] == back + timedelta(days=60)
    page = read(alice).get(PAGE)
    assert "You can rest again from" in page and 'value="rest"' not in page.html
    assert ladder_view(viewer=bob, ruleset=KEY, now=back)["may_rest_from"] is None
    call(bob, alice, at=back)
    with pytest.raises(Conflict):
        rest(user=alice, ruleset=KEY, now=back + timedelta(days=60, minutes=-1))
    rest(user=alice, ruleset=KEY, now=back + timedelta(days=60))
    assert ladder_view(viewer=alice, ruleset=KEY, now=back)["mine"]["resting"]  # type: ignore[index]


def test_coming_back_too_late_starts_at_the_bottom_even_before_a_sweep(on_it: Table, alice: User) -> None:
    rest(user=alice, ruleset=KEY, now=NOW)
    join(alice, at=NOW + timedelta(days=30))
    assert order() == ["Bob", "Carol", "Alice"]


def test_a_player_who_comes_back_just_before_the_sweep_stays(on_it: Table, alice: User) -> None:
    rest(user=alice, ruleset=KEY, now=NOW)
    late = NOW + timedelta(days=30)

    def comes_back(execute: Any, sql: str, *args: Any) -> Any:
        if "games_ladder" in sql and "FOR UPDATE" in sql:  # a worker has already found the row
            Rung.objects.filter(user=alice).update(resting_since=None)
        return execute(sql, *args)

    with connection.execute_wrapper(comes_back):
        rest_idle(now=late)
    assert order() == ["Alice", "Bob", "Carol"]


def test_a_challenge_reaches_a_tenth_up_and_the_first_reaches_the_middle(table: Table, db: None) -> None:
    people = crowd(40)
    join(*people)
    with pytest.raises(Conflict, match="You can challenge up to place 20"):
        call(people[39], people[18])
    end(call(people[39], people[19]), people[19])
    with pytest.raises(Conflict, match="You can challenge up to place 36"):
        call(people[39], people[34])
    call(people[39], people[35])
    shown = ladder_view(viewer=people[38], ruleset=KEY, now=NOW)["rungs"]
    assert [each["place"] for each in shown if each["in_reach"]] == list(range(20, 39))


def test_a_blocked_player_cannot_challenge(on_it: Table, alice: User, bob: User) -> None:
    block(user=alice, robo_name="Bob", now=NOW)
    with pytest.raises(Conflict, match="doesn’t accept challenges from you"):
        call(bob, alice)


def test_absence_costs_places_and_the_second_time_leads_to_rest(
    on_it: Table, alice: User, bob: User, erin: User
) -> None:
    for number in range(2):
        at = NOW + timedelta(days=20 * number)
        Rung.objects.update(protected_until=None)
        with transaction.atomic():
            locked_ladder(KEY)
            move(Rung.objects.get(user=alice), 1)
        game = call(bob, alice, at=at)
        seat = game.players.get(user=alice)
        replace_as_staff(user=erin, seat_id=seat.pk, reason="She is away.", now=at)
        Game.objects.filter(pk=game.pk).update(status="cancelled", ended_at=at)
        settle_ladder_games(now=at)
        assert order()[-1] == "Alice", "no place is left below"
        assert (Rung.objects.get(user=alice).resting_since is not None) == (number == 1)


def test_idle_players_rest_and_later_leave(on_it: Table, alice: User, bob: User, carol: User) -> None:
    late = NOW + timedelta(days=90)
    game = call(carol, bob, at=late - timedelta(days=89))
    assert rest_idle(now=late) == 1, "Alice: the others play"
    assert ladder_view(viewer=None, ruleset=KEY, now=late)["rungs"][0]["resting"]
    rest_idle(now=late + timedelta(days=29))
    assert order() == ["Alice", "Bob", "Carol"]
    rest_idle(now=late + timedelta(days=30))
    assert order() == ["Bob", "Carol"]
    join(alice, at=late)
    rest(user=alice, ruleset=KEY, now=late)
    join(alice, at=late)
    assert Rung.objects.get(user=alice).resting_since is None
    assert game.status == "running"


def test_leaving_moves_everyone_below_up(on_it: Table, alice: User, bob: User, carol: User) -> None:
    game = call(carol, alice)
    leave_ladder(user=alice, ruleset=KEY)
    assert order() == ["Bob", "Carol"]
    end(game, carol)
    assert order() == ["Bob", "Carol"]
    delete_account(user=bob, now=NOW)
    assert order() == ["Carol"]
    with pytest.raises(NotFound):
        leave_ladder(user=alice, ruleset=KEY)


def test_places_have_no_gaps(db: None) -> None:
    people = crowd(12)
    join(*people)
    chance = Random(7)
    for _ in range(30):
        with transaction.atomic():
            locked_ladder(KEY)
            rung = chance.choice(list(Rung.objects.all()))
            act = chance.randrange(4)
            if act == 0 and Rung.objects.count() > 4:
                remove(rung)
            elif act == 1:
                drop(rung, 5)
            else:
                move(rung, chance.randint(1, Rung.objects.count()))
        order()
        for person in people:
            if act == 3 and not Rung.objects.filter(user=person).exists():
                join(person)


def test_a_worker_that_dies_leaves_nothing_half_settled(on_it: Table, alice: User, carol: User) -> None:
    game = call(carol, alice)
    play_on(game, turns=4)
    concede_to(game, carol)
    died, _ = dies_at_each_statement(
        lambda: settle_ladder_game(game.pk, now=NOW), nothing_is_done=lambda: order()[0] == "Alice"
    )
    assert died > 5 and order() == ["Carol", "Alice", "Bob"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_settle_a_challenge_once() -> None:
    Table(HALL.saved())
    alice, bob, carol = cast.alice(), cast.bob(), cast.carol()
    join(alice, bob, carol)
    game = call(carol, alice)
    play_on(game, turns=4)
    concede_to(game, carol)
    assert sum(together(*[partial(settle_ladder_games, now=NOW)] * 4)) == 1
    assert order() == ["Carol", "Alice", "Bob"]


def test_players_cannot_change_a_challenge_game(on_it: Table, alice: User, bob: User) -> None:
    game = call(bob, alice)
    with pytest.raises(Conflict, match="have no votes"):
        call_vote(user=alice, game_id=game.pk, kind="pause", days=3, now=NOW)


def test_the_page_shows_available_actions(on_it: Table, alice: User, bob: User, read: ReaderOf) -> None:
    assert "Robo Runner" in read(None).get("/ladders/")
    assert "Join the ladder" not in read(None).get(PAGE).html
    assert "Your place: 2 of 3." in read(bob).get(PAGE)
    client = reader(bob).client

    def act(do: str, **more: str) -> str:
        return client.post(f"{PAGE}act/", {"do": do, **more}, follow=True).content.decode()

    asked = read(bob).get(PAGE)
    assert f"{PAGE}challenge/Alice/" in asked.html
    asked = read(bob).get(f"{PAGE}challenge/Alice/")
    assert "Challenge Alice" in asked and "2 days a turn" in asked and not Game.objects.exists()
    assert "challenge-ship" in asked.html and "plan-view" not in asked.html
    revision = Starship.objects.get().current_id
    game = read(bob).post(f"{PAGE}challenge/Alice/", revision=str(revision))
    assert "The game has started." in game and "Bob – Alice" in game and PAGE in game.html
    assert "running" in read(None).get(PAGE) and "in a challenge" in read(None).get(PAGE)
    assert "You are resting." in act("rest")
    assert "You are on the ladder." in act("join")
    assert "Place 2 on the" in read(None).get("/players/Bob/")
    assert "You left the ladder." in act("leave")


def test_a_challenge_starts_only_the_game_that_its_page_has_shown(
    on_it: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    ship = Starship.objects.get()
    shown, document = ship.current_id, {**HALL.document, "builder": "Carol"}
    save_starship(starship_id=ship.pk, document=document, section="fleet", now=NOW)
    refused = read(bob).post(f"{PAGE}challenge/Alice/", revision=str(shown))
    assert refused.status == 409
    assert "The starship has changed. Check the game, then confirm again." in refused
    now = Starship.objects.get().current_id
    assert f'name="revision" value="{now}"' in refused.html and not Game.objects.exists()
    assert "has started" in read(bob).post(f"{PAGE}challenge/Alice/", revision=str(now))


def test_an_impossible_challenge_is_refused_before_its_page(
    on_it: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    refused = read(alice).get(f"{PAGE}challenge/Bob/")
    assert refused.status == 409 and "Challenge a player above you." in refused
    assert read(bob).get(f"{PAGE}challenge/Dave/").status == 404
    assert read(bob).get("/ladders/robo-recon/challenge/Alice/").status == 404


def test_the_api_does_the_same(table: Table, alice: User, bob: User) -> None:
    api, other = Api(alice), Api(bob)
    assert {each["ruleset"] for each in api.get("ladders").body["results"]} >= {KEY}
    assert api.put(f"ladders/{KEY}/place", {}).body["mine"]["place"] == 1
    other.put(f"ladders/{KEY}/place", {})
    made = other.post(f"ladders/{KEY}/challenges", {"robo_name": "Alice"})
    assert (made.status, made.body["status"]) == (201, "running")
    assert api.get(f"ladders/{KEY}").body["games"][0]["challenged"] == "Alice"
    assert api.put(f"ladders/{KEY}/place", {"resting": True}).body["mine"]["resting"]
    assert api.delete(f"ladders/{KEY}/place").body["mine"] is None


def test_guests_cannot_join_a_ladder(db: None) -> None:
    guest = guests.make_guest()
    for act in (
        lambda: join_ladder(user=guest, ruleset=KEY, now=NOW),
        lambda: challenge(user=guest, ruleset=KEY, robo_name="Bob", now=NOW),
        lambda: leave_ladder(user=guest, ruleset=KEY),
    ):
        with pytest.raises((Forbidden, ServiceError)):
            act()


def test_a_ladder_is_read_through_its_index(db: None) -> None:
    """The query reads a few rows by index, so its cost does not depend on the number of players."""
    join(*crowd(60))
    with CaptureQueriesContext(connection) as asked:
        ladder_view(viewer=User.objects.get(robo_name="Robo50"), ruleset=KEY, now=NOW)
        ladders()
    of_rungs = [each["sql"] for each in asked if 'FROM "games_rung"' in each["sql"]]
    assert len(of_rungs) > 5
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_rung")
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in of_rungs:
            cursor.execute(f"EXPLAIN {sql}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert "Seq Scan on games_rung" not in plan, plan


def test_a_challenge_never_reads_the_whole_ladder(table: Table, db: None) -> None:
    """A challenge reads and writes as many rows among 60 players as among 20."""
    people = crowd(60)
    join(*people[:20])
    counts = []
    for size in (20, 60):
        with CaptureQueriesContext(connection) as asked:
            game = call(people[size - 1], people[size - 3])
        play_on(game, turns=4)
        concede_to(game, people[size - 3])
        with CaptureQueriesContext(connection) as also_asked:
            settle_ladder_games(now=NOW)
        counts.append(len(asked) + len(also_asked))
        join(*people[20:][: 60 - size])
    assert counts[0] == counts[1]
