"""The pages of the Shipyard, as forms without scripts."""

import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from games.fleet import selectors
from games.fleet.models import Starship
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.pages import drafts
from games.shipyard.services import MOST_DRAFTS, save_draft
from tests.games.reader import Answer, ReaderOf, reader
from tests.games.shipyard.drawing import CANOE, WRECK, document, drafted, rows_of
from tests.games.support import HALL, NOW, Board


def typed(answer: Answer) -> str:
    """Return the text in the form's field for the cells."""
    found = re.search(r'(?s)<textarea name="rows"[^>]*>\n?(.*?)</textarea>', answer.html)
    assert found
    return html.unescape(found[1])


def state_in(page: str) -> dict[str, Any]:
    """Return the initial state that a page gives to the editor's script."""
    found = re.search(r'<script id="draft-state" type="application/json">(.*?)</script>', page)
    assert found
    state: dict[str, Any] = json.loads(found[1])
    return state


def test_an_empty_shipyard_suggests_what_to_do_and_then_lists_drafts_with_drawings(
    alice: User, read: ReaderOf
) -> None:
    page = read(alice).get("/shipyard/")
    assert "You have no drafts yet." in page
    assert "/shipyard/new/" in page.links
    draft = drafted(alice)
    page = read(alice).get("/shipyard/")
    assert "Canoe" in page and "3 × 2 · Version 1" in page
    assert f"/shipyard/{draft.pk}/drawing-light.svg?v=1" in page.html


def test_a_drawing_is_cached_by_version(alice: User) -> None:
    draft = drafted(alice, *WRECK)
    client = reader(alice).client
    path = f"/shipyard/{draft.pk}/drawing-dark.svg"
    assert "immutable" in client.get(f"{path}?v=1").headers["Cache-Control"]
    assert "immutable" not in client.get(f"{path}?v=2").headers.get("Cache-Control", "")
    assert client.get(f"/shipyard/{draft.pk}/drawing-pink.svg").status_code == 404


def test_a_builder_with_twenty_drafts_is_asked_to_delete_one(alice: User, read: ReaderOf) -> None:
    for _ in range(MOST_DRAFTS):
        drafted(alice)
    assert "You have 20 drafts, which is the limit." in read(alice).get("/shipyard/")
    page = read(alice).post("/shipyard/new/", begin="import", text="a .+i1")
    assert page.status == 409 and "which is the limit" in page


def test_a_ship_is_started_from_scratch(alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        "/shipyard/new/", begin="blank", name="Tub", width="3", height="2", ruleset="websocket", players="2"
    )
    draft = StarshipDraft.objects.get()
    assert page.address == f"/shipyard/{draft.pk}/"
    assert (draft.name, rows_of(draft), draft.ruleset) == ("Tub", [". . .", ". . ."], "websocket")
    assert "Fix 2 errors to fly this ship." in page


def test_an_invalid_size_is_refused(alice: User, read: ReaderOf) -> None:
    tub = {"begin": "blank", "name": "Tub", "width": "101", "height": "2", "players": "2"}
    assert read(alice).post("/shipyard/new/", **tub).status == 422 and not StarshipDraft.objects.exists()


def test_an_unknown_way_to_start_a_ship_is_an_error_of_the_page(alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/shipyard/new/", begin="dream", name="Tub")
    assert (page.status, StarshipDraft.objects.exists()) == (422, False)
    assert "There is a problem Choose how to start your ship." in page
    assert "<title>Error: New ship" in page.html


def test_a_ship_is_started_from_a_copy(alice: User, starship: Starship, read: ReaderOf) -> None:
    assert read(alice).get(f"/shipyard/new/?starship={starship.pk}").chosen("starship") == str(starship.pk)
    page = read(alice).post("/shipyard/new/", begin="copy", starship=str(starship.pk))
    assert "Copied from Hall , version 1" in page
    assert f"/starships/{starship.pk}/" in page.links
    assert read(alice).post("/shipyard/new/", begin="copy", starship="999").status == 422


def test_the_ship_to_copy_can_be_searched_in_a_large_library(
    alice: User, monkeypatch: pytest.MonkeyPatch, read: ReaderOf
) -> None:
    here = "/shipyard/new/"
    _hall, hut = (Board(name, HALL.rows).saved() for name in ("Hall", "Hut"))
    assert "Find a starship" not in read(alice).get(here)
    monkeypatch.setattr(selectors, "NAMES_LISTED", 1)
    monkeypatch.setattr(drafts, "NAMES_LISTED", 1)
    page = read(alice).get(here)
    assert "Find a starship" in page and "Hall" in page and "Hut" not in page
    page = read(alice).get(f"{here}?find=HUT")
    assert "Hut" in page and "Hall" not in page and "No other starship" not in page
    page = read(alice).get(f"{here}?find=zzz&starship={hut.pk}")
    assert page.chosen("starship") == str(hut.pk), "what is chosen stays"
    assert "No other starship matches “zzz”." in page
    read(alice).post(here, begin="copy", starship=str(hut.pk))
    assert alice.starship_drafts.get().name == "Hut", "it can be copied though it is not listed"


def test_a_prototype_is_preselected_when_its_page_leads_to_a_copy(
    alice: User, starship: Starship, read: ReaderOf
) -> None:
    prototype = Board("Canoe", HALL.rows).saved(section="prototypes")
    assert "Canoe" not in read(alice).get("/shipyard/new/")
    page = read(alice).get(f"/shipyard/new/?starship={prototype.pk}")
    assert page.chosen("starship") == str(prototype.pk)
    page = read(alice).post("/shipyard/new/", begin="copy", starship=str(prototype.pk))
    assert (page.status, alice.starship_drafts.get().name) == (200, "Canoe")


def test_a_ship_is_started_from_a_file_or_text(alice: User, read: ReaderOf) -> None:
    content = json.dumps(document("a qq .+i1")).encode()
    page = read(alice).post(
        "/shipyard/new/", begin="import", upload=SimpleUploadedFile("ship.json", content), text=""
    )
    assert "The floor “qq” is unknown." in page
    read(alice).post("/shipyard/new/", begin="import", text="\na .\n. .+i1\n\n")
    assert [draft.document["rows"] for draft in StarshipDraft.objects.order_by("pk")] == [
        ["a qq .+i1"],
        ["a .", ". .+i1"],
    ]


def test_a_file_becomes_the_next_version_of_the_draft_with_its_name(alice: User, read: ReaderOf) -> None:
    drafted(alice)
    text = json.dumps({**document("a .+i1"), "name": "canoe "})
    page = read(alice).post("/shipyard/new/", begin="import", text=text, continues="on")
    draft = StarshipDraft.objects.get()
    assert (draft.version, rows_of(draft), page.address) == (2, ["a .+i1"], f"/shipyard/{draft.pk}/")
    assert "Saved as version 2 of your draft with this name." in page
    read(alice).post("/shipyard/new/", begin="import", text=text)
    assert StarshipDraft.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Choose a file, or paste a starship."),
        ("{", "Not JSON"),
        ('{"format": "starship/1", "rows": ["a"], "colour": 1}', "A starship has an unknown key “colour”"),
        ("Once there was\nan odd ship", "This isn’t a starship."),
        (" ".join(["."] * 1000), "The board has 1000 × 1 cells, but the limit is 100 × 100"),
    ],
)
def test_an_invalid_ship_is_refused_with_the_reason(
    alice: User, read: ReaderOf, text: str, reason: str
) -> None:
    page = read(alice).post("/shipyard/new/", begin="import", text=text)
    assert page.status == 422 and reason in page, page.text
    assert not StarshipDraft.objects.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x" * 1_000_001, "This file is larger than 1 MB. Choose a smaller one."),
        (b"\xff\xfe{\x00", "This file isn’t UTF-8 text."),
        (b"", "This file is empty."),
    ],
)
def test_a_file_that_is_too_large_or_binary_is_refused(
    alice: User, read: ReaderOf, content: bytes, reason: str
) -> None:
    page = read(alice).post("/shipyard/new/", begin="import", upload=SimpleUploadedFile("a.json", content))
    assert page.status == 422 and reason in page, page.text
    assert not StarshipDraft.objects.exists()


def test_a_byte_order_mark_is_ignored(alice: User, read: ReaderOf) -> None:
    text = "\ufeff" + json.dumps(document("a .+i1"))
    read(alice).post("/shipyard/new/", begin="import", text=text)
    upload = SimpleUploadedFile("a.json", text.encode())
    read(alice).post("/shipyard/new/", begin="import", upload=upload)
    assert [draft.document["rows"] for draft in StarshipDraft.objects.all()] == [["a .+i1"]] * 2


def test_a_draft_lists_its_problems_beside_the_drawing(alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"/shipyard/{drafted(alice, *WRECK).pk}/")
    assert "Fix 5 errors to fly this ship." in page
    assert "The floor “qq” is unknown. Column 2, row 1." in page
    assert "The row has 3 cells, but the longest row has 4. Row 2." in page
    assert page.html.count('class="ship-mark is-error"') == 4
    assert "To fly this ship, fix the errors below." in page


def test_the_page_reserves_space_for_the_editor(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice, ruleset="robo-arena")
    page = read(alice).get(f"/shipyard/{draft.pk}/").html
    (mount,) = re.findall(r"<div[^>]* data-shipyard-editor[^>]*>", page)
    assert f'data-draft="/api/v1/shipyard/drafts/{draft.pk}"' in mount
    assert state_in(page) == {
        "version": 1,
        "value": {"document": draft.document, "ruleset": "robo-arena", "players": 4},
        "problems": [],
        "suits": ["robo-runner", "robo-arena", "factory-1999"],
    }


def test_the_editor_does_not_start_on_a_page_with_refused_text(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    page = read(alice).post(f"/shipyard/{draft.pk}/", version="7", rows="a .+i1", players="2").html
    assert "data-shipyard-editor" not in page and "draft-state" not in page


def test_a_button_fixes_one_problem_after_another(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice, *WRECK)
    reader = read(alice)
    page = reader.get(f"/shipyard/{draft.pk}/")
    while found := re.search(r'name="problem" value="(\d+)"', page.html):
        version = str(StarshipDraft.objects.get().version)
        page = reader.post(f"/shipyard/{draft.pk}/fix/", version=version, problem=found[1])
        assert page.status == 200
    assert rows_of(draft) == ["a . .+wN+l1N .+i1", ". .+i2 . ."]
    assert "No problems. Your ship is ready to fly." in page


def test_a_fix_for_an_older_version_changes_nothing(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice, *WRECK)
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document(*CANOE), now=NOW)
    page = read(alice).post(f"/shipyard/{draft.pk}/fix/", version="1", problem="0")
    assert page.status == 412 and "is now version 2." in page
    read(alice).post(f"/shipyard/{draft.pk}/fix/", version="2", problem="99")
    assert rows_of(draft) == list(CANOE)


def test_cells_are_saved_as_text(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    page = read(alice).post(
        f"/shipyard/{draft.pk}/",
        version="1",
        rows="a  b1:E .+i1\n\nqq",
        name="Raft",
        ruleset="robo-arena",
        players="2",
        description="Mind\r\nthe gap.",
    )
    assert "Saved as version 2." in page
    assert rows_of(draft) == ["a b1:E .+i1", "", "qq"]
    draft.refresh_from_db()
    assert (draft.name, draft.ruleset, draft.players) == ("Raft", "robo-arena", 2)
    assert draft.document["description"] == "Mind\nthe gap."
    assert typed(page) == "a  b1:E .+i1\n\nqq"


def test_unchanged_text_makes_no_version(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    page = read(alice).get(f"/shipyard/{draft.pk}/")
    page = read(alice).post(
        f"/shipyard/{draft.pk}/", version="1", rows=typed(page), name="Canoe", ruleset="", players="4"
    )
    assert "Nothing was changed." in page


def test_the_second_to_save_keeps_their_text_and_decides(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a .+i1"), now=NOW)
    mine = {"rows": "a o .+i1", "name": "Canoe", "ruleset": "", "players": "4"}
    page = read(alice).post(f"/shipyard/{draft.pk}/", version="1", **mine)
    assert page.status == 412 and typed(page) == "a o .+i1"
    assert "is now version 2." in page and "Your changes below aren’t saved yet." in page
    assert rows_of(draft) == ["a .+i1"]
    page = read(alice).post(f"/shipyard/{draft.pk}/", version="2", anyway="1", **mine)
    assert "Saved as version 3." in page and rows_of(draft) == ["a o .+i1"]


def test_refused_text_is_shown_again(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    for rows, reason in (("", "A ship needs at least one cell."), ("a \x07", "control character")):
        page = read(alice).post(f"/shipyard/{draft.pk}/", version="1", rows=rows, players="4", name="x")
        assert page.status == 422 and reason in page
    wide = " ".join(["."] * 101)
    page = read(alice).post(f"/shipyard/{draft.pk}/", version="1", rows=wide, players="4")
    assert page.status == 422 and typed(page) == wide
    assert rows_of(draft) == list(CANOE)


def test_html_is_escaped(alice: User, read: ReaderOf) -> None:
    name = "<script>alert(1)</script>"
    draft = drafted(alice, name=name)
    told = document("a <b>x</b> .+i1", description=name, name=name)
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=told, now=NOW)
    for path in ("", "history/", "delete/"):
        page = read(alice).get(f"/shipyard/{draft.pk}/{path}")
        assert "<script>alert" not in page.html and "<b>x</b>" not in page.html
    assert "<script>alert" not in read(alice).get("/shipyard/").html


def test_a_draft_is_flown_with_one_click(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    page = read(alice).post(f"/shipyard/{draft.pk}/fly/", computers="2", strength="pilot")
    game = Game.objects.get()
    assert page.address == f"/games/{game.pk}/"
    assert "This test flight doesn’t affect records." in page
    assert f"/shipyard/{draft.pk}/" in page.links
    assert list(game.players.values_list("computer", flat=True)) == ["", "pilot", "pilot"]
    assert "version 1" in read(alice).get(f"/shipyard/{draft.pk}/")
    assert f"/games/{game.pk}/board-light.svg" in read(alice).get("/my-room/").html


def test_an_impossible_flight_gives_the_reason(alice: User, read: ReaderOf) -> None:
    page = read(alice).post(f"/shipyard/{drafted(alice, *WRECK).pk}/fly/", computers="0")
    assert page.status == 422 and "Fix its errors first." in page
    arena = drafted(alice, ruleset="robo-arena")
    page = read(alice).post(f"/shipyard/{arena.pk}/fly/", computers="0")
    assert page.status == 422 and "players, not 1" in page
    assert read(alice).get(f"/shipyard/{arena.pk}/").chosen("computers") == "1"
    assert not Game.objects.exists()


def test_a_draft_is_downloaded(alice: User) -> None:
    client = reader(alice).client
    answer = client.get(f"/shipyard/{drafted(alice, *WRECK).pk}/file/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="canoe.json"'
    assert json.loads(answer.content)["rows"] == list(WRECK)


def test_a_draft_is_deleted_after_confirmation(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    assert "Delete this ship?" in read(alice).get(f"/shipyard/{draft.pk}/delete/")
    assert StarshipDraft.objects.exists()
    assert "Canoe was deleted." in read(alice).post(f"/shipyard/{draft.pk}/delete/")
    assert not StarshipDraft.objects.exists()


def test_versions_are_compared_and_restored(alice: User, read: ReaderOf) -> None:
    draft = drafted(alice)
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a o ."), now=NOW)
    page = read(alice).get(f"/shipyard/{draft.pk}/history/")
    assert (page.chosen("left"), page.chosen("right")) == ("1", "2")
    assert "4 cells differ. They are framed in both drawings." in page
    assert page.html.count('class="ship-mark is-different"') == 4 + 1
    back = read(alice).post(f"/shipyard/{draft.pk}/versions/1/restore/")
    assert "Version 1 was restored as version 3." in back and rows_of(draft) == list(CANOE)
    assert read(alice).get(f"/shipyard/{draft.pk}/history/?left=nonsense&right=99").status == 200


def test_a_single_version_has_no_comparison(alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"/shipyard/{drafted(alice).pk}/history/")
    assert "There is only one version so far." in page
