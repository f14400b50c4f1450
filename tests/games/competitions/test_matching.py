"""Finding a game: players join open games first, then games with other waiting players."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from accounts.guests import make_guest
from accounts.models import Frequency, User
from games.absence.models import Reliability
from games.clocks.models import Vacation
from games.competitions.inputs import Wish
from games.competitions.models import Ticket, Wait
from games.competitions.selectors.matching import usual_wait
from games.competitions.services import matching
from games.competitions.services.matching import (
    find_game,
    match_ticket,
    match_tickets,
    seek_game,
    stop_seeking,
)
from games.errors import Forbidden, Invalid
from games.lobby.seats import join_game
from games.lobby.services import cancel_game, change_game
from games.news.channels.mail import compose
from games.news.models import Notice
from games.news.services import OUTDATED, SEND, judge
from games.people.contacts import block
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.play.viewers import MAX_NEWCOMER_GAMES
from games.site.selectors import recent_news
from games.work.models import Alarm
from tests import cast
from tests.games.dying import dies_at_each_statement
from tests.games.standings.rated import give_rating
from tests.games.support import HALL, NOW, WORKSHOP, Table, later, sweep
from tests.games.together import together


def seek(user: User, *, at: Any = NOW, **wish: Any) -> Ticket:
    asked = Wish(data={"least": 2, "most": 2, "pace": "day", **wish}).allowed()
    return seek_game(user=user, wish=asked, now=at)


def seated(game: Game) -> list[str]:
    return [seat.robo_name for seat in game.players.order_by("number")]


def test_two_waiting_players_get_a_game_that_starts(table: Table, alice: User, bob: User) -> None:
    seek(alice)
    assert match_tickets(now=NOW) == 0
    seek(bob, at=later(minutes=1))
    assert match_tickets(now=later(minutes=2)) == 2
    game = Game.objects.get()
    assert (game.status, seated(game), game.private) == ("running", ["Alice", "Bob"], False)
    assert (game.pace["hours"], game.absence["excused"]) == (24, 2)
    assert not Ticket.waiting.exists()
    assert Notice.objects.filter(user=bob).exists()


def test_a_matching_open_game_comes_first(table: Table, alice: User, bob: User, carol: User) -> None:
    lobby = table.game(carol, seats=3)
    seek(alice, most=4)
    seek(bob, most=4)
    assert match_tickets(now=NOW) == 2
    lobby.refresh_from_db()
    assert seated(lobby) == ["Carol", "Alice", "Bob"]
    assert Game.objects.count() == 1
    mails = [Notice.objects.get(kind="matched", channel="mail", user=user) for user in (alice, bob)]
    assert [judge(mail, NOW) for mail in mails] == [SEND, SEND]
    lobby.started_at = later(minutes=1)
    lobby.save()
    mails = list(Notice.objects.filter(kind="matched", channel="mail"))
    assert [judge(mail, NOW) for mail in mails] == [OUTDATED, OUTDATED], "the first turn is the news"


def test_a_found_game_and_its_first_turn_are_one_email(table: Table, alice: User, bob: User) -> None:
    seek(alice)
    game = press(bob, at=later(minutes=1))
    assert game
    mails = {each.kind: each for each in Notice.objects.filter(user=alice, channel="mail")}
    assert {kind: judge(each, later(minutes=1)).status for kind, each in mails.items()} == {
        "matched": Notice.Status.PENDING,
        "turn": Notice.Status.HELD,
    }
    mail = compose(mails["matched"])
    for text in (str(mail.body), str(mail.alternatives[0][0])):
        assert "We found you a game with Bob." in text and "The game has started." in text
        assert "Your deadline" in text
    Notice.objects.filter(pk=mails["matched"].pk).update(status="sent", sent_at=later(minutes=1))
    assert judge(mails["turn"], later(minutes=1)) == OUTDATED


def test_home_says_with_whom_a_game_was_found(table: Table, alice: User, bob: User) -> None:
    seek(alice)
    press(bob)
    news = recent_news(user=alice, since=None, now=NOW)
    assert [item.label for item in news] == ["We found you a game with Bob"]


def test_the_start_of_a_found_lobby_is_sent_to_players_who_want_one_email(
    table: Table, alice: User, carol: User, dave: User
) -> None:
    lobby = table.game(carol, seats=3)
    seek(alice, most=4)
    match_tickets(now=NOW)
    Notice.objects.filter(kind="matched").update(status="sent", sent_at=NOW)
    join_game(user=dave, game_id=lobby.pk, now=later(minutes=5))
    lobby.players.filter(user=alice).update(manner=Frequency.ONE)
    turn = Notice.objects.get(game=lobby, user=alice, kind="turn", channel="mail")
    assert judge(turn, later(minutes=5)) == SEND


@pytest.mark.parametrize(
    "terms",
    [
        {"private": True},
        {"pace": {"hours": 2}},
        {"pace": None},
        {"seats": 5},
        {"computers": ["pilot"]},
        {"least_reliability": 100},
        {"ruleset": "group-11"},
    ],
)
def test_an_open_game_that_does_not_match_is_ignored(
    terms: dict[str, Any], table: Table, alice: User, bob: User
) -> None:
    if "ruleset" in terms:
        table = Table(WORKSHOP.saved())
    if "least_reliability" in terms:
        Reliability.objects.create(user=alice, turns=1, missed=1, recent="0")
    table.game(bob, **{"seats": 3, **terms})
    seek(alice, ruleset="robo-runner", most=4)
    assert match_tickets(now=NOW) == 0
    assert Ticket.waiting.filter(user=alice).exists()


def test_no_one_gets_a_live_game_unasked(table: Table, alice: User, bob: User) -> None:
    table.game(bob, seats=2, pace={"minutes": 5})
    seek(alice, pace="")
    assert match_tickets(now=NOW) == 0
    seek(alice, pace="live")
    assert match_tickets(now=NOW) == 1


def test_blocked_players_are_not_matched_in_open_or_new_games(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    table.game(bob, seats=2)
    block(user=alice, robo_name="Bob", now=NOW)
    seek(alice)
    assert match_tickets(now=NOW) == 0
    Game.objects.all().delete()
    seek(bob)
    assert match_tickets(now=NOW) == 0
    seek(carol, at=later(minutes=1))
    assert match_tickets(now=later(minutes=1)) == 2
    assert Ticket.waiting.get().user_id in (alice.pk, bob.pk)


def test_no_one_is_seated_with_a_player_who_has_blocked_them(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    table.game(carol, alice, seats=3)
    block(user=alice, robo_name="Bob", now=NOW)
    seek(bob, most=3)
    assert match_tickets(now=NOW) == 0


def test_unreliable_players_are_not_matched_with_those_who_want_reliability(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    Reliability.objects.create(user=bob, turns=6, missed=6, recent="000000")
    table.game(bob, seats=2)
    seek(alice, least_reliability=90)
    assert match_tickets(now=NOW) == 0, "not in a lobby"
    Game.objects.all().delete()
    seek(bob)
    assert match_tickets(now=NOW) == 0, "and in no new game"
    seek(carol)
    assert match_tickets(now=NOW) == 2
    game = Game.objects.get()
    assert (seated(game), game.least_reliability) == (["Alice", "Carol"], 90)


def test_a_distant_rating_waits_for_the_window(table: Table, alice: User, bob: User) -> None:
    give_rating(alice, mu=25)
    give_rating(bob, mu=31)
    seek(alice)
    seek(bob)
    assert match_tickets(now=later(hours=5)) == 0
    assert match_tickets(now=later(hours=6)) == 2


@pytest.mark.parametrize("mu", [31, 19])
def test_a_distant_rating_in_an_open_game_waits_too(table: Table, alice: User, bob: User, mu: int) -> None:
    give_rating(bob, mu=mu)
    table.game(bob, seats=2)
    seek(alice)
    assert match_tickets(now=NOW) == 0
    assert match_tickets(now=later(hours=6)) == 1


def test_computers_join_on_time_while_others_wait(table: Table, alice: User, bob: User, carol: User) -> None:
    seek(bob, most=4, least=4)
    seek(carol, most=4, least=3)
    seek(alice, least=3, most=4, computers_after=1)
    assert match_tickets(now=later(minutes=59)) == 0
    assert match_tickets(now=later(hours=1)) == 1
    seats = Game.objects.get().players.order_by("number")
    assert [(seat.user, seat.computer) for seat in seats] == [(alice, ""), (None, "pilot"), (None, "pilot")]


@pytest.mark.parametrize(("seats", "starts"), [(3, False), (2, True)])
def test_an_open_game_that_may_wait_does_not_delay_computers(
    seats: int, starts: bool, table: Table, alice: User, carol: User
) -> None:
    lobby = table.game(carol, seats=seats)
    seek(alice, most=4, computers_after=1)
    assert match_tickets(now=NOW) == starts
    assert match_tickets(now=later(hours=1)) == (not starts)
    lobby.refresh_from_db()
    assert (seated(lobby), lobby.status) == (
        (["Carol", "Alice"], "running") if starts else (["Carol"], "open")
    )


def test_a_player_may_ask_for_more_reliability_than_their_own(table: Table, alice: User, bob: User) -> None:
    Reliability.objects.create(user=bob, turns=6, missed=6, recent="000000")
    seek(alice)
    seek(bob, least_reliability=90)
    assert match_tickets(now=NOW) == 2
    assert Game.objects.get().least_reliability == 90


def test_a_player_with_a_changed_wish_is_left_out(
    table: Table, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob changes his wish to three players just after the sweeper has read the queue."""
    first = seek(alice)
    seek(bob, at=later(minutes=1))
    seek(carol, at=later(minutes=2))
    join_lobby = matching._join_lobby

    def and_then(*args: Any) -> Game | None:
        seek(bob, least=3, most=3)
        return join_lobby(*args)

    monkeypatch.setattr(matching, "_join_lobby", and_then)
    found = match_ticket(first.pk, now=later(minutes=3))
    assert found and found.players == 2
    assert seated(Game.objects.get()) == ["Alice", "Carol"]
    assert Ticket.waiting.get().user == bob


def test_a_size_without_starships_finds_no_game(table: Table, alice: User, bob: User) -> None:
    seek(alice, size="large")
    seek(bob, size="large")
    assert match_tickets(now=NOW) == 0
    assert Ticket.waiting.count() == 2


def test_asking_again_keeps_the_place_and_one_click_leaves_the_queue(alice: User) -> None:
    seek(alice)
    again = seek(alice, at=later(hours=2), pace="live")
    assert (again.created_at, again.pace, Ticket.waiting.count()) == (NOW, "live", 1)
    assert (stop_seeking(user=alice), stop_seeking(user=alice)) == (True, False)


def test_an_impossible_wish_is_refused(alice: User) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("ruleset", {"ruleset": "chess"}),
        ("most", {"least": 4, "most": 3}),
        ("most", {"ruleset": "robo-recon", "least": 3, "most": 3}),
    ]
    for field, wish in cases:
        with pytest.raises(Invalid) as refused:
            seek(alice, **wish)
        assert [problem["code"] for problem in refused.value.problems] == [field]
    with pytest.raises(Forbidden):
        seek(make_guest())
    assert not Ticket.waiting.exists()


def test_nothing_is_lost_if_a_worker_dies(table: Table, alice: User, bob: User) -> None:
    first = seek(alice)
    seek(bob)
    died, found = dies_at_each_statement(
        lambda: match_ticket(first.pk, now=NOW),
        nothing_is_done=lambda: Ticket.waiting.count() == 2 and not Game.objects.exists(),
    )
    assert died > 10
    assert found and found.players == 2
    assert (Ticket.waiting.count(), Game.objects.count()) == (0, 1)
    assert Notice.objects.filter(game=found.game, kind="turn").count() == 2, (
        "in the same transaction as the game"
    )


@pytest.mark.django_db(transaction=True)
def test_a_player_locked_by_another_worker_is_left_out() -> None:
    Table(HALL.saved())
    first, held, _other = [
        seek(user, at=later(minutes=at)) for at, user in enumerate((cast.alice(), cast.bob(), cast.carol()))
    ]
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Ticket.waiting.select_for_update().get(pk=held.pk)

        def work() -> int:
            try:
                with transaction.atomic():
                    found = match_ticket(first.pk, now=later(hours=1))
                    return found.players if found else 0
            finally:
                connection.close()

        assert pool.submit(work).result() == 2
    assert seated(Game.objects.get()) == ["Alice", "Carol"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_find_one_game() -> None:
    Table(HALL.saved())
    for user in (cast.alice(), cast.bob(), cast.carol()):
        seek(user, most=3, least=3)
    found = sum(together(*[partial(match_tickets, now=NOW)] * 4))
    found += matching.match_tickets(now=NOW + timedelta(minutes=1))
    assert (found, Game.objects.count(), Ticket.waiting.count()) == (3, 1, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("with_sweeper", [False, True])
def test_players_who_press_at_the_same_moment_get_one_game(with_sweeper: bool) -> None:
    Table(HALL.saved())
    people = (cast.alice(), cast.bob())
    presses = [partial(press, user) for user in people]
    done = together(*presses, *[partial(match_tickets, now=NOW)] * with_sweeper)
    game = Game.objects.get()
    assert game.status == "running" and seated(game) in (["Alice", "Bob"], ["Bob", "Alice"])
    assert game in done[:2], "at least the second press opens the game"
    assert not Ticket.waiting.exists()


@pytest.mark.django_db(transaction=True)
def test_a_double_press_gets_one_game() -> None:
    Table(HALL.saved())
    seek(cast.bob())
    seek(cast.carol())
    alice = cast.alice()
    first, second = together(*[partial(press, alice)] * 2)
    assert first == second == Game.objects.get()
    assert Ticket.waiting.count() == 1


def test_a_double_press_gets_one_game_even_if_the_later_request_is_faster(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    seek(bob)
    seek(carol)
    game = press(alice, at=later(seconds=1))
    assert game and press(alice, at=NOW) == game
    assert Game.objects.count() == 1


def test_a_waiting_player_who_just_joined_a_game_can_still_change_their_wish(
    table: Table, alice: User, carol: User
) -> None:
    seek(alice, least=4, most=4)
    join_game(user=alice, game_id=table.game(carol, seats=3).pk, now=NOW)
    assert press(alice, at=later(seconds=5), least=3, most=3) is None
    assert Ticket.waiting.get().most == 3


@pytest.mark.django_db(transaction=True)
def test_the_last_open_seat_goes_to_one_of_two_who_press() -> None:
    lobby = Table(HALL.saved()).game(cast.carol(), seats=2)
    people = (cast.alice(), cast.bob())
    for user, other in (people, people[::-1]):
        block(user=user, robo_name=other.robo_name, now=NOW)
    found = together(*[partial(press, user) for user in people])
    assert sorted(found, key=str) == sorted([None, lobby], key=str)
    assert (lobby.players.count(), Ticket.waiting.count()) == (2, 1)


def press(user: User, *, at: Any = NOW, **wish: Any) -> Game | None:
    asked = Wish(data={"least": 2, "most": 2, "pace": "day", **wish}).allowed()
    return find_game(user=user, wish=asked, now=at)


@pytest.mark.parametrize("late", ["a blocked player joins", "the host makes it private"])
def test_a_lobby_that_changes_during_the_press_is_left_alone(
    table: Table, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    lobby = table.game(carol, seats=4)
    block(user=alice, robo_name="Bob", now=NOW)
    found = matching.fitting_lobbies

    def and_then(*args: Any, **more: Any) -> Iterator[Game]:
        games = list(found(*args, **more))
        if "blocked" in late:
            join_game(user=bob, game_id=lobby.pk, now=NOW)
        else:
            change_game(user=carol, game_id=lobby.pk, changes={"private": True}, now=NOW)
        yield from games

    monkeypatch.setattr(matching, "fitting_lobbies", and_then)
    assert press(alice, most=4) is None
    assert "Alice" not in seated(lobby)


def test_a_press_never_joins_blocked_players(table: Table, alice: User, bob: User) -> None:
    block(user=alice, robo_name="Bob", now=NOW)
    assert [press(alice), press(bob)] == [None, None]
    assert Ticket.waiting.count() == 2


def test_players_on_vacation_wait_until_they_are_back(table: Table, alice: User, bob: User) -> None:
    seek(bob)
    Vacation.objects.create(user=bob, first=NOW.date(), last=NOW.date(), planned_at=NOW)
    assert press(alice) is None and match_tickets(now=later(hours=1)) == 0
    assert match_tickets(now=later(hours=24)) == 2


def test_a_newcomer_at_the_limit_of_games_waits(
    table: Table, alice: User, bob: User, settings: Settings
) -> None:
    settings.NEWCOMER_DAYS = 36_500
    seek(bob)
    lobbies = [table.game(bob, seats=8) for _ in range(MAX_NEWCOMER_GAMES)]
    assert press(alice) is None and match_tickets(now=NOW) == 0
    cancel_game(user=bob, game_id=lobbies[0].pk, now=NOW)
    assert match_tickets(now=NOW) == 2


def test_a_search_that_fails_leaves_the_player_waiting(
    table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seek(bob)
    with monkeypatch.context() as patch:
        patch.setattr(matching, "_create_game", Mock(side_effect=RuntimeError("no ship")))
        assert press(alice) is None
    assert Alarm.objects.get().job == "matching"
    assert match_tickets(now=NOW) == 0, "set aside for a minute"
    assert match_tickets(now=later(minutes=2)) == 2
    assert not Alarm.objects.filter(closed_at=None).exists()


def test_the_sweeper_sends_mail_about_a_found_game_if_the_worker_dies_after_the_match(
    table: Table, alice: User, bob: User
) -> None:
    """The tests run nothing after the commit, as if the worker had died."""
    seek(bob)
    game = press(alice)
    assert Notice.objects.filter(game=game, user=bob, status="pending").exists()
    assert sweep(NOW).notices == Notice.objects.filter(status="pending").count()


# --- The usual wait -----------------------------------------------------------------------------------------


def waited(minutes: int, *, at: Any = NOW, pace: str = "day", computers: bool = False) -> None:
    Wait.objects.create(at=at, seconds=60 * minutes, pace=pace, computers=computers)


def usual(pace: str = "day", computers_after: int | None = None) -> int | None:
    return usual_wait({"pace": pace, "computers_after": computers_after}, now=NOW)


def test_a_player_who_waited_leaves_a_wait_without_a_name(table: Table, alice: User, bob: User) -> None:
    seek(alice)
    assert press(bob, at=later(minutes=5))
    waits = list(Wait.objects.values_list("seconds", "pace", "computers"))
    assert waits == [(300, "day", False)], "Bob did not wait"
    assert not any(field.is_relation for field in Wait._meta.get_fields())


@pytest.mark.parametrize(("hours", "noted"), [(0, []), (1, [(3600, True)])])
def test_waits_until_computers_came_are_noted_unless_they_came_at_once(
    hours: int, noted: list[tuple[int, bool]], table: Table, alice: User
) -> None:
    game = press(alice, computers_after=hours)
    assert bool(game) == (hours == 0)
    match_tickets(now=later(hours=1))
    assert list(Wait.objects.values_list("seconds", "computers")) == noted


def test_the_usual_wait_is_the_median_of_the_latest_waits(db: None) -> None:
    for minutes in (1, 2, 30, 40):
        waited(minutes)
    assert usual() is None, "too few to hide one player"
    waited(50)
    assert usual() == 30 * 60
    for _ in range(20):
        waited(3, at=later(minutes=-1))
    assert usual() == 3 * 60, "20 waits count"
    for _ in range(20):
        waited(9)
    assert usual() == 9 * 60, "the latest"


def test_the_usual_wait_prefers_the_same_pace_and_ignores_old_waits(db: None) -> None:
    for minutes in (1, 2, 3, 4):
        waited(minutes, pace="live")
    for _ in range(5):
        waited(60)
    assert usual("live") == 60 * 60, "of any pace, as there are too few live ones"
    waited(5, pace="live")
    assert usual("live") == 3 * 60
    assert usual_wait({"pace": "live", "computers_after": None}, now=later(days=31)) is None


def test_the_usual_wait_does_not_promise_players_where_computers_came(db: None) -> None:
    for minutes in (1, 2):
        waited(minutes)
    for _ in range(3):
        waited(60, computers=True)
    assert usual() is None
    for minutes in (3, 4):
        waited(minutes)
    assert usual() == 4 * 60


def test_there_is_no_usual_wait_if_computers_come_sooner(db: None) -> None:
    for _ in range(5):
        waited(120)
    assert (usual(computers_after=1), usual(computers_after=24)) == (None, 120 * 60)


def test_waits_are_deleted_after_30_days_and_stay_when_an_account_goes(
    table: Table, alice: User, bob: User
) -> None:
    seek(alice)
    assert press(bob, at=later(minutes=5))
    delete_account(user=alice, now=NOW)
    assert Wait.objects.count() == 1
    match_tickets(now=later(days=31))
    assert not Wait.objects.exists()
