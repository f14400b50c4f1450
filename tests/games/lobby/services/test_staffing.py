"""The host adds computers to a lobby, and removes players."""

from typing import Any

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound, ServiceError
from games.lobby.invitations import invite
from games.lobby.seats import (
    add_computer,
    change_computer,
    fill_with_computers,
    join_game,
    leave_game,
    remove_player,
)
from games.news.models import Notice
from games.play.history import sentence_of
from games.play.models import Game
from tests.games.support import DUCTS, NOW, WORKSHOP, Table, history_of, open_turn


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby of Alice and Bob with two open seats."""
    return table.game(alice, bob, seats=4)


def seats(game: Game) -> dict[int, str]:
    return {seat.number: seat.robo_name for seat in game.players.select_related("user").order_by("number")}


def last_words(game: Game) -> str:
    entry = game.lobby.order_by("pk").last()
    assert entry
    return sentence_of(entry)


def test_a_computer_takes_the_first_open_seat_and_is_ready(lobby: Game, alice: User) -> None:
    add_computer(user=alice, game_id=lobby.pk, strength="pilot", look=5, now=NOW)
    seat = lobby.players.get(number=3)
    assert (seat.user, seat.computer, seat.name) == (None, "pilot", "Pilot Ratchet")
    assert (seat.look, seat.ready) == (5, True)
    assert last_words(lobby) == "Alice added Pilot Ratchet, a computer."


def test_the_last_seat_starts_the_game(lobby: Game, alice: User) -> None:
    for _ in range(2):
        add_computer(user=alice, game_id=lobby.pk, strength="rookie", now=NOW)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.RUNNING
    assert open_turn(lobby).hands.filter(seat__isnull=False).count() == 4


def test_filling_never_takes_more_seats_than_the_host_has_seen(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, seats=5)
    leave_game(user=bob, game_id=game.pk, now=NOW)
    fill_with_computers(user=alice, game_id=game.pk, strength="ace", most=3, now=NOW)
    game.refresh_from_db()
    assert (game.players.count(), game.status) == (4, Game.Status.OPEN)
    fill_with_computers(user=alice, game_id=game.pk, strength="rookie", most=3, now=NOW)
    game.refresh_from_db()
    assert (game.players.count(), game.status) == (5, Game.Status.RUNNING)


def test_filling_is_for_the_host_of_a_lobby_with_a_free_seat(lobby: Game, alice: User, bob: User) -> None:
    with pytest.raises(Forbidden):
        fill_with_computers(user=bob, game_id=lobby.pk, strength="ace", most=2, now=NOW)
    with pytest.raises(Invalid):
        fill_with_computers(user=alice, game_id=lobby.pk, strength="wizard", most=2, now=NOW)
    assert lobby.players.count() == 2
    Game.objects.filter(pk=lobby.pk).update(seats=2)
    with pytest.raises(Conflict, match="all its seats are taken"):
        fill_with_computers(user=alice, game_id=lobby.pk, strength="ace", most=2, now=NOW)


def test_a_ninth_seat_is_refused(table: Table, alice: User) -> None:
    game = table.game(alice, seats=8, computers=["rookie"] * 7, starts_itself=False)
    with pytest.raises(Conflict, match="all its seats are taken") as refused:
        add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    assert refused.value.code == "full"
    assert game.players.count() == 8


def test_computers_have_different_names(table: Table, alice: User) -> None:
    game = table.game(alice, seats=8, computers=["ace"] * 7, starts_itself=False)
    names = set(seats(game).values())
    assert len(names) == 8
    assert all(" " in name for name in names - {"Alice"})


def test_unknown_levels_and_looks_are_refused(lobby: Game, alice: User) -> None:
    cases: list[tuple[dict[str, Any], type[ServiceError], str]] = [
        ({"strength": "wizard"}, Invalid, "no-strength"),
        ({"strength": "rookie", "look": 9}, Invalid, "no-look"),
        ({"strength": "rookie", "look": 1}, Conflict, "look-taken"),
        ({"strength": "rookie", "model": "albot"}, Invalid, "no-model"),
        ({"strength": "rookie", "squad": "red"}, Invalid, "no-squad"),
    ]
    for asked, error, code in cases:
        with pytest.raises(error) as refused:
            add_computer(user=alice, game_id=lobby.pk, now=NOW, **asked)
        assert refused.value.code == code
        assert lobby.players.count() == 2
        assert last_words(lobby) == "Bob joined."


def test_a_full_squad_takes_no_computer(alice: User, bob: User) -> None:
    game = Table(DUCTS.saved()).game(alice, bob, seats=4, ruleset="robo-recon")
    add_computer(user=alice, game_id=game.pk, strength="rookie", squad="red", now=NOW)
    with pytest.raises(Conflict) as refused:
        add_computer(user=alice, game_id=game.pk, strength="rookie", squad="red", now=NOW)
    assert refused.value.code == "squad-full"
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    assert sorted(game.players.values_list("squad", flat=True)) == ["blue", "blue", "red", "red"]


@pytest.mark.parametrize(
    ("computers", "sentence"),
    [
        (["wizard"], "There is no level “wizard” for computers. Choose one of these: rookie, pilot, ace."),
        ([{"strength": "pilot", "squad": "red"}], "has no squad “red”."),
        (["rookie"] * 3, "Only 2 seats are free for computers."),
    ],
)
def test_a_game_is_not_created_with_unknown_computers(
    table: Table, alice: User, computers: list[object], sentence: str
) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(alice, seats=3, computers=computers)
    [problem] = refused.value.problems
    assert problem["code"] == "computers"
    assert sentence in problem["detail"]
    assert not Game.objects.exists()


@pytest.mark.parametrize("look", [9, True])
def test_an_invalid_picture_of_a_computer_creates_no_game(table: Table, alice: User, look: object) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(alice, seats=3, computers=[{"strength": "pilot", "look": look}])
    assert any("no robot" in problem["detail"] for problem in refused.value.problems)
    assert not Game.objects.exists()


def test_a_computer_s_level_and_robot_can_be_changed(alice: User) -> None:
    table = Table(WORKSHOP.saved())
    game = table.game(alice, seats=4, ruleset="group-11", computers=["rookie"])
    change_computer(user=alice, game_id=game.pk, seat=2, strength="ace", look=8, model="albot", now=NOW)
    seat = game.players.get(number=2)
    assert (seat.computer, seat.name, seat.look, seat.model) == ("ace", "Ace Solder", 8, "albot")
    assert last_words(game) == "Alice changed Rookie Sprocket to Ace Solder."


def test_an_invalid_change_of_a_computer_is_refused(lobby: Game, alice: User) -> None:
    add_computer(user=alice, game_id=lobby.pk, strength="pilot", now=NOW)
    before = list(lobby.players.values())
    cases: list[tuple[dict[str, Any], type[ServiceError], str]] = [
        ({"seat": 3}, Malformed, "nothing"),
        ({"seat": 3, "strength": "wizard"}, Invalid, "no-strength"),
        ({"seat": 3, "look": 2}, Conflict, "look-taken"),
        ({"seat": 2, "strength": "ace"}, Conflict, "a-person"),
        ({"seat": 4, "strength": "ace"}, NotFound, "no-such-seat"),
    ]
    for asked, error, code in cases:
        with pytest.raises(error) as refused:
            change_computer(user=alice, game_id=lobby.pk, now=NOW, **asked)
        assert refused.value.code == code
        assert list(lobby.players.values()) == before


def test_only_the_host_manages_seats_and_only_before_the_start(
    lobby: Game, bob: User, duel: Game, alice: User
) -> None:
    for refused in (
        lambda: add_computer(user=bob, game_id=lobby.pk, strength="ace", now=NOW),
        lambda: change_computer(user=bob, game_id=lobby.pk, seat=1, strength="ace", now=NOW),
        lambda: remove_player(user=bob, game_id=lobby.pk, seat=1, now=NOW),
    ):
        with pytest.raises(Forbidden):
            refused()
    for refused in (
        lambda: add_computer(user=alice, game_id=duel.pk, strength="ace", now=NOW),
        lambda: change_computer(user=alice, game_id=duel.pk, seat=2, strength="ace", now=NOW),
        lambda: remove_player(user=alice, game_id=duel.pk, seat=2, now=NOW),
    ):
        with pytest.raises(Conflict, match="has started") as conflict:
            refused()
        assert conflict.value.code == "started"


def test_the_host_removes_computers_and_notifies_removed_players(lobby: Game, alice: User, bob: User) -> None:
    add_computer(user=alice, game_id=lobby.pk, strength="pilot", now=NOW)
    remove_player(user=alice, game_id=lobby.pk, seat=3, now=NOW)
    assert seats(lobby) == {1: "Alice", 2: "Bob"}
    assert last_words(lobby) == "Alice removed Pilot Gasket."
    remove_player(user=alice, game_id=lobby.pk, seat=2, now=NOW)
    assert seats(lobby) == {1: "Alice"}
    assert last_words(lobby) == "Alice removed Bob."
    assert Notice.objects.get(game=lobby, user=bob).kind == "removed"


def test_a_player_removed_from_a_private_game_no_longer_sees_it(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3, private=True)
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    join_game(user=bob, game_id=game.pk, now=NOW)
    remove_player(user=alice, game_id=game.pk, seat=2, now=NOW)
    with pytest.raises(NotFound):
        join_game(user=bob, game_id=game.pk, now=NOW)


def test_a_player_who_has_already_left_cannot_be_removed(lobby: Game, alice: User, bob: User) -> None:
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    with pytest.raises(NotFound, match="No player has seat 2") as refused:
        remove_player(user=alice, game_id=lobby.pk, seat=2, now=NOW)
    assert refused.value.code == "no-such-seat"


def test_a_host_who_leaves_hands_the_game_to_the_next_person(table: Table, alice: User, bob: User) -> None:
    """A computer has seat 2. Computers cannot host."""
    game = table.game(alice, seats=4, computers=["ace"])
    join_game(user=bob, game_id=game.pk, now=NOW)
    remove_player(user=alice, game_id=game.pk, seat=1, now=NOW)
    game.refresh_from_db()
    assert (game.host, game.status) == (bob, Game.Status.OPEN)
    assert seats(game) == {2: "Ace Sprocket", 3: "Bob"}
    assert history_of(game)[-2:] == ["Alice left.", "Bob is the host now."]
    assert not Notice.objects.filter(game=game).exists()


def test_a_lobby_with_only_computers_is_cancelled(table: Table, alice: User) -> None:
    game = table.game(alice, seats=4, computers=["ace", "rookie"])
    leave_game(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.ended_at) == (Game.Status.CANCELLED, NOW)
    with pytest.raises(Conflict, match="cancelled"):
        add_computer(user=alice, game_id=game.pk, strength="ace", now=NOW)
