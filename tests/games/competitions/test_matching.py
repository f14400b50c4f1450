"""Finding games: open games come first, then other waiting players."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.guests import make_guest
from accounts.models import User
from games.absence.models import Reliability
from games.competitions.inputs import Wish
from games.competitions.models import Ticket
from games.competitions.services import matching
from games.competitions.services.matching import match_ticket, match_tickets, seek_game, stop_seeking
from games.errors import Forbidden, Invalid
from games.news.models import Notice
from games.people.contacts import block
from games.play.models import Game
from tests import cast
from tests.games.dying import dies_at_each_statement
from tests.games.standings.rated import stand
from tests.games.support import HALL, NOW, WORKSHOP, Table, later
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
    assert not Ticket.objects.exists()
    assert Notice.objects.filter(user=bob).exists()


def test_a_matching_open_game_comes_first(table: Table, alice: User, bob: User, carol: User) -> None:
    lobby = table.game(carol, seats=3)
    seek(alice, most=4)
    seek(bob, most=4)
    assert match_tickets(now=NOW) == 2
    lobby.refresh_from_db()
    assert seated(lobby) == ["Carol", "Alice", "Bob"]
    assert Game.objects.count() == 1
    assert Notice.objects.filter(kind="matched", user=alice).exists(), "it did not start at once"
    assert not Notice.objects.filter(kind="matched", user=bob).exists()


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
    assert Ticket.objects.filter(user=alice).exists()


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
    assert Ticket.objects.get().user_id in (alice.pk, bob.pk)


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
    stand(alice, mu=25)
    stand(bob, mu=31)
    seek(alice)
    seek(bob)
    assert match_tickets(now=later(hours=5)) == 0
    assert match_tickets(now=later(hours=6)) == 2


@pytest.mark.parametrize("mu", [31, 19])
def test_a_distant_rating_in_an_open_game_waits_too(table: Table, alice: User, bob: User, mu: int) -> None:
    stand(bob, mu=mu)
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
    """Bob changes his wish to three players just after the queue was read."""
    first = seek(alice)
    seek(bob, at=later(minutes=1))
    seek(carol, at=later(minutes=2))
    joins_lobby = matching._joins_lobby

    def and_then(*args: Any) -> bool:
        seek(bob, least=3, most=3)
        return joins_lobby(*args)

    monkeypatch.setattr(matching, "_joins_lobby", and_then)
    assert match_ticket(first.pk, now=later(minutes=3)) == 2
    assert seated(Game.objects.get()) == ["Alice", "Carol"]
    assert Ticket.objects.get().user == bob


def test_a_size_without_starships_finds_no_game(table: Table, alice: User, bob: User) -> None:
    seek(alice, size="large")
    seek(bob, size="large")
    assert match_tickets(now=NOW) == 0
    assert Ticket.objects.count() == 2


def test_asking_again_keeps_the_place_and_one_click_leaves_the_queue(alice: User) -> None:
    seek(alice)
    again = seek(alice, at=later(hours=2), pace="live")
    assert (again.created_at, again.pace, Ticket.objects.count()) == (NOW, "live", 1)
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
    assert not Ticket.objects.exists()


def test_nothing_is_lost_if_a_worker_dies(table: Table, alice: User, bob: User) -> None:
    first = seek(alice)
    seek(bob)
    died, found = dies_at_each_statement(
        lambda: match_ticket(first.pk, now=NOW),
        nothing_is_done=lambda: Ticket.objects.count() == 2 and not Game.objects.exists(),
    )
    assert died > 10
    assert (found, Ticket.objects.count(), Game.objects.count()) == (2, 0, 1)


@pytest.mark.django_db(transaction=True)
def test_a_player_locked_by_another_worker_is_left_out() -> None:
    Table(HALL.saved())
    first, held, _other = [
        seek(user, at=later(minutes=at)) for at, user in enumerate((cast.alice(), cast.bob(), cast.carol()))
    ]
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Ticket.objects.select_for_update().get(pk=held.pk)

        def work() -> int:
            try:
                with transaction.atomic():
                    return match_ticket(first.pk, now=later(hours=1))
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
    assert (found, Game.objects.count(), Ticket.objects.count()) == (3, 1, 0)
