"""Rulesets and starships."""

import pytest

import rules
from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import retire_starship, save_starship
from tests.games.api_client import ApiOf
from tests.games.support import HALL, LANE, NOW, Board


def test_rulesets_have_options_defaults_and_steps(api: ApiOf, alice: User) -> None:
    ruleset = api(alice).get("rulesets").body["results"][0]
    assert ruleset["key"] == "robo-runner"
    assert ruleset["seats"] == {"least": 1, "most": 8}
    assert ruleset["defaults"]["lives"] == 3
    lives = next(option for option in ruleset["options"] if option["key"] == "lives")
    assert (lives["type"], lives["least"], lives["most"]) == ("integer", 1, 9)
    phase = [step for step in ruleset["steps"] if step["part"] == "phase"]
    assert [step["name"] for step in phase] == [step.name for step in rules.ruleset("robo-runner").phase]
    assert phase[1]["text"]


def test_defaults_make_a_game(api: ApiOf, alice: User, starship: Starship) -> None:
    ruleset = api(alice).get("rulesets").body["results"][0]
    document = {"name": "By default", "starship": starship.pk, "options": ruleset["defaults"]}
    assert api(alice).post("games", document).body["options"] == ruleset["defaults"]


def test_the_library_lists_starships_without_their_boards(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    [ship] = api(alice).get("starships").body["results"]
    assert (ship["id"], ship["name"], ship["width"], ship["height"]) == (starship.pk, "Hall", 8, 8)
    assert ship["rulesets"] == ["robo-runner", "robo-arena", "amigo-1999", "factory-1999"]
    assert (ship["class"], ship["cells"], ship["elements"]) == ("shuttle", 64, ["beams", "depots"])
    assert "document" not in ship


def test_pages_come_to_those_who_ask_for_them(api: ApiOf, alice: User, starship: Starship) -> None:
    for number in range(3):
        Board(f"Lane {number}", LANE.rows).saved()
    reader = api(alice)
    assert reader.get("starships").body.keys() == {"results"}
    first = reader.get("starships", limit="2", sort="name").body
    assert [ship["name"] for ship in first["results"]] == ["Hall", "Lane 0"]
    assert (first["count"], first["previous"]) == (4, None)
    assert first["next"].endswith("/api/v1/starships?limit=2&page=2&sort=name")
    last = reader.get("starships", limit="2", sort="name", page="2").body
    assert ([ship["name"] for ship in last["results"]], last["next"]) == (["Lane 1", "Lane 2"], None)
    beyond = reader.get("starships", limit="2", page="2147483647").body
    assert beyond["results"] == []
    assert beyond["previous"].endswith("page=2")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"section": "fleet"}, 1),
        ({"section": "missions"}, 0),
        ({"ruleset": "robo-runner"}, 1),
        ({"ruleset": "robo-runner", "section": "missions"}, 0),
        ({"q": "HAL tests"}, 1),
        ({"q": "lane"}, 0),
        ({"class": "shuttle", "players": "8"}, 1),
        ({"class": "carrier"}, 0),
        ({"elements": "beams,depots"}, 1),
        ({"elements": "beams,oil"}, 0),
    ],
)
def test_the_library_is_filtered(
    api: ApiOf, alice: User, starship: Starship, query: dict[str, str], count: int
) -> None:
    assert len(api(alice).get("starships", **query).body["results"]) == count


@pytest.mark.parametrize(
    "query",
    [
        {"section": "scrapyard"},
        {"ruleset": "chess"},
        {"colour": "red"},
        {"class": "dinghy"},
        {"elements": "beams,b"},
        {"sort": "price"},
        {"page": "0"},
        {"players": "9"},
        {"q": "x" * 81},
    ],
)
def test_a_filter_that_there_is_not_is_refused(api: ApiOf, alice: User, query: dict[str, str]) -> None:
    answer = api(alice).get("starships", **query)
    assert answer.refusal == (400, "malformed")
    [(key, _)] = query.items()
    assert answer.body["problems"][0]["key"] == key


def test_a_starship_comes_with_its_document(api: ApiOf, alice: User, starship: Starship) -> None:
    document = api(alice).get(f"starships/{starship.pk}").body["document"]
    assert document["format"] == "starship/1"
    assert document == rules.write_starship(rules.read_starship(HALL.document))


def test_a_retired_starship_is_listed_no_more_and_still_shown(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    retire_starship(starship_id=starship.pk)
    assert api(alice).get("starships").body["results"] == []
    assert api(alice).get(f"starships/{starship.pk}").body["retired"]
    assert api(alice).post("games", {"name": "Late", "starship": starship.pk}).status == 404


def test_a_new_revision_is_the_one_that_is_shown(api: ApiOf, alice: User, starship: Starship) -> None:
    document = {**HALL.document, "name": "Great Hall"}
    save_starship(starship_id=starship.pk, document=document, section="fleet", now=NOW)
    body = api(alice).get(f"starships/{starship.pk}").body
    assert (body["name"], body["revision"]) == ("Great Hall", 2)


@pytest.mark.parametrize("number", [0, 999, 2**63, 10**40])
def test_a_starship_that_there_is_not(api: ApiOf, alice: User, number: int) -> None:
    assert api(alice).get(f"starships/{number}").refusal == (404, "no-starship")


def test_programs_find_starships_by_length(api: ApiOf, alice: User, starship: Starship) -> None:
    assert [ship["name"] for ship in api(alice).get("starships?length=medium").body["results"]] == ["Hall"]
    assert api(alice).get("starships?length=long").body["results"] == []
    assert api(alice).get("starships?length=endless").status == 400
