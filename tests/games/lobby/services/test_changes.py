"""Changing the settings of a lobby."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound
from games.fleet.models import Course, Piece, Starship
from games.fleet.services import save_starship
from games.lobby.seats import change_seat, join_game, leave_game, set_ready
from games.lobby.services import cancel_game, change_game
from games.play import stored
from games.play.models import Game
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, YARD, Board, Table, history_of, later


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby of Alice, Bob and a computer, with one open seat."""
    return table.game(alice, bob, seats=4, computers=["pilot"], starts_itself=False)


@pytest.fixture
def composed(alice: User) -> Game:
    """A lobby of Alice on two joined boards."""
    yard = YARD.saved()
    boards = [{"starship": yard.pk}, {"starship": yard.pk, "at": [1, 0], "turned": 1}]
    return Table(yard).game(alice, seats=3, ruleset="amigo-1999", boards=boards, checkpoints=[[3, 3], [7, 0]])


def change(game: Game, by: User, **changes: Any) -> list[str]:
    """Change a lobby's settings. Return the new entries in its list of changes."""
    before = len(history_of(game))
    change_game(user=by, game_id=game.pk, changes=changes, now=later(hours=1))
    game.refresh_from_db()
    return history_of(game)[before:]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "Second flight"}, "Alice renamed the game to “Second flight”."),
        ({"options": {"lives": 5}}, "Alice changed the option “Lives” from 3 to 5."),
        ({"options": {"hull_damage": False}}, "Alice changed the option “Hull damage” from yes to no."),
        (
            {"house_rules": {"damage_limit": 7}},
            "Alice changed the house rule “Damage that destroys a robot” from 10 to 7.",
        ),
        ({"seats": 3}, "Alice changed the number of seats from 4 to 3."),
        ({"private": True}, "Alice made the game private."),
        ({"pace": None}, "Alice changed the pace from “1 day a turn” to “no time limit”."),
        ({"pace": {"hours": 1}}, "Alice changed the pace from “1 day a turn” to “1 hour a turn”."),
    ],
)
def test_each_change_is_recorded_in_words(
    lobby: Game, alice: User, changes: dict[str, Any], sentence: str
) -> None:
    assert change(lobby, alice, **changes) == [sentence]
    assert lobby.moved_at == later(hours=1)


def test_automatic_start_is_recorded(lobby: Game, alice: User) -> None:
    [sentence] = change(lobby, alice, starts_itself=True)
    assert sentence.startswith("Alice ")
    assert "start" in sentence
    assert lobby.starts_itself


def test_several_changes_are_recorded_separately_and_omitted_settings_stay(lobby: Game, alice: User) -> None:
    noted = change(lobby, alice, seats=5, options={"lives": 1, "scanners": 2})
    assert len(noted) == 3
    assert (lobby.seats, lobby.options["lives"], lobby.options["scanners"]) == (5, 1, 2)
    change(lobby, alice, options={"lives": 5})
    change(lobby, alice, options={"scanners": 1}, private=True)
    assert (lobby.options["lives"], lobby.options["scanners"], lobby.private) == (5, 1, True)
    assert lobby.pace["hours"] == 24


def test_changes_reset_the_readiness_of_everyone_except_the_host(lobby: Game, alice: User) -> None:
    change(lobby, alice, private=True)
    assert dict(lobby.players.values_list("number", "ready")) == {1: True, 2: True, 3: False}
    assert [seat.robo_name for seat in lobby.players.filter(ready=False)] == ["Bob"]


def test_an_empty_change_is_not_recorded_and_resets_nothing(lobby: Game, alice: User) -> None:
    assert change(lobby, alice, name="First flight", seats=4, options={"lives": 3}, starship=None) == []
    assert not lobby.players.filter(ready=False).exists()
    assert lobby.moved_at == NOW


def test_seats_cannot_be_fewer_than_players(lobby: Game, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        change(lobby, alice, seats=2)
    assert refused.value.problems == [
        {"code": "seats", "detail": "The game already has 3 players. Choose at least that many seats."}
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "chess"}, "ruleset"),
        ({"options": {"lives": 99}}, "option"),
        ({"house_rules": {"damage_limit": "many"}}, "house-rule"),
        ({"boards": [{"starship": 1}]}, "boards"),
    ],
)
def test_errors_are_listed_and_nothing_changes(
    lobby: Game, alice: User, changes: dict[str, Any], code: str
) -> None:
    before = Game.objects.values().get(pk=lobby.pk)
    seats = list(lobby.players.values())
    with pytest.raises(Invalid) as refused:
        change(lobby, alice, private=True, **changes)
    assert code in {problem["code"] for problem in refused.value.problems}
    assert Game.objects.values().get(pk=lobby.pk) == before
    assert list(lobby.players.values()) == seats


def test_an_unknown_pace_or_starship_is_refused(lobby: Game, alice: User) -> None:
    with pytest.raises(Malformed):
        change(lobby, alice, pace={"hours": 0})
    with pytest.raises(NotFound):
        change(lobby, alice, starship=99999)


def test_only_the_host_changes_a_lobby(lobby: Game, bob: User, dave: User) -> None:
    for user in (bob, dave):
        with pytest.raises(Forbidden):
            change(lobby, user, private=True)


def test_a_started_or_cancelled_game_cannot_be_changed(duel: Game, lobby: Game, alice: User) -> None:
    cancel_game(user=alice, game_id=lobby.pk, now=NOW)
    for game, code in ((duel, "started"), (lobby, "cancelled")):
        with pytest.raises(Conflict) as refused:
            change(game, alice, private=True)
        assert refused.value.code == code


def test_with_fewer_seats_the_last_players_move_up(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, carol, seats=4)
    leave_game(user=bob, game_id=game.pk, now=NOW)
    assert change(game, alice, seats=3) == ["Alice changed the number of seats from 4 to 3."]
    assert list(game.players.order_by("number").values_list("number", flat=True)) == [1, 3]
    change(game, alice, seats=2)
    seats = game.players.select_related("user").order_by("number")
    assert [(seat.number, seat.robo_name) for seat in seats] == [(1, "Alice"), (2, "Carol")]
    with pytest.raises(Conflict) as refused:
        join_game(user=dave, game_id=game.pk, now=NOW)
    assert refused.value.code == "full"
    set_ready(user=carol, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_fewer_seats_may_start_a_game_against_computers(table: Table, alice: User) -> None:
    game = table.game(alice, seats=3, computers=["rookie"])
    change(game, alice, seats=2)
    assert game.status == Game.Status.RUNNING


def test_a_change_of_starship_is_recorded(lobby: Game, alice: User) -> None:
    other = Board("Great Hall", HALL.rows).saved()
    assert change(lobby, alice, starship=other.pk) == ["Alice changed the starship to Great Hall."]
    assert lobby.revision.starship == other


def test_a_new_revision_of_the_starship_is_recorded(lobby: Game, alice: User, starship: Starship) -> None:
    rows = list(HALL.rows)
    rows[1] = rows[1].replace(" . ", " o ", 1)
    save_starship(document={**HALL.document, "rows": rows}, section="fleet", starship_id=starship.pk, now=NOW)
    assert change(lobby, alice, private=True) == [
        "Alice updated Hall to its latest version.",
        "Alice made the game private.",
    ]
    starship.refresh_from_db()
    assert lobby.revision == starship.current


def test_new_boards_replace_the_old_ones(composed: Game, alice: User) -> None:
    before = composed.course_id
    yard = composed.revision.starship_id
    [sentence] = change(
        composed, alice, boards=[{"starship": yard, "turned": 2}], checkpoints=[[0, 0], [3, 2]]
    )
    assert sentence.startswith("Alice changed the starship to ")
    assert not Course.objects.filter(pk=before).exists()
    assert (Course.objects.count(), Piece.objects.count()) == (1, 1)
    assert composed.course_id is not None


def test_new_checkpoints_leave_the_boards_in_place(composed: Game, alice: User) -> None:
    before = stored.ship_of(composed)
    change(composed, alice, checkpoints=[[0, 0], [6, 3]])
    composed = Game.objects.get(pk=composed.pk)
    after = stored.ship_of(composed)
    assert (after.width, after.height) == (before.width, before.height)
    assert sorted(after.pos(cell) for cell in after.checkpoints.values()) == [(0, 0), (6, 3)]
    assert Course.objects.count() == 1


def test_other_changes_leave_the_joined_boards_unchanged(composed: Game, alice: User) -> None:
    before = rules.write_starship(stored.ship_of(composed))
    assert change(composed, alice, private=True) == ["Alice made the game private."]
    assert rules.write_starship(stored.ship_of(Game.objects.get(pk=composed.pk))) == before
    assert Course.objects.count() == 1


def test_boards_that_do_not_fit_change_nothing(composed: Game, alice: User) -> None:
    before = composed.course_id
    yard = composed.revision.starship_id
    boards = [{"starship": yard}, {"starship": yard}]
    with pytest.raises(Invalid):
        change(composed, alice, boards=boards, checkpoints=[[0, 0]])
    composed.refresh_from_db()
    assert composed.course_id == before
    assert Course.objects.count() == 1


def test_squads_are_assigned_again(alice: User, bob: User) -> None:
    ducts = DUCTS.saved()
    game = Table(ducts).game(alice, bob, seats=4, ruleset="robo-recon", squad="red")
    change_seat(user=bob, game_id=game.pk, squad="red", now=NOW)
    change(game, alice, seats=2, starts_itself=False)
    assert list(game.players.order_by("number").values_list("squad", flat=True)) == ["red", "blue"]


def test_another_ruleset_has_its_own_models_and_squads(alice: User, bob: User) -> None:
    workshop, ducts = WORKSHOP.saved(), DUCTS.saved()
    game = Table(workshop).game(alice, bob, seats=4, ruleset="group-11", model="albot")
    noted = change(game, alice, ruleset="robo-recon", starship=ducts.pk)
    assert noted[-2:] == [
        "Alice loses the model Albot, because the new ruleset does not have it.",
        "Bob loses the model Tanky, because the new ruleset does not have it.",
    ]
    assert [seat.robo_name for seat in game.players.filter(ready=False)] == ["Bob"]
    squads_and_models = list(game.players.order_by("number").values_list("squad", "model"))
    assert squads_and_models == [("red", ""), ("blue", "")]
    noted = change(game, alice, ruleset="group-11", starship=workshop.pk)
    assert noted[0].startswith("Alice changed the ruleset to ")
    for squad, model in game.players.values_list("squad", "model"):
        assert squad == ""
        assert model
