"""Squads and models of robots: default assignment, and choice before the start."""

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound, ServiceError
from games.lobby.seats import change_seat, join_game, leave_game
from games.lobby.services import cancel_game
from games.play.models import Game
from tests.games.support import DUCTS, NOW, WORKSHOP, Table, game_seen, later


@pytest.fixture
def recon(db: None) -> Table:
    return Table(DUCTS.saved())


@pytest.fixture
def workshop(db: None) -> Table:
    return Table(WORKSHOP.saved())


def squads(game: Game) -> dict[str, str]:
    return {seat.user.robo_name: seat.squad for seat in game.players.select_related("user")}


def models(game: Game) -> dict[str, str]:
    return {seat.user.robo_name: seat.model for seat in game.players.select_related("user")}


def join(game: Game, user: User, **asked: str) -> Game:
    return join_game(user=user, game_id=game.pk, now=NOW, **asked)


def change(game: Game, user: User, **asked: str) -> Game:
    return change_seat(user=user, game_id=game.pk, now=later(minutes=1), **asked)


def test_players_join_the_smaller_squad_or_the_one_they_choose(
    recon: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = recon.game(alice, bob, carol, dave, ruleset="robo-recon")
    assert squads(game) == {"Alice": "red", "Bob": "blue", "Carol": "red", "Dave": "blue"}
    assert game.status == Game.Status.RUNNING
    robots = game_seen(viewer=alice, game=game)["robots"]
    assert [robot["squad"] for robot in robots] == ["red", "blue", "red", "blue"]
    game = recon.game(alice, ruleset="robo-recon", seats=4, squad="blue")
    join(game, bob, squad="blue")
    assert squads(game) == {"Alice": "blue", "Bob": "blue"}


def test_a_full_squad_refuses_players_but_its_members_may_stay(recon: Table, alice: User, bob: User) -> None:
    game = recon.game(alice, ruleset="robo-recon", seats=2)
    with pytest.raises(Conflict) as refused:
        join(game, bob, squad="red")
    assert (refused.value.code, str(refused.value)) == (
        "squad-full",
        "The red squad is full. Choose the blue squad.",
    )
    assert squads(game) == {"Alice": "red"}
    change(game, alice, squad="red")
    assert squads(game) == {"Alice": "red"}


def test_players_get_a_free_model_or_the_one_they_choose(
    workshop: Table, alice: User, bob: User, carol: User
) -> None:
    game = workshop.game(alice, ruleset="group-11", seats=4, model="james-bot")
    join(game, bob)
    join(game, carol)
    assert models(game) == {"Alice": "james-bot", "Bob": "tanky", "Carol": "lazybot"}
    game = workshop.game(alice, ruleset="group-11", seats=2, model="peach")
    join(game, bob, model="peach")
    game.refresh_from_db()
    assert [robot["model"] for robot in game_seen(viewer=bob, game=game)["robots"]] == ["peach"] * 2


@pytest.mark.parametrize(
    ("ruleset", "asked", "code", "sentence"),
    [
        (
            "robo-recon",
            {"squad": "green"},
            "no-squad",
            "Robo Recon has no squad “green”. Choose one of these: red, blue.",
        ),
        (
            "robo-recon",
            {"model": "peach"},
            "no-model",
            "Robo Recon has no models, so you cannot choose “peach”.",
        ),
        ("group-11", {"squad": "red"}, "no-squad", "Group 11 has no squads, so you cannot choose “red”."),
    ],
)
def test_an_unknown_squad_or_model_is_refused(
    alice: User, bob: User, ruleset: str, asked: dict[str, str], code: str, sentence: str
) -> None:
    table = Table((DUCTS if ruleset == "robo-recon" else WORKSHOP).saved())
    game = table.game(alice, ruleset=ruleset, seats=4)
    for refuse in (lambda: join(game, bob, **asked), lambda: change(game, alice, **asked)):
        with pytest.raises(Invalid) as refused:
            refuse()
        assert (refused.value.code, str(refused.value)) == (code, sentence)
    with pytest.raises(Invalid) as refused:
        table.game(alice, ruleset=ruleset, seats=4, **asked)
    assert [problem["detail"] for problem in refused.value.problems] == [sentence]
    assert Game.objects.count() == 1


def test_both_errors_are_reported_together(recon: Table, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        recon.game(alice, ruleset="robo-recon", seats=4, squad="green", model="peach")
    assert [problem["code"] for problem in refused.value.problems] == ["squad", "model"]


def test_squads_and_models_may_be_changed_before_the_start(
    recon: Table, workshop: Table, alice: User, bob: User
) -> None:
    game = recon.game(alice, bob, ruleset="robo-recon", seats=4)
    assert change(game, bob, squad="red").moved_at == later(minutes=1)
    assert squads(game) == {"Alice": "red", "Bob": "red"}
    game = workshop.game(alice, bob, ruleset="group-11", seats=3)
    change(game, alice, model="albot")
    assert models(game) == {"Alice": "albot", "Bob": "james-bot"}


def test_the_game_starts_with_the_last_choices(workshop: Table, alice: User, bob: User) -> None:
    game = workshop.game(alice, ruleset="group-11", seats=2)
    change(game, alice, model="lazybot")
    join(game, bob)
    game.refresh_from_db()
    robots = game_seen(viewer=alice, game=game)["robots"]
    assert [robot["model"] for robot in robots] == ["lazybot", "tanky"]


def test_leaving_a_seat_frees_its_place_in_the_squad(
    recon: Table, alice: User, bob: User, carol: User
) -> None:
    game = recon.game(alice, bob, ruleset="robo-recon", seats=4)
    leave_game(user=alice, game_id=game.pk, now=NOW)
    join(game, carol)
    assert squads(game) == {"Bob": "blue", "Carol": "red"}


def test_a_refused_change_of_seat_gives_the_reason(
    recon: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = recon.game(alice, bob, ruleset="robo-recon", seats=4)
    join(game, carol)
    cases: list[tuple[User, dict[str, str], type[ServiceError], str]] = [
        (dave, {"squad": "red"}, Forbidden, "no-seat"),
        (bob, {}, Malformed, "nothing"),
        (bob, {"squad": "red"}, Conflict, "squad-full"),
    ]
    for user, asked, kind, code in cases:
        with pytest.raises(kind) as refused:
            change(game, user, **asked)
        assert refused.value.code == code
    join(game, dave)
    with pytest.raises(Conflict) as refused:
        change(game, bob, squad="red")
    assert refused.value.code == "started"
    with pytest.raises(NotFound):
        change_seat(user=bob, game_id=999, squad="red", now=NOW)
    game = recon.game(alice, ruleset="robo-recon", seats=4)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        change(game, alice, squad="blue")
    assert refused.value.code == "cancelled"
