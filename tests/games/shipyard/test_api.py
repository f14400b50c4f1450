"""The API of the Shipyard."""

import json
from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import MAX_PROBLEMS
from games.fleet.models import Starship
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import MOST_CELLS, problems_in
from games.web.answers import SHIP_LIMIT
from rules.document import MAX_NAMED_FAULTS, Problem
from rules.language import Sentence
from rules.mending import Fault, Fix
from rules.tunnel.findings import LIMITS
from rules.tunnel.outlook import outlook_of
from rules.tunnel.run import findings_without_flights
from tests.games.api_client import Answer, Api
from tests.games.shipyard.drawing import CANOE, WRECK, document, drafted, parent

BLANK = {"width": 3, "height": 2}


class Yard:
    """Alice's drafts, and her client of the API."""

    def __init__(self, alice: User) -> None:
        self.api = Api(alice)

    def put(self, draft: StarshipDraft, body: Any, match: str | None = '"1"') -> Answer:
        """Save a draft. ``match`` is the header If-Match."""
        self.api.headers.pop("If-Match", None)
        if match is not None:
            self.api.headers["If-Match"] = match
        return self.api.put(f"shipyard/drafts/{draft.pk}", body)


@pytest.fixture
def yard(alice: User) -> Yard:
    return Yard(alice)


def test_a_draft_starts_with_plain_hull_and_one_side_makes_a_square(yard: Yard) -> None:
    made = yard.api.post("shipyard/drafts", {**BLANK, "name": "Tub", "ruleset": "robo-runner"})
    assert (made.status, made.headers["ETag"]) == (201, '"1"')
    assert made.body["document"]["rows"] == [". . .", ". . ."]
    assert (made.body["name"], made.body["ruleset"], made.body["players"]) == ("Tub", "robo-runner", 4)
    assert {problem["code"] for problem in made.body["problems"]} == {"checkpoint-count", "no-start"}
    made = yard.api.post("shipyard/drafts", {"width": 3})
    assert (made.body["width"], made.body["height"]) == (3, 3)


def test_a_draft_starts_from_a_copy(yard: Yard, starship: Starship) -> None:
    made = yard.api.post("shipyard/drafts", {"starship": starship.pk})
    assert made.body["parent"] == parent("starship", starship.pk, "Hall")
    again = yard.api.post("shipyard/drafts", {"draft": made.body["id"], "name": "Second"})
    assert again.body["parent"] == parent("draft", made.body["id"], "Hall")
    assert again.body["document"]["rows"] == made.body["document"]["rows"]


def test_an_invalid_start_is_refused(yard: Yard) -> None:
    assert yard.api.post("shipyard/drafts", {}).refusal == (422, "no-draft")
    assert yard.api.post("shipyard/drafts", {**BLANK, "document": document()}).refusal == (422, "no-draft")


def test_the_list_is_sorted_by_last_save_and_has_no_documents(yard: Yard, alice: User) -> None:
    drafted(alice)
    drafted(alice, "a .+i1")
    answer = yard.api.get("shipyard/drafts").body
    assert [draft["width"] for draft in answer["results"]] == [2, 3]
    assert answer["most"] == 20 and "document" not in answer["results"][0]


def test_its_version_is_its_etag(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    answer = yard.api.get(f"shipyard/drafts/{draft.pk}")
    assert (answer.headers["ETag"], answer.body["version"]) == ('"1"', 1)
    assert answer.body["problems"] == []


def test_problems_include_their_fixes(yard: Yard, alice: User) -> None:
    draft = drafted(alice, *WRECK)
    problems = yard.api.get(f"shipyard/drafts/{draft.pk}").body["problems"]
    assert problems[0] == {
        "code": "unreadable",
        "detail": "The floor “qq” is unknown.",
        "row": 1,
        "column": 2,
        "cells": [],
        "severity": "error",
        "fix": {"label": "Change it to hull", "cells": [{"row": 1, "column": 2, "token": "."}]},
    }
    (short,) = (problem for problem in problems if problem["code"] == "row-length")
    assert (short["row"], short["column"]) == (2, None)
    assert short["fix"]["cells"] == [{"row": 2, "column": 4, "token": "."}]


def test_saving_makes_the_next_version(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    saved = yard.put(draft, {"document": document("a .+i1"), "name": "Raft", "players": 2})
    assert (saved.status, saved.headers["ETag"], saved.body["version"]) == (200, '"2"', 2)
    assert (saved.body["name"], saved.body["document"]["name"], saved.body["players"]) == ("Raft", "Raft", 2)


def test_a_save_must_name_the_version_it_is_based_on(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    body = {"document": document("a")}
    assert yard.put(draft, body, None).refusal == (428, "no-version")
    for nonsense in ("1", "*", '"one"', '"1", "2"', '"' + "9" * 30 + '"'):
        assert yard.put(draft, body, nonsense).refusal == (400, "malformed")
    assert yard.put(draft, body, 'W/"1"').status == 200, "a proxy that compresses may weaken it"


def test_an_outdated_save_gets_the_current_draft(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    yard.put(draft, {"document": document("a .+i1")})
    stale = yard.put(draft, {"document": document("a o .+i1")})
    assert (stale.status, stale.body["error"]) == (412, "stale")
    assert stale.body["draft"]["version"] == 2
    assert stale.body["draft"]["document"]["rows"] == ["a .+i1"]


def test_an_invalid_drawing_is_refused_with_all_its_errors(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    body = {"document": {**document("."), "colour": "red", "name": 3}, "ruleset": "nonsense"}
    answer = yard.put(draft, body)
    assert answer.refusal == (422, "no-draft")
    assert {problem.get("key") for problem in answer.body["problems"]} == {"ruleset", "colour", "name"}


def test_html_is_stored_as_sent(yard: Yard, alice: User) -> None:
    name = "<b onload=alert(1)>"
    saved = yard.put(drafted(alice), {"document": document("a <b> .+i1", description=name), "name": name})
    assert (saved.body["name"], saved.body["document"]["description"]) == (name, name)
    drawing = yard.api.post("shipyard/check", {"document": saved.body["document"], "drawing": True})
    assert "<b onload" not in drawing.body["drawing"] and "&lt;b onload" in drawing.body["drawing"]


def test_versions_are_listed_shown_and_restored(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    yard.put(draft, {"document": document("a .+i1")})
    path = f"shipyard/drafts/{draft.pk}/revisions"
    assert [each["version"] for each in yard.api.get(path).body["results"]] == [2, 1]
    assert yard.api.get(f"{path}/1").body["document"]["rows"] == list(CANOE)
    del yard.api.headers["If-Match"]
    back = yard.api.post(f"{path}/1/restore")
    assert (back.status, back.headers["ETag"], back.body["document"]["rows"]) == (200, '"3"', list(CANOE))
    yard.api.headers["If-Match"] = '"2"'
    assert yard.api.post(f"{path}/2/restore").status == 412


def test_a_draft_is_downloaded_as_a_file(yard: Yard, alice: User) -> None:
    answer = yard.api.get(f"shipyard/drafts/{drafted(alice).pk}/document")
    assert answer.body == {**document(), "builder": "", "description": ""}
    assert answer.headers["Content-Disposition"] == 'attachment; filename="canoe.json"'


def test_a_draft_is_deleted(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    assert yard.api.delete(f"shipyard/drafts/{draft.pk}").body == {"results": [], "most": 20}


def test_a_draft_is_flown(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    game = yard.api.post(f"shipyard/drafts/{draft.pk}/fly", {"computers": 2, "strength": "ace"})
    assert game.status == 201
    assert [seat["computer"] for seat in game.body["seats"]] == [None, "ace", "ace"]
    assert (game.body["counts_as"], game.body["starship_id"], game.body["boards"]) == ("test", None, [])
    assert game.body["starship"]["rows"] and game.body["private"]


def test_an_impossible_flight_gives_the_reason(yard: Yard, alice: User) -> None:
    answer = yard.api.post(f"shipyard/drafts/{drafted(alice, *WRECK).pk}/fly")
    assert answer.refusal == (422, "unfinished")
    assert {problem["code"] for problem in answer.body["problems"]} >= {"unreadable", "row-length"}
    assert not Game.objects.exists()


def test_any_document_can_be_checked_and_nothing_is_stored(yard: Yard) -> None:
    answer = yard.api.post(
        "shipyard/check", {"document": document(*WRECK), "ruleset": "robo-runner", "drawing": True}
    )
    assert {problem["code"] for problem in answer.body["problems"]} >= {"unreadable", "no-rail", "row-length"}
    assert answer.body["drawing"].startswith("<svg")
    fine = yard.api.post("shipyard/check", {"document": document()}).body
    assert fine["problems"] == [] and "robo-runner" in fine["suits"] and fine["drawing"] is None
    assert not StarshipDraft.objects.exists()


@pytest.mark.parametrize("call", ["check", "outlook"])
def test_checks_and_outlooks_are_limited_and_a_large_ship_counts_several_times(yard: Yard, call: str) -> None:
    large = {"document": document(*[" ".join([".+wN+pN"] * 100)] * 40)}  # 32 KB each
    small, most = {"document": document()}, {"check": 120, "outlook": 60}[call]
    first = [yard.api.post(f"shipyard/{call}", large).status for _ in range(most // 3 - 1)]
    assert first == [200] * (most // 3 - 1)
    assert [yard.api.post(f"shipyard/{call}", small).status for _ in range(4)] == [200] * 3 + [429]


def test_a_ship_is_analysed_while_it_is_drawn_and_nothing_is_stored(yard: Yard) -> None:
    told = yard.api.post("shipyard/outlook", {"document": document(*WRECK), "ruleset": "robo-runner"})
    assert (told.status, told.body["ruleset"]) == (200, "robo-runner")
    assert told.body["starts"][0]["origin"] == [0, 0]
    assert told.body["shelter"]["limit"] == LIMITS["robo-runner"].shelter
    fine = yard.api.post("shipyard/outlook", {"document": document()}).body
    assert fine["starts"] == [
        {
            "origin": [0, 0],
            "checkpoint": 1,
            "phases": 3.25,
            "cells": [[0, 0], [0, 1], [1, 1], [2, 1]],
            "stops": [1, 1, 3],
        }
    ]
    assert (fine["legs"], fine["lines"], fine["unreachable"]) == ([], [], [])
    assert not StarshipDraft.objects.exists()


def test_an_outlook_has_all_findings_of_the_wind_tunnel_without_flights(yard: Yard) -> None:
    asked = {"ruleset": "websocket", "players": 2}
    rows = ["a1 . . . . .", "a2+wS . . .+i1 .+i2 .", ". .+wNESW . . . ~"]
    found = yard.api.post("shipyard/outlook", {**asked, "document": document(*rows)}).body["findings"]
    ship = rules.read_starship(document(*rows))
    ruleset = rules.ruleset("websocket")
    seen = outlook_of(ship, ruleset, 2)
    expected = findings_without_flights(ship, seen, LIMITS["websocket"])
    kinds = [finding["kind"] for finding in found]
    assert kinds == [finding.kind for finding in expected]
    assert {"close", "line", "unreachable"} <= set(kinds)
    line = next(finding for finding in found if finding["kind"] == "line")
    assert line == {
        "kind": "line",
        "severity": "amber",
        "message": "There is a clear line of fire from checkpoint 1 to checkpoint 2.",
        "advice": "Put a rail between checkpoints 1 and 2, or move one of them.",
        "cells": [[3, 1], [4, 1]],
    }
    walled = ["a1 . .", "a2 . .", ". . .+i1+wNESW"]
    red = yard.api.post("shipyard/outlook", {**asked, "document": document(*walled)}).body["findings"][0]
    assert (red["kind"], red["severity"]) == ("way", "red")
    begun = yard.api.post("shipyard/outlook", {**asked, "document": document(". .")}).body
    assert begun["findings"] is None


def test_an_invalid_drawing_is_not_analysed(yard: Yard) -> None:
    assert yard.api.post("shipyard/outlook", {"document": {"rows": []}}).refusal == (422, "no-draft")
    unknown = {"document": document(), "ruleset": "nonsense"}
    assert yard.api.post("shipyard/outlook", unknown).refusal == (422, "no-draft")
    assert yard.api.post("shipyard/outlook", raw=b" " * 5_000_000).refusal == (413, "too-large")


def test_the_largest_ship_is_analysed_without_paths(yard: Yard) -> None:
    full = [" ".join(["a", *["."] * 98, ".+i1"])] * 100
    told = yard.api.post("shipyard/outlook", {"document": document(*full)})
    assert (told.status, told.body["starts"], told.body["legs"]) == (200, None, None)


def test_the_largest_ship_is_saved_and_a_larger_one_refused(yard: Yard, alice: User) -> None:
    draft = drafted(alice)
    full = [" ".join([".+i1+wNESW"] * 40 + [".+wNESW"] * 60)] * 100
    saved = yard.put(draft, {"document": document(*full)})
    assert (saved.status, len(saved.body["problems"])) == (200, 500)
    for size in ((1000, 1), (1, 1000)):
        rows = [" ".join(["."] * size[0])] * size[1]
        assert yard.put(draft, {"document": document(*rows)}, '"2"').refusal == (422, "no-draft")
    heavy = json.dumps({"document": document("x" * SHIP_LIMIT)})
    assert yard.api.post("shipyard/drafts", raw=heavy).refusal == (413, "too-large")
    assert yard.api.post("shipyard/check", raw=b" " * 5_000_000).refusal == (413, "too-large")


def test_a_response_lists_some_of_many_problems_and_counts_the_rest(yard: Yard) -> None:
    keys = dict.fromkeys((f"k{number}" for number in range(3000)), 0)
    cells = {**document(), "rows": ["\x01 " * 90] * 90}
    answers = {
        "keys": yard.api.post("shipyard/check", keys),
        "keys of a document": yard.api.post("shipyard/check", {"document": document() | keys}),
        "cells": yard.api.post("shipyard/check", {"document": cells}),
        "checkpoints": yard.api.post("games", {"name": "Many", "starship": 1, "checkpoints": [1] * 3000}),
        "options": yard.api.post("games", {"name": "Many", "starship": 1, "options": keys}),
    }
    found = {name: len(answer.body["problems"]) for name, answer in answers.items()}
    assert found == {
        "keys": MAX_NAMED_FAULTS + 2,  # and the missing document
        "keys of a document": MAX_NAMED_FAULTS + 1,
        "cells": MAX_PROBLEMS + 1,
        "checkpoints": MAX_NAMED_FAULTS,
        "options": MAX_NAMED_FAULTS,
    }
    assert answers["keys"].body["problems"][-1] == {
        "code": "unknown-key",
        "detail": f"There are {3000 - MAX_NAMED_FAULTS} more unknown keys.",
    }
    assert answers["cells"].body["problems"][-1]["detail"] == "There are 7600 more problems."


def test_only_fixes_that_fit_into_the_response_are_computed() -> None:
    class Counted(dict[tuple[int, int], str]):
        read = 0

        def items(self) -> Any:
            Counted.read += 1
            return super().items()

    cells = Counted(((x, 0), ".") for x in range(MOST_CELLS // 2))
    fault = Fault(Problem("Too much"), Fix(Sentence("Change it to hull"), cells))
    problems = problems_in([fault] * 5)

    assert [problem["fix"] is not None for problem in problems] == [True, True, False, False, False]
    assert Counted.read == 2
