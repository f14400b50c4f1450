"""Games that require a minimum reliability."""

import pytest
from django.db import transaction

from accounts.models import User
from games.absence.models import Reliability, Replacement
from games.absence.seats import replace_by_computer, take_seat
from games.errors import Forbidden, Invalid
from games.lobby.inputs import GameChanges, NewGame
from games.lobby.invitations import invite
from games.lobby.seats import join_game
from games.lobby.services import change_game, rematch
from games.play.history import sentence_of
from games.play.models import Game
from games.play.services import locked_game
from tests.games.reader import reader
from tests.games.support import NOW, Table, game_seen, history_of


@pytest.fixture
def choosy(table: Table, alice: User) -> Game:
    """A game that requires a reliability of 90 %."""
    return table.game(alice, seats=3, least_reliability=90)


def unreliable(user: User) -> User:
    """Record six missed turns in a row for a player."""
    Reliability.objects.create(user=user, turns=6, missed=6, recent="000000")
    return user


def join(user: User, game: Game) -> Game:
    return join_game(user=user, game_id=game.pk, link=game.link_token, now=NOW)


def test_newcomers_and_reliable_players_join(choosy: Game, bob: User, carol: User) -> None:
    Reliability.objects.create(user=carol, turns=5, missed=5, recent="00000")
    join(bob, choosy)
    join(carol, choosy)
    assert choosy.players.count() == 3


def test_other_players_are_refused_with_the_reason(choosy: Game, bob: User) -> None:
    with pytest.raises(Forbidden) as refused:
        join(unreliable(bob), choosy)
    assert refused.value.code == "unreliable"
    assert refused.value.detail.endswith("with a reliability of at least 90 %. Yours is 88 %.")
    page = reader(bob).post(f"/games/{choosy.pk}/join/")
    assert (page.status, "Yours is 88 %" in page.text) == (403, True)
    assert choosy.players.count() == 1


def test_players_invited_by_the_host_may_join(choosy: Game, alice: User, bob: User, carol: User) -> None:
    invite(user=alice, game_id=choosy.pk, robo_name="Bob", now=NOW)
    join(unreliable(bob), choosy)
    invite(user=bob, game_id=choosy.pk, robo_name="Carol", now=NOW)
    with pytest.raises(Forbidden):
        join(unreliable(carol), choosy)


def test_a_change_in_the_lobby_removes_no_one(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, unreliable(bob), seats=3)
    change_game(user=alice, game_id=game.pk, changes={"least_reliability": 95}, now=NOW)
    entry = game.lobby.latest("pk")
    assert sentence_of(entry) == "Alice set the minimum reliability to 95 %."
    assert game.players.count() == 2
    change_game(user=alice, game_id=game.pk, changes={"least_reliability": 0}, now=NOW)
    assert history_of(game)[-1] == "Alice removed the minimum reliability."


def test_an_invalid_name_and_percentage_are_refused_together() -> None:
    for declared, rest in ((NewGame, {"starship": 1}), (GameChanges, {})):
        with pytest.raises(Invalid) as refused:
            declared(data={"name": " ", "least_reliability": 101, **rest}).allowed()
        assert [problem["code"] for problem in refused.value.problems] == ["name", "least_reliability"]


def test_the_minimum_is_shown_wherever_players_can_join(choosy: Game, dave: User) -> None:
    assert game_seen(viewer=dave, game=choosy)["least_reliability"] == 90
    assert "Minimum reliability 90 %" in reader(dave).get(choosy.get_absolute_url()).text
    assert "minimum reliability 90 %" in reader(dave).get("/games/").text


def test_a_rematch_has_the_same_minimum(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, least_reliability=90)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, ended_at=NOW)
    made = rematch(user=alice, game_id=game.pk, now=NOW)
    assert made.least_reliability == 90
    assert rematch(user=unreliable(bob), game_id=game.pk, now=NOW).players.count() == 2


def test_unreliable_players_do_not_take_over_a_seat(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, least_reliability=90)
    with transaction.atomic():
        held = locked_game(game.pk)
        seat = held.players.get(user=bob)
        replace_by_computer(game=held, seat=seat, reason=Replacement.Reason.MISSED, now=NOW)
    with pytest.raises(Forbidden) as refused:
        take_seat(user=unreliable(carol), game_id=game.pk, seat=2, now=NOW)
    assert refused.value.code == "unreliable"
    unreliable(bob)
    take_seat(user=bob, game_id=game.pk, seat=2, now=NOW)  # which is their own
    assert game.players.get(number=2).user == bob
