"""The API of rulesets and starships."""

import rules
from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import retire_starship
from tests.games.api_client import ApiOf
from tests.games.support import HALL, LANE, Board


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


def test_the_library_lists_starships_without_boards(api: ApiOf, alice: User, starship: Starship) -> None:
    [ship] = api(alice).get("starships").body["results"]
    assert (ship["id"], ship["name"], ship["width"], ship["height"]) == (starship.pk, "Hall", 8, 8)
    assert ship["rulesets"] == ["robo-runner", "robo-arena", "amigo-1999", "factory-1999"]
    assert (ship["class"], ship["cells"], ship["elements"]) == ("shuttle", 64, ["beams", "depots"])
    assert "document" not in ship


def test_pagination_is_available(api: ApiOf, alice: User, starship: Starship) -> None:
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


def test_the_library_is_filtered(api: ApiOf, alice: User, starship: Starship) -> None:
    library = api(alice)
    for query, count in (
        ({"ruleset": "robo-runner", "section": "fleet"}, 1),
        ({"ruleset": "robo-runner", "section": "missions"}, 0),
        ({"q": "HAL tests", "class": "shuttle", "players": "8"}, 1),
        ({"class": "carrier"}, 0),
        ({"length": "medium"}, 1),
        ({"elements": "beams,depots"}, 1),
        ({"elements": "beams,oil"}, 0),
    ):
        assert len(library.get("starships", **query).body["results"]) == count, query


def test_an_unknown_filter_is_refused(api: ApiOf, alice: User) -> None:
    library = api(alice)
    for query in ({"ruleset": "chess"}, {"colour": "red"}, {"elements": "beams,b"}, {"page": "0"}):
        answer = library.get("starships", **query)
        assert answer.refusal == (400, "malformed")
        assert [problem["key"] for problem in answer.body["problems"]] == [*query]


def test_a_starship_includes_its_document(api: ApiOf, alice: User, starship: Starship) -> None:
    document = api(alice).get(f"starships/{starship.pk}").body["document"]
    assert document["format"] == "starship/1"
    assert document == rules.write_starship(rules.read_starship(HALL.document))


def test_a_retired_starship_is_not_listed_but_still_available(
    api: ApiOf, alice: User, starship: Starship
) -> None:
    retire_starship(starship_id=starship.pk)
    assert api(alice).get("starships").body["results"] == []
    assert api(alice).get(f"starships/{starship.pk}").body["retired"]
    assert api(alice).post("games", {"name": "Late", "starship": starship.pk}).status == 404


def test_an_unknown_starship_is_not_found(api: ApiOf, alice: User) -> None:
    assert api(alice).get(f"starships/{10**40}").refusal == (404, "no-starship")
