"""The API for creating, finding, joining and leaving games."""

from typing import Any

import pytest

from accounts.models import User
from games.fleet.models import Starship
from games.play.models import Game
from tests.games.api_client import ApiOf, names_of
from tests.games.support import Table

UNLIMITED = {"hours": None, "minutes": None, "at": None, "zone": None, "bank": None, "increment": None}


def new_game(starship: Starship, **more: Any) -> dict[str, Any]:
    return {
        "name": "First flight",
        "starship": starship.pk,
        "ruleset": "robo-runner",
        "options": {"lives": 3, "hull_damage": False, "scanners": 0, "equipment": False},
        "seats": 2,
        "computers": [],
        "private": False,
        "pace": {"hours": 48},
        **more,
    }


def test_the_host_takes_seat_1(api: ApiOf, alice: User, starship: Starship) -> None:
    answer = api(alice).post("games", new_game(starship))
    assert answer.status == 201
    body = answer.body
    mine = {"hand": [], "submitted": False, "missed": False, "orders": None, "draft": None, "bank": None}
    mine |= {"excused": None, "given_by": None, "standing": "laid", "may_stay_down": False, "mark": ""}
    assert body["me"] == {"seat": 1, "sits": False, **mine}
    agreed = {"place": None, "squad": None, "model": None, "look": 1, "computer": None, "ready": True}
    agreed |= {"companion": False, "steered_by": None, "offered": False, "reliability": 100}
    assert body["seats"] == [{"seat": 1, "name": "Alice", **agreed}]
    assert (body["status"], body["turn"], body["robots"], body["waiting_for"]) == ("open", None, [], [])
    assert body["options"] == {"lives": 3, "hull_damage": False, "scanners": 0, "equipment": False}
    assert body["starship"] == starship.current.document
    assert (body["seats_total"], body["pace"]["hours"], body["private"]) == (2, 48, False)


def test_name_and_starship_suffice_and_a_solo_game_starts_immediately(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    body = api(alice).post("games", {"name": "Short", "starship": starship.pk}).body
    assert (body["ruleset"], body["seats_total"], body["pace"]) == ("robo-runner", 2, UNLIMITED)
    body = api(alice).post("games", new_game(starship, seats=1)).body
    assert (body["status"], body["turn"], body["waiting_for"]) == ("running", 0, ["Alice"])
    assert body["deadline"] == "2026-11-23T12:00:00Z"


def test_a_pace_is_returned_with_all_its_keys(api: ApiOf, alice: User, starship: Starship) -> None:
    pace = {"hours": 24, "at": "20:00", "zone": "Europe/Berlin"}
    game = api(alice).post("games", new_game(starship, pace=pace)).body
    assert game["pace"] == {**UNLIMITED, **pace}
    assert api(alice).get("games").body["results"][0]["pace"] == game["pace"]


@pytest.mark.parametrize("pace", [None, {}, {"hours": None}])
def test_a_game_may_have_no_deadline(api: ApiOf, alice: User, starship: Starship, pace: Any) -> None:
    body = api(alice).post("games", new_game(starship, seats=1, pace=pace)).body
    assert (body["pace"], body["deadline"]) == (UNLIMITED, None)


def test_a_malformed_game_names_the_key(api: ApiOf, alice: User, starship: Starship) -> None:
    for more, key in (
        ({"colour": "red"}, "colour"),
        ({"name": None}, "name"),
        ({"starship": True}, "starship"),
        ({"computers": "rookie"}, "computers"),
        ({"computers": [1]}, "computers.0"),
        ({"options": []}, "options"),
        ({"options": {"livez": 3}}, "options.livez"),
        ({"options": {"lives": True}}, "options.lives"),
    ):
        answer = api(alice).post("games", new_game(starship) | more)
        assert answer.refusal == (400, "malformed")
        assert [problem["key"] for problem in answer.body["problems"]] == [key]
        assert key.split(".")[-1] in answer.body["detail"] or key == "computers.0"
    assert not Game.objects.exists()


def test_all_malformed_keys_are_reported_together(api: ApiOf, alice: User, starship: Starship) -> None:
    document = {"starship": "x", "seats": 2.5, "colour": "red", "options": {}}
    problems = api(alice).post("games", document).body["problems"]
    assert {(problem["key"], problem["code"]) for problem in problems} == {
        ("name", "required"),
        ("starship", "invalid"),
        ("seats", "invalid"),
        ("colour", "unknown-key"),
    }


@pytest.mark.parametrize(
    ("more", "problems"),
    [
        ({"pace": {"hours": 0}}, [("pace.hours", "min-value")]),
        ({"pace": {"hours": True, "zone": 1}}, [("pace.hours", "invalid"), ("pace.zone", "invalid")]),
        ({"pace": {"days": 1, "weeks": 2}}, [("pace.days", "unknown-key"), ("pace.weeks", "unknown-key")]),
        ({"pace": 24}, [("pace", "invalid")]),
        ({"pace": {"hours": 2, "bank": 2, "increment": 1}}, [("pace", "invalid")]),
        (
            {"absence": {"excused": 99, "mercy": 1}},
            [("absence.excused", "max-value"), ("absence.mercy", "unknown-key")],
        ),
        ({"absence": {"policy": "give-up", "excused": 2}}, [("absence", "invalid")]),
        (
            {"boards": [1, {"starship": 1, "colour": 1}]},
            [("boards.0", "invalid"), ("boards.1.colour", "unknown-key")],
        ),
        ({"boards": True}, [("boards", "not-a-list")]),
    ],
)
def test_errors_within_a_key_are_reported_in_the_same_form(
    api: ApiOf, alice: User, starship: Starship, more: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    lobby = Table(starship).game(alice, seats=3)
    for answer in (
        api(alice).post("games", new_game(starship, **more)),
        api(alice).patch(f"games/{lobby.pk}", more),
    ):
        assert answer.refusal == (400, "malformed")
        assert [(problem["key"], problem["code"]) for problem in answer.body["problems"]] == problems
        assert all(problem["detail"] in answer.body["detail"] for problem in answer.body["problems"])


@pytest.mark.parametrize("more", [{"name": "  "}, {"seats": 9}, {"options": {"lives": 0}}])
def test_an_impossible_game_is_refused(
    api: ApiOf, alice: User, starship: Starship, more: dict[str, Any]
) -> None:
    answer = api(alice).post("games", new_game(starship, **more))
    assert answer.refusal == (422, "no-game")
    assert len(answer.body["problems"]) == 1
    assert not Game.objects.exists()


def test_an_unknown_starship_is_refused(api: ApiOf, alice: User, starship: Starship) -> None:
    assert api(alice).post("games", new_game(starship) | {"starship": 10**20}).refusal == (404, "no-starship")


def test_the_last_player_to_join_starts_the_game(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2)
    answer = api(bob).post(f"games/{game.pk}/join")
    assert answer.status == 200
    assert (answer.body["status"], answer.body["turn"], answer.body["me"]["seat"]) == ("running", 0, 2)
    assert answer.body["waiting_for"] == ["Alice", "Bob"]
    assert answer.body["link"] is None, "a public game has none"


def test_joining_accepts_an_empty_object_and_a_player_leaves_before_the_start(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=3)
    assert api(bob).post(f"games/{game.pk}/join", {}).body["me"]["seat"] == 2
    game = table.game(alice, bob, seats=3)
    body = api(bob).post(f"games/{game.pk}/leave").body
    assert body["me"] is None
    assert [seat["name"] for seat in body["seats"]] == ["Alice"]


@pytest.fixture
def secret(table: Table, alice: User) -> Game:
    return table.game(alice, seats=3, private=True)


def test_a_private_game_is_listed_only_for_its_players_and_joined_by_its_link(
    api: ApiOf, secret: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    assert names_of(api(alice)) == ["First flight"]
    assert names_of(api(dave)) == names_of(api(erin)) == []
    link = api(alice).get(f"games/{secret.pk}").body["link"]
    assert api(bob).get(f"games/{secret.pk}", link=link).body["link"] is None
    body = api(bob).post(f"games/{secret.pk}/join", {"link": link}).body
    assert (body["me"]["seat"], body["link"]) == (2, link)
