"""The service that creates games, and every reason for a refusal."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Invalid, Malformed, NotFound
from games.fleet.models import Course, Piece, Starship
from games.fleet.services import retire_starship, save_starship
from games.lobby.services import create_game
from games.news.models import Notice
from games.play import stored
from games.play.models import Game, Seat
from games.play.terms import Terms
from tests.games.support import DUCTS, HALL, LANE, NOW, WORKSHOP, YARD, Board, Table, open_turn

PAIR = Board("Pair", ("a1 a2 .+i1 .+i2",))
"""A board with two start cells."""


def details(error: Invalid) -> list[str]:
    return [problem["detail"] for problem in error.problems]


def test_the_host_takes_seat_1(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2)
    seat = game.players.get()
    assert (seat.number, seat.user, game.host) == (1, alice, alice)
    assert (game.status, game.turn) == (Game.Status.OPEN, None)


def test_a_game_stores_ruleset_version_options_and_the_current_board(
    table: Table, starship: Starship, alice: User
) -> None:
    game = table.game(alice, seats=2, options={"lives": 5})
    assert (game.ruleset, game.version) == ("robo-runner", 2)
    assert game.options == {"lives": 5, "hull_damage": True, "scanners": 0, "equipment": False}
    save_starship(starship_id=starship.pk, document=LANE.document, section="fleet", now=NOW)
    game.refresh_from_db()
    assert game.revision.number == 1
    assert game.revision.document["name"] == "Hall"


def test_a_solo_game_starts_immediately(table: Table, alice: User) -> None:
    game = table.game(alice)
    assert (game.status, game.turn, game.started_at) == (Game.Status.RUNNING, 0, NOW)
    assert Notice.objects.get().user == alice


def test_every_game_has_its_own_seed_and_link(starship: Starship, alice: User) -> None:
    games = [
        create_game(host=alice, terms=Terms(name="Flight", starship=starship.pk), now=NOW) for _ in range(3)
    ]
    assert len({game.seed for game in games}) == 3
    assert all(len(game.seed) == 32 for game in games)
    assert len({game.link_token for game in games}) == 3


@pytest.mark.parametrize(
    "pace",
    [
        {"hours": 24, "at": "20:00", "zone": "Europe/Berlin"},
        {"bank": 72, "increment": 12},
    ],
)
def test_a_pace_is_stored_with_its_keys(table: Table, alice: User, pace: Any) -> None:
    nothing = dict.fromkeys(("hours", "at", "zone", "bank", "increment"))
    assert table.game(alice, seats=2, pace=pace).pace == {"format": "pace/2", **nothing, **pace}


def test_without_a_pace_there_is_no_deadline(table: Table, alice: User) -> None:
    without = table.game(alice, pace=None)
    assert stored.pace_of(without) is None
    assert open_turn(without).deadline is None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ruleset": "chess"}, f"there is no ruleset “chess”; there are: {', '.join(rules.RULESETS)}"),
        ({"options": {"lives": 0}}, "“lives” must be a whole number from 1 to 9"),
        ({"options": {"wings": 1}}, "Robo Runner has no option “wings”"),
        ({"seats": 9}, "Robo Runner is for 1 to 8 players, not 9"),
    ],
)
def test_it_refuses_invalid_terms(table: Table, alice: User, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(alice, **{"seats": 2, **given})
    assert details(refused.value) == [sentence]
    assert not Game.objects.exists()


def test_every_error_names_its_field(table: Table, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(
            alice,
            seats=9,
            options={"lives": 10, "wings": 1},
            house_rules={"damage_limit": 99, "wings": 1},
            squad="red",
        )
    faults = [(problem["code"], problem.get("key")) for problem in refused.value.problems]
    assert faults == [
        ("option", "lives"),
        ("option", "wings"),
        ("house-rule", "damage_limit"),
        ("house-rule", "wings"),
        ("seats", None),
        ("squad", None),
    ]


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_game_of_every_ruleset_starts(key: str, alice: User, bob: User) -> None:
    boards = {"robo-recon": DUCTS, "group-11": WORKSHOP, "websocket": WORKSHOP}
    game = Table(boards.get(key, HALL).saved()).game(alice, bob, ruleset=key)
    opening = bool(rules.ruleset(key).opening)
    assert (game.status, game.turn) == (Game.Status.RUNNING, 0 if opening else 1)
    dealt = [len(stored.chips_of(hand)) for hand in open_turn(game).hands.order_by("robot")]
    assert dealt == ([0, 0] if opening else [9, 9])
    assert game.house_rules == {rule.key: rule.default for rule in rules.ruleset(key).house_rules}


@pytest.mark.parametrize("key", ["factory-1999", "websocket"])
def test_a_solo_game_deals_its_first_hand_immediately(key: str, alice: User) -> None:
    game = Table(WORKSHOP.saved()).game(alice, ruleset=key)
    assert (game.turn, len(stored.chips_of(open_turn(game).hands.get()))) == (1, 9)
    assert Notice.objects.get().turn == 1


def test_house_rules_affect_the_game(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, house_rules={"robot_lasers": False, "damage_limit": 5})
    assert game.house_rules == {
        "robot_lasers": False,
        "piercing_lasers": False,
        "shared_deck": False,
        "damage_limit": 5,
    }
    played = stored.setup_of(game).ruleset
    assert played.damage_limit == 5
    assert played != rules.ruleset("robo-runner")
    assert stored.setup_of(table.game(alice, seats=2)).ruleset == rules.ruleset("robo-runner")


def test_a_joined_board_is_stored_with_the_game(alice: User, bob: User) -> None:
    yard, lane = YARD.saved(), LANE.saved()
    boards = [
        {"starship": yard.pk, "at": [0, 0], "turned": 1},
        {"starship": yard.pk, "at": [1, 0], "turned": 3},
    ]
    game = Table(yard).game(alice, bob, ruleset="amigo-1999", boards=boards, checkpoints=[[3, 3], [7, 0]])
    assert game.course
    before = game.course.document
    pieces = [(piece.revision, piece.column, piece.row, piece.turned) for piece in game.course.pieces.all()]
    assert pieces == [(yard.current, 0, 0, 1), (yard.current, 1, 0, 3)]
    assert (game.revision, game.board_name, game.course.width) == (yard.current, "Yard", 8)
    save_starship(starship_id=yard.pk, document=lane.current.document, section="fleet", now=NOW)
    game = Game.objects.get(pk=game.pk)
    assert rules.write_starship(stored.ship_of(game)) == before
    assert list(stored.ship_of(game).checkpoints) == [1, 2]


@pytest.mark.parametrize(
    ("given", "code", "sentence"),
    [
        ({"ruleset": "robo-runner"}, "boards", "cannot join boards"),
        ({"boards": 5}, "boards", "at most 4 joined boards, not 5"),
        ({"checkpoints": [[1, 1], [0, 0]]}, "checkpoints", "row 2, column 2"),
        ({"checkpoints": [[0, 0], [8, 0]]}, "checkpoints", "off the board, which has 8 × 4 cells"),
        ({"checkpoints": None}, "starship", "needs at least 2 checkpoints"),
        ({"checkpoints": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0]]}, "starship", "at most 6"),
    ],
)
def test_an_unplayable_joined_board_leaves_nothing_behind(
    alice: User, given: dict[str, Any], code: str, sentence: str
) -> None:
    yard = YARD.saved()
    count = given.pop("boards", 2)
    boards = [{"starship": yard.pk, "at": [column, 0]} for column in range(count)]
    asked = {"ruleset": "amigo-1999", "seats": 2, "checkpoints": [[0, 0], [7, 3]], **given}
    with pytest.raises(Invalid) as refused:
        Table(yard).game(alice, boards=boards, **asked)
    problem = refused.value.problems[0]
    assert problem["code"] == code
    assert sentence in problem["detail"]
    assert not (Game.objects.exists() or Course.objects.exists() or Piece.objects.exists())


def test_a_failed_insert_of_the_game_leaves_no_joined_board_behind(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard = YARD.saved()

    def fail(**_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Seat.objects, "create", fail)
    with pytest.raises(OSError):
        Table(yard).game(
            alice, seats=2, ruleset="amigo-1999", boards=[{"starship": yard.pk}], checkpoints=[[0, 0], [3, 3]]
        )
    assert not Course.objects.exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ruleset": "robo-recon", "seats": 3}, "3 players cannot form 2 squads of the same size"),
        (
            {"house_rules": {"shared_deck": True}, "options": {"scanners": 4}, "seats": 8},
            "one deck of 84 chips",
        ),
        ({"ruleset": "websocket", "seats": 3}, "start cells for 2 robots, not for 3"),
        (
            {"ruleset": "group-11", "options": {"checkpoints": 3}},
            "the starship has 2 checkpoints, but the option asks for 3",
        ),
    ],
)
def test_it_refuses_contradictory_terms(alice: User, given: dict[str, Any], sentence: str) -> None:
    board = {"robo-recon": DUCTS, "websocket": PAIR, "group-11": PAIR}.get(given.get("ruleset", ""), HALL)
    with pytest.raises(Invalid) as refused:
        Table(board.saved()).game(alice, **{"seats": 2, **given})
    assert len(refused.value.problems) == 1
    assert sentence in refused.value.problems[0]["detail"]
    assert not Game.objects.exists()


@pytest.mark.parametrize("pace", [24, {"hours": 337}, {"bank": 5}])
def test_it_refuses_an_invalid_pace(table: Table, alice: User, pace: Any) -> None:
    with pytest.raises(Malformed) as refused:
        table.game(alice, pace=pace)
    assert refused.value.code == "malformed"


def test_a_retired_or_unknown_starship_is_refused(table: Table, starship: Starship, alice: User) -> None:
    retire_starship(starship_id=starship.pk)
    for number in (starship.pk, 999):
        with pytest.raises(NotFound) as refused:
            create_game(host=alice, terms=Terms(name="Flight", starship=number, seats=2), now=NOW)
        assert refused.value.code == "no-starship"


def test_a_board_unsuitable_for_the_ruleset_is_refused(alice: User) -> None:
    ship = Board("Crushed", ("a .+x1", ". .+i1")).saved()
    with pytest.raises(Invalid) as refused:
        create_game(host=alice, terms=Terms(name="Flight", starship=ship.pk, seats=2), now=NOW)
    assert details(refused.value) == ["row 1, column 2: Robo Runner does not have this element: crusher"]
    assert (refused.value.problems[0]["code"], refused.value.problems[0]["row"]) == ("starship", 1)
