"""The reliability of players, and recalculating it from their turns."""

import pytest
from django.test import Client

from accounts.models import User
from games.absence.missed_turns import play_overdue_of_turn
from games.absence.models import WINDOW, Reliability, Replacement
from games.absence.seats import take_seat
from games.people.selectors.profiles import person_page
from games.people.services.records import recount, recount_person
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Turn
from games.play.resolution import resolve_turn
from tests.games.support import NOW, Table, game_seen, later, leave_to_computer, open_turn


def counted(user: User) -> tuple[int, int, str]:
    row = Reliability.objects.filter(user=user).first()
    return (row.turns, row.missed, row.recent) if row else (0, 0, "")


def run_out(game: Game) -> Turn:
    """Resolve the open turn at its deadline, and return it."""
    turn = open_turn(game)
    assert turn.deadline
    assert resolve_turn(turn_id=turn.pk, now=turn.deadline)
    game.refresh_from_db()
    return turn


def test_submitted_and_missed_turns_count(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    table.move(duel, alice)
    run_out(duel)
    table.play(duel, alice, bob, now=later(days=1))
    assert counted(alice) == (3, 0, "111")
    assert counted(bob) == (3, 1, "101")


def test_any_substitute_counts_as_a_missed_turn_and_computers_have_no_record(
    duel: Game, table: Table, alice: User, bob: User
) -> None:
    missed = 0
    for by in Program.Author:
        table.move(duel, alice, bob)
        turn = open_turn(duel)
        Program.objects.filter(hand__turn=turn, hand__seat__user=bob).update(by=by)
        resolve_turn(turn_id=turn.pk, now=NOW)
        missed += by not in (by.PLAYER, by.COMPUTER, by.CHANCE)
        assert counted(bob)[1] == missed, by
        assert counted(bob)[0] == counted(alice)[0] == missed + 1, by
    assert missed == len(Program.Author) - 3


def test_turns_without_other_waiting_players_do_not_count(table: Table, alice: User, bob: User) -> None:
    alone = table.game(alice, seats=2, computers=["rookie"])
    play_computers(turn_id=open_turn(alone).pk, now=NOW)
    table.play(alone, alice)
    unlimited = table.game(alice, bob, pace=None)
    table.play(unlimited, alice, bob)
    assert counted(alice) == (0, 0, "")


def test_turns_after_a_replacement_do_not_count(table: Table, alice: User, bob: User, carol: User) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    leave_to_computer(game, carol, reason=Replacement.Reason.VOTED)
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice, bob)
    assert (counted(alice)[0], counted(bob)[0], counted(carol)[0]) == (2, 2, 1)
    for user in (alice, bob, carol):
        recount_person(person=user.pk)
    assert (counted(alice)[0], counted(bob)[0], counted(carol)[0]) == (2, 2, 1)


def test_a_recount_gives_the_same_figures_and_corrects_errors(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    other = table.game(bob, alice, name="Other")
    table.play(duel, alice, bob)
    table.move(other, alice)
    run_out(other)
    table.move(duel, bob)
    run_out(duel)
    table.play(duel, alice, bob, now=later(days=1))
    before = {user: counted(user) for user in (alice, bob)}
    assert before == {alice: (4, 1, "1101"), bob: (4, 1, "1011")}
    for user in (alice, bob):
        recount_person(person=user.pk)
    assert {user: counted(user) for user in (alice, bob)} == before
    Reliability.objects.filter(user=alice).update(recent="0000", missed=4)
    Reliability.objects.filter(user=bob).delete()
    assert recount().reliabilities == 2
    assert {user: counted(user) for user in (alice, bob)} == before


def test_figures_without_turns_are_deleted(alice: User) -> None:
    Reliability.objects.create(user=alice, turns=5, missed=5, recent="00000")
    assert recount_person(person=alice.pk) == 1
    assert counted(alice) == (0, 0, "")


def test_only_the_last_hundred_turns_count(table: Table, duel: Game, alice: User, bob: User) -> None:
    Reliability.objects.create(user=bob, turns=300, missed=100, recent="0" + "1" * (WINDOW - 1))
    table.play(duel, alice, bob)
    assert counted(bob) == (301, 100, "1" * WINDOW)


def test_everyone_sees_a_player_s_reliability(
    table: Table, duel: Game, alice: User, bob: User, dave: User
) -> None:
    table.move(duel, alice)
    run_out(duel)
    page = person_page(viewer=dave, robo_name="Bob")
    assert page["reliability"] == {"percent": 98, "turns": 1, "missed": 1}
    seats = game_seen(viewer=dave, game=duel)["seats"]
    assert [(seat["name"], seat["reliability"]) for seat in seats] == [("Alice", 100), ("Bob", 98)]
    client = Client()
    text = " ".join(client.get("/players/Bob/").content.decode().split())
    assert "<strong>98 %</strong>: 1 of 1 turn missed." in text
    assert "The last turn has weight 100, the one before it 99" in text
    assert "no turns counted yet." in client.get("/players/Dave/").content.decode()
    lobby = table.game(alice, bob, seats=4, computers=["rookie"])
    page_of_lobby = client.get(lobby.get_absolute_url()).content.decode()
    assert "100 % reliable" in page_of_lobby and "98 % reliable" in page_of_lobby
    assert page_of_lobby.count("% reliable") == 2


def played_by(game: Game, *players: User) -> None:
    """Submit orders for the given players only, and resolve the turn at its deadline."""
    turn = open_turn(game)
    Table(game.revision.starship).move(game, *players, now=turn.opened_at)
    run_out(game)


@pytest.mark.parametrize("absence", [{"policy": "give-up"}, {"policy": "random", "excused": 1}])
def test_the_miss_that_leads_to_a_replacement_counts_once_and_only_for_that_player(
    table: Table, alice: User, bob: User, dave: User, absence: dict[str, object]
) -> None:
    game = table.game(alice, bob, absence=absence)
    while game.players.filter(user=bob).exists():
        played_by(game, alice)
    missed = absence.get("excused", 0) + 1  # type: ignore[operator]
    assert counted(bob) == (missed, missed, "0" * missed)
    assert counted(alice) == (missed, 0, "1" * missed)
    take_seat(user=dave, game_id=game.pk, seat=2, now=game.moved_at)
    table.play(game, alice, dave, now=game.moved_at)
    expected = {bob: (missed, missed, "0" * missed), alice: (missed + 1, 0, "1" * (missed + 1))}
    expected[dave] = (1, 0, "1")
    assert {user: counted(user) for user in expected} == expected
    assert recount().reliabilities == 0
    Reliability.objects.all().delete()
    assert recount().reliabilities == 3
    assert {user: counted(user) for user in expected} == expected


def test_a_player_who_comes_back_in_the_missed_turn_has_missed_it_once(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, carol, absence={"policy": "give-up"})
    table.move(game, alice)
    turn = open_turn(game)
    Hand.objects.filter(turn=turn, seat__user=carol).update(deadline=later(hours=30))
    Turn.objects.filter(pk=turn.pk).update(deadline=later(hours=30))
    assert play_overdue_of_turn(turn_id=turn.pk, now=later(hours=24)) == 1
    assert game.players.get(number=2).user is None
    take_seat(user=bob, game_id=game.pk, seat=2, now=later(hours=25))
    table.move(game, bob, carol, now=later(hours=25))
    assert resolve_turn(turn_id=turn.pk, now=later(hours=25))
    expected = {alice: (1, 0, "1"), bob: (1, 1, "0"), carol: (1, 0, "1")}
    assert {user: counted(user) for user in expected} == expected
    assert recount().reliabilities == 0
