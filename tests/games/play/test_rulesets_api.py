"""Every ruleset in the API: creating, joining and playing games."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.fleet.boards import MOST_BOARDS
from games.fleet.models import Course, Starship
from games.play.models import Game
from games.play.resolution import resolve_turn
from tests.games.api_client import Answer, Api, ApiOf
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, YARD, Board, open_turn, orders_for

BOARDS = {"robo-recon": DUCTS, "group-11": WORKSHOP, "websocket": WORKSHOP}


def board_for(key: str) -> Starship:
    return BOARDS.get(key, HALL).saved()


def create(api: Api, starship: Starship | None = None, **more: Any) -> Answer:
    given = {"name": "Any", "seats": 2, **more}
    if starship:
        given["starship"] = starship.pk
    return api.post("games", given)


def started(api: ApiOf, ruleset: str, board: Starship, alice: User, bob: User, **more: Any) -> Game:
    number = create(api(alice), board, ruleset=ruleset, **more).body["id"]
    api(bob).post(f"games/{number}/join")
    return Game.objects.get(pk=number)


def test_each_ruleset_describes_its_creation(api: ApiOf, alice: User) -> None:
    found = {each["key"]: each for each in api(alice).get("rulesets").body["results"]}
    assert list(found) == list(rules.RULESETS)
    assert found["robo-recon"]["squads"] == ["red", "blue"]
    assert [model["key"] for model in found["group-11"]["models"]] == list(rules.ruleset("group-11").models)
    assert (found["amigo-1999"]["boards"], found["robo-runner"]["boards"]) == (4, 1)
    assert (found["factory-1999"]["cells"], found["factory-1999"]["sets_start"]) == (4096, True)
    assert (found["amigo-1999"]["cells"], found["amigo-1999"]["sets_start"]) == (10_000, False)
    assert found["amigo-1999"]["checkpoints"] == {"least": 2, "most": 6, "set": True}
    assert {rule["key"] for rule in found["amigo-1999"]["house_rules"]} >= {"crushers", "damage_limit"}
    for ruleset in found.values():
        assert ruleset["summary"] and ruleset["options"] and ruleset["house_rules"]
        assert all(step["name"] and step["clauses"] and step["text"] for step in ruleset["steps"])
        parts = [step["part"] for step in ruleset["steps"]]
        assert parts == sorted(parts, key=["opening", "before", "phase", "entering", "end", "verdict"].index)


def test_a_starship_lists_unsuitable_rulesets_with_reasons(api: ApiOf, alice: User) -> None:
    press = Board("Press", ("a .+x1 .+i1",)).saved()
    body = api(alice).get(f"starships/{press.pk}").body
    assert body["rulesets"] == ["amigo-1999", "factory-1999"]
    assert set(body["unsuitable"]) == set(rules.RULESETS) - {"amigo-1999", "factory-1999"}
    assert body["unsuitable"]["robo-runner"] == [
        "row 1, column 2: Robo Runner does not have this element: crusher"
    ]


def test_the_library_is_filtered_by_ruleset(api: ApiOf, alice: User) -> None:
    for board in (HALL, DUCTS, WORKSHOP, Board("Press", (".+x1 a1 a2 .+i1",))):
        board.saved()
    every = api(alice).get("starships").body["results"]
    for key in rules.RULESETS:
        found = api(alice).get("starships", ruleset=key).body["results"]
        assert [ship["name"] for ship in found] == [ship["name"] for ship in every if key in ship["rulesets"]]
        assert 0 < len(found) < len(every)


def test_boards_are_joined_and_checkpoints_set(api: ApiOf, alice: User) -> None:
    yard = YARD.saved()
    boards = [{"starship": yard.pk, "turned": 2}, {"starship": yard.pk, "at": [0, 1]}]
    answer = create(api(alice), ruleset="amigo-1999", boards=boards, checkpoints=[[0, 0], [3, 7]])
    assert answer.status == 201
    body = answer.body
    assert body["boards"] == [
        {"starship": yard.pk, "name": "Yard", "revision": 1, "at": [0, 0], "turned": 2},
        {"starship": yard.pk, "name": "Yard", "revision": 1, "at": [0, 1], "turned": 0},
    ]
    ship = rules.read_starship(body["starship"])
    assert (ship.width, ship.height) == (4, 8)
    assert [ship.pos(cell) for cell in ship.checkpoints.values()] == [(0, 0), (3, 7)]
    [listed] = api(alice).get("games").body["results"]
    assert (listed["starship_name"], listed["starship_id"]) == ("Yard", yard.pk)


def test_house_rules_are_listed_with_the_options(api: ApiOf, alice: User, starship: Starship) -> None:
    body = create(api(alice), starship, house_rules={"robot_lasers": False}).body
    assert body["house_rules"] == {
        "robot_lasers": False,
        "piercing_lasers": False,
        "shared_deck": False,
        "damage_limit": 10,
    }
    assert set(body["options"]) == {"lives", "hull_damage", "scanners", "equipment"}
    [listed] = api(alice).get("games").body["results"]
    assert listed["house_rules"] == body["house_rules"]


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"house_rules": {"wings": True}}, "house_rules.wings"),
        ({"house_rules": {"crushers": True}}, "house_rules.crushers"),
        ({"boards": []}, "boards"),
        ({"boards": [{}] * (MOST_BOARDS + 1)}, "boards"),
        ({"boards": [{"starship": 1, "turned": 4}]}, "boards.0.turned"),
        ({"boards": [{"starship": 1, "colour": "red"}]}, "boards.0.colour"),
        ({"checkpoints": [[0, 0, 0]]}, "checkpoints.0"),
    ],
)
def test_malformed_values_name_their_key(
    api: ApiOf, alice: User, starship: Starship, more: dict[str, Any], key: str
) -> None:
    answer = create(api(alice), None if "boards" in more else starship, **more)
    assert answer.refusal == (400, "malformed")
    assert [problem["key"] for problem in answer.body["problems"]] == [key]
    assert not Game.objects.exists()


def test_a_starship_together_with_boards_is_refused(api: ApiOf, alice: User, starship: Starship) -> None:
    boards = [{"starship": starship.pk}]
    assert create(api(alice), starship, ruleset="amigo-1999", boards=boards).refusal == (400, "boards")


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"house_rules": {"damage_limit": 99}}, "house-rule", "“damage_limit” must be a whole number from 3"),
        ({"ruleset": "robo-recon"}, "starship", "an airlock for neither the red squad nor the blue squad"),
        ({"ruleset": "amigo-1999", "checkpoints": [[0, 0], [99, 0]]}, "checkpoints", "off the board"),
        ({"checkpoints": [[0, 0]]}, "checkpoints", "own checkpoints. You cannot set others"),
        ({"squad": "red"}, "squad", "Robo Runner has no squads, so you cannot choose “red”."),
        ({"seats": 8, "options": {"scanners": 4}, "house_rules": {"shared_deck": True}}, "seats", "84 chips"),
    ],
)
def test_contradictory_values_are_refused_with_their_cause(
    api: ApiOf, alice: User, starship: Starship, more: dict[str, Any], code: str, words: str
) -> None:
    answer = create(api(alice), starship, **more)
    assert answer.refusal == (422, "no-game")
    assert (answer.body["problems"][0]["code"], len(answer.body["problems"])) == (code, 1)
    assert words in answer.body["problems"][0]["detail"]
    assert not (Game.objects.exists() or Course.objects.exists())


def test_an_unsuitable_board_is_refused_with_row_and_column(api: ApiOf, alice: User) -> None:
    press = Board("Press", ("a .+x1 .+i1",)).saved()
    [problem] = create(api(alice), press).body["problems"]
    assert (problem["row"], problem["column"]) == (1, 2)


def test_an_unknown_board_cannot_be_joined(api: ApiOf, alice: User) -> None:
    boards = [{"starship": YARD.saved().pk}, {"starship": 999, "at": [1, 0]}]
    assert create(api(alice), ruleset="amigo-1999", boards=boards).refusal == (404, "no-starship")


def test_squads_are_chosen_and_changed(api: ApiOf, alice: User, bob: User, carol: User) -> None:
    body = create(api(alice), DUCTS.saved(), ruleset="robo-recon", seats=4, squad="blue").body
    path = f"games/{body['id']}"
    assert [seat["squad"] for seat in body["seats"]] == ["blue"]
    body = api(bob).post(f"{path}/join", {"squad": "blue"}).body
    assert [seat["squad"] for seat in body["seats"]] == ["blue", "blue"]
    assert api(carol).post(f"{path}/join", {"squad": "blue"}).refusal == (409, "squad-full")
    body = api(bob).post(f"{path}/seat", {"squad": "red"}).body
    assert [seat["squad"] for seat in body["seats"]] == ["blue", "red"]
    assert api(carol).post(f"{path}/seat", {"squad": "red"}).refusal == (403, "no-seat")
    assert api(bob).post(f"{path}/seat", {"squad": "green"}).refusal == (422, "no-squad")
    assert api(bob).post(f"{path}/seat", {"model": "peach"}).refusal == (422, "no-model")
    assert api(bob).post(f"{path}/seat", {}).refusal == (400, "nothing")


@pytest.mark.parametrize("key", rules.RULESETS)
def test_every_ruleset_is_played(api: ApiOf, alice: User, bob: User, key: str) -> None:
    game = started(api, key, board_for(key), alice, bob)
    clients = {user: api(user) for user in (alice, bob)}
    for _ in range(2):
        turn = open_turn(game)
        path = f"games/{game.pk}/turns/{turn.number}"
        for user, client in clients.items():
            orders = orders_for(game, user)
            assert client.post(f"{path}/preview", orders).status == 200
            answer = client.post(f"{path}/orders", orders)
            assert answer.status == 200
            assert answer.body["me"]["orders"] == orders
        resolve_turn(turn_id=turn.pk, now=NOW)
        past = client.get(path).body
        assert len(past["programs"]) == 2 and past["events"]
        game.refresh_from_db()
    assert client.get(f"games/{game.pk}/log").body["next"] == game.last_seq


def test_a_power_crystal_is_shown(api: ApiOf, alice: User, bob: User) -> None:
    game = started(api, "robo-recon", DUCTS.saved(), alice, bob)
    assert api(alice).get(f"games/{game.pk}").body["crystal"] is None
    for user in (alice, bob):
        api(user).post(f"games/{game.pk}/turns/0/orders", {"heading": "S"})
    resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    body = api(alice).get(f"games/{game.pk}").body
    assert body["crystal"] == [3, 0]
    assert [robot["name"] for robot in body["robots"]] == ["Alice", "Bob"]


def test_a_factory_game_has_a_chosen_start_and_random_checkpoints(api: ApiOf, alice: User) -> None:
    more = {"ruleset": "factory-1999", "start": [0, 1], "options": {"random_checkpoints": 3}}
    body = create(api(alice), YARD.saved(), **more).body
    assert body["options"] == {"lives": 3, "random_checkpoints": 3}
    ship = rules.read_starship(body["starship"])
    assert [ship.pos(cell) for cell in ship.airlocks] == [(0, 1)]
    assert sorted(ship.checkpoints) == [1, 2, 3]
    changed = api(alice).patch(f"games/{body['id']}", {"start": [0, 0]}).body
    ship = rules.read_starship(changed["starship"])
    assert ([ship.pos(cell) for cell in ship.airlocks], len(ship.checkpoints)) == ([(0, 0)], 3)


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"ruleset": "factory-1999", "start": [1, 1]}, 422, "start"),
        ({"ruleset": "amigo-1999", "start": [0, 0]}, 422, "start"),
        ({"ruleset": "factory-1999", "options": {"random_checkpoints": 21}}, 422, "option"),
        (
            {"ruleset": "factory-1999", "options": {"random_checkpoints": 2}, "checkpoints": [[0, 0]]},
            422,
            "checkpoints",
        ),
    ],
)
def test_an_impossible_start_or_checkpoint_is_refused(
    more: dict[str, Any], status: int, code: str | None, api: ApiOf, alice: User
) -> None:
    answer = create(api(alice), YARD.saved(), **more)
    assert answer.status == status
    if code:
        assert code in [problem["code"] for problem in answer.body["problems"]]
    assert not Game.objects.exists()


def test_a_starship_with_too_few_places_is_refused(api: ApiOf, alice: User) -> None:
    answer = create(api(alice), WORKSHOP.saved(), ruleset="websocket", seats=5)
    assert answer.refusal == (422, "no-game")
    detail = "The starship has start cells for 4 robots, not for 5. Choose another starship or fewer players."
    assert answer.body["problems"] == [{"code": "starship", "detail": detail}]
    assert not Game.objects.exists()
