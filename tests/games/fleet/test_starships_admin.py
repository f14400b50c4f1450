"""Editing starships in the admin."""

import json
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound
from games.fleet.admin import LARGEST_FILE
from games.fleet.models import OFFERED, Starship
from games.fleet.search import search
from games.fleet.selectors import revision_for, visible_starships
from games.fleet.services import save_starship
from games.play.models import Game
from games.shipyard.inputs import BlankForm
from games.shipyard.models import StarshipDraft
from games.shipyard.services import create_draft, draft_for_staff
from tests.games.admin_pages import STARSHIPS, address, do, messages_in, save, submission
from tests.games.reader import reader
from tests.games.support import NOW

LONGBOAT = {
    "format": "starship/1",
    "name": "Longboat",
    "builder": "Erin",
    "description": "Straight on.",
    "rows": ["a . .+i1", ". b1:E ."],
}


def changed(document: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**document, **more}


def document_of(starship: Starship) -> dict[str, Any]:
    assert starship.current
    return dict(starship.current.document)


def cells_of(document: dict[str, Any]) -> list[list[str]]:
    """Return the cells of a starship document by row, without padding."""
    return [row.split() for row in document["rows"]]


class TestSaving:
    def test_a_new_starship_gets_a_position_and_a_first_revision(self, staff: Client, erin: User) -> None:
        answer = save(
            staff, None, LONGBOAT, section="missions", seats_least="2", seats_most="4", position="7"
        )
        assert answer.status_code == 302
        ship = Starship.objects.get(name="Longboat")
        assert (ship.section, ship.seats_least, ship.seats_most, ship.position) == ("missions", 2, 4, 7)
        assert ship.current and (ship.current.number, ship.current.saved_by) == (1, erin)
        assert ship.slug == "longboat"

    def test_the_page_shows_one_row_a_line_with_columns_aligned(
        self, staff: Client, starship: Starship
    ) -> None:
        save(staff, starship, LONGBOAT)
        text = staff.get(address(starship)).context["adminform"].form.text
        lines = [
            '  "format": "starship/1",',
            '  "name": "Longboat",',
            '  "builder": "Erin",',
            '  "description": "Straight on.",',
            '  "rows": [',
            '    "a .    .+i1",',
            '    ". b1:E ."',
            "  ]",
        ]
        assert text.splitlines() == ["{", *lines, "}"]

    def test_a_changed_board_makes_a_revision(self, staff: Client, starship: Starship, erin: User) -> None:
        answer = save(staff, starship, changed(document_of(starship), description="New paint."))
        starship.refresh_from_db()
        assert starship.current and (starship.current.number, starship.current.saved_by) == (2, erin)
        assert "Saved as revision 2. Running games keep their revision." in messages_in(answer)

    def test_an_outdated_page_does_not_overwrite_a_newer_board(
        self, staff: Client, starship: Starship
    ) -> None:
        seen = staff.get(address(starship)).context["adminform"].form.initial["instead_of"]
        board = document_of(starship)
        save(staff, starship, changed(board, description="By another."), instead_of=seen)
        stale = save(staff, starship, changed(board, description="Mine."), instead_of=seen)
        assert stale.status_code == 422
        assert "since you opened this page: Document. Check them, then save again." in stale.content.decode()
        starship.refresh_from_db()
        assert document_of(starship)["description"] == "By another."
        now = stale.context["adminform"].form.data["instead_of"]
        assert f'value="{now}"' in stale.content.decode()
        assert save(staff, starship, changed(board, description="Mine."), instead_of=now).status_code == 302

    def test_filling_in_a_draft_is_not_a_change_by_others(
        self, staff: Client, starship: Starship, erin: User
    ) -> None:
        board = changed(document_of(starship), description="New.")
        draft = draft_for_staff(user=erin, starship_id=starship.pk, document=board, now=NOW)
        page = staff.get(f"{address(starship)}?draft={draft.pk}")
        form = page.context["adminform"].form
        assert "New." in form.text
        assert save(staff, starship, form.text, instead_of=form.initial["instead_of"]).status_code == 302

    def test_an_unchanged_board_makes_no_revision(self, staff: Client, starship: Starship) -> None:
        answer = save(staff, starship, document_of(starship), section="missions", position="12")
        starship.refresh_from_db()
        assert (starship.section, starship.position) == ("missions", 12)
        assert starship.revisions.count() == 1
        assert "The board has not changed. It is still revision 1." in messages_in(answer)

    def test_the_revisions_are_listed_with_number_date_and_author(
        self, staff: Client, starship: Starship, duel: Game
    ) -> None:
        save(staff, starship, LONGBOAT)
        page = staff.get(address(starship))
        rows = [(r.number, r.saved_by and r.saved_by.robo_name, r.uses) for r in page.context["revisions"]]
        assert rows == [(2, "Erin", 0), (1, None, 1)]
        assert "came with the game" in page.content.decode()

    def test_the_log_names_the_member_of_staff(self, staff: Client, starship: Starship) -> None:
        save(staff, starship, LONGBOAT)
        assert "Erin" in staff.get(f"{STARSHIPS}{starship.pk}/history/").content.decode()


def test_names_given_by_staff_pass_the_same_checks_as_builders_names(
    staff: Client, starship: Starship
) -> None:
    for name, reason in (("Hаll", "is too similar to"), ("R0b0-Runner", "is reserved for the site")):
        page = save(staff, None, changed(LONGBOAT, name=name))
        assert page.status_code == 422 and reason in page.content.decode(), name
    assert save(staff, starship, changed(document_of(starship), description="New paint.")).status_code == 302
    assert save(staff, None, LONGBOAT).status_code == 302


def test_ships_have_unique_slugs_in_any_script(staff: Client, starship: Starship) -> None:
    for name in ("Клуб 7", "Орбита 7", "🚀", "㏕" * 80):
        assert save(staff, None, changed(LONGBOAT, name=name)).status_code == 302, name
    slugs = list(Starship.objects.exclude(pk=starship.pk).order_by("pk").values_list("slug", flat=True))
    assert slugs[:3] == ["7", "7-2", "starship"]
    assert len(slugs[3]) <= 100


BAD = [
    ("{", "not JSON: a key in double quotes is missing (line 1, column 2)"),
    ("[" * 100_000, "not JSON: nested too deeply"),
    ("", "The document is missing"),
    (changed(LONGBOAT, rows=["a q .+i1"]), "row 1, column 2: the floor “q” is unknown"),
    (changed(LONGBOAT, rows=[". f .+x1"]), "Robo Runner: the starship has no airlock"),
    (changed(LONGBOAT, rows=7), "“rows” must be a list of texts, one for each row"),
    (changed(LONGBOAT, name="\ud800x"), "a lone surrogate (half of a character)"),
    ("x" * (LARGEST_FILE + 1), "This text is 1.0 MB, and the limit is 1 MB."),
]


class TestBadInput:
    @pytest.mark.parametrize(("document", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
    def test_an_invalid_document_is_refused_with_its_reason_and_stays_in_the_field(
        self, staff: Client, starship: Starship, document: object, sentence: str
    ) -> None:
        sent = submission(document, position="31")
        page = staff.post(address(starship), sent)
        assert page.status_code == 422
        words = unescape(page.content.decode())
        assert sentence in words
        form = page.context["adminform"].form
        assert (form.text, str(form["position"].value())) == (sent["document"], "31")
        starship.refresh_from_db()
        assert (starship.name, starship.position, starship.revisions.count()) == ("Hall", 1, 1)

    def test_all_errors_are_listed_in_reading_order(self, staff: Client) -> None:
        page = save(staff, None, changed(LONGBOAT, rows=["a q .+i1", ". . zz", ". x"]))
        errors = page.context["proof"].errors  # type: ignore[attr-defined]
        places = [(error.get("row"), error.get("column")) for error in errors]
        assert places == [(1, 2), (2, 3), (3, None), (3, 2)]
        assert "4 errors. Fix them before you save the starship." in unescape(page.content.decode())

    def test_the_editor_gets_fixes_for_errors(self, staff: Client) -> None:
        page = save(staff, None, changed(LONGBOAT, rows=["a q .+l1N", ". . .+i2"]))
        told = json.loads(page.context["proof"].faults_as_json)  # type: ignore[attr-defined]
        fixes = {(problem["code"], problem["fix"]["label"]) for problem in told}
        assert fixes == {
            ("unreadable", "Change it to hull"),
            ("no-rail", "Add the rail"),
            ("checkpoint-numbers", "Renumber the checkpoints"),
        }

    @pytest.mark.parametrize(
        ("field", "value", "sentence"),
        [
            ("section", "cellar", "Select a valid choice"),
            ("seats_least", "9", "The minimum number of players must be from 1 to the maximum."),
            ("position", "99999999", "less than or equal to 32767"),
        ],
    )
    def test_an_invalid_position_is_refused_and_the_document_stays(
        self, staff: Client, field: str, value: str, sentence: str
    ) -> None:
        page = save(staff, None, LONGBOAT, **{field: value})
        assert page.status_code == 422
        assert sentence in unescape(page.content.decode())
        assert page.context["adminform"].form.text == json.dumps(LONGBOAT)  # type: ignore[attr-defined]
        assert not Starship.objects.exists()

    def test_a_taken_name_is_refused_and_the_document_stays(self, staff: Client, starship: Starship) -> None:
        page = save(staff, None, changed(LONGBOAT, name="Hall"))
        assert page.status_code == 409
        assert "Another starship already has the address “hall”. Choose another name." in unescape(
            page.content.decode()
        )
        assert '"Hall"' in page.context["adminform"].form.text  # type: ignore[attr-defined]

    def test_an_oversized_body_causes_no_traceback(self, staff: Client) -> None:
        page = save(staff, None, "x" * 3_000_000)
        assert page.status_code == 400
        assert "Go back and try again." in page.content.decode()


class TestFiles:
    def upload(self, browser: Client, contents: bytes, text: str = "{}", **more: Any) -> Any:
        file = SimpleUploadedFile("ship.json", contents, "application/json")
        return browser.post(f"{STARSHIPS}add/", submission(text, upload=file, **more))

    def test_a_file_replaces_the_text(self, staff: Client) -> None:
        assert self.upload(staff, json.dumps(LONGBOAT).encode("utf-8-sig")).status_code == 302
        assert Starship.objects.get().name == "Longboat"

    def test_a_refused_file_stays_as_text(self, staff: Client) -> None:
        page = self.upload(staff, b'{"format": "starship/1", "rows": ["a q"]}')
        assert page.status_code == 422
        assert page.context["adminform"].form.text == '{"format": "starship/1", "rows": ["a q"]}'

    def test_a_file_refused_only_by_the_service_stays_as_text(
        self, staff: Client, starship: Starship
    ) -> None:
        page = self.upload(staff, json.dumps(changed(LONGBOAT, name="Hall")).encode())
        assert page.status_code == 409
        assert '"name": "Hall"' in page.context["adminform"].form.text

    @pytest.mark.parametrize(
        ("contents", "sentence"),
        [
            (b"\xff\xfe\x00", "This file is not UTF-8 text."),
            (b"x" * (LARGEST_FILE + 100_001), "This file is 1.1 MB"),
            (b"", "This file is empty."),
        ],
    )
    def test_an_unreadable_file_is_refused_and_the_text_stays(
        self, staff: Client, contents: bytes, sentence: str
    ) -> None:
        page = self.upload(staff, contents, json.dumps(LONGBOAT))
        assert page.status_code == 422
        assert sentence in unescape(page.content.decode())
        assert page.context["adminform"].form.text == json.dumps(LONGBOAT)
        assert not Starship.objects.exists()

    def test_a_download_can_be_uploaded_again(self, staff: Client, starship: Starship) -> None:
        save(staff, starship, LONGBOAT)
        answer = staff.get(f"{STARSHIPS}{starship.pk}/revisions/2/")
        assert answer["Content-Disposition"] == 'attachment; filename="hall-2.json"'
        assert answer.json() == document_of(Starship.objects.get(pk=starship.pk))
        old = staff.get(f"{STARSHIPS}{starship.pk}/revisions/1/")
        assert old.json()["name"] == "Hall"
        Starship.objects.filter(pk=starship.pk).update(name="Another")
        assert self.upload(staff, answer.content).status_code == 302


def preview(staff: Client, document: dict[str, Any]) -> str:
    answer = staff.post(f"{STARSHIPS}preview/", {"document": json.dumps(document)})
    return answer.content.decode()


class TestPreview:
    def test_it_draws_the_board_and_reports_no_errors(self, staff: Client) -> None:
        page = preview(staff, LONGBOAT)
        assert "<svg" in page and "style=" not in page and "<style" not in page
        assert not Starship.objects.exists()

    def test_warnings_and_errors_have_row_and_column(self, staff: Client) -> None:
        lonely = changed(LONGBOAT, rows=["a t:red .+i1"])
        page = preview(staff, lonely)
        assert 'class="is-warning" data-row="1" data-column="2"' in page
        assert "<svg" in page

        wrong = changed(LONGBOAT, rows=["a .", ". q"])
        page = preview(staff, wrong)
        assert 'class="is-error" data-row="2" data-column="2"' in page
        assert "<svg" not in page

        closed = changed(LONGBOAT, rows=[". f .+x1"])
        page = preview(staff, closed)
        assert "<svg" in page and 'class="is-error"' in page

    def test_it_lists_suitable_rulesets_and_reasons_against_the_others(self, staff: Client) -> None:
        press = changed(LONGBOAT, rows=["a .+x1 .+i1"])
        page = preview(staff, press)
        assert "Suits Robo Rally 1999, Factory 1999." in page
        assert "row 1, column 2: Robo Runner does not have this element: crusher" in page

    def test_a_board_without_a_usable_start_is_never_called_playable(self, staff: Client) -> None:
        for rows in ([". .+i1 . .+i2"], [". .+i1"], [". ."], ["a ."], [". f .+x1"], ["a . .+i1"]):
            page = preview(staff, changed(LONGBOAT, rows=rows))
            assert not ("no robot can start" in page and "Playable" in page), rows
            assert ("Suits" in page) == ("Playable" in page), rows
        found = preview(staff, changed(LONGBOAT, rows=[". .+i1 . .+i2"]))
        assert "robots can start only in these rulesets: Robo Rally 1999" in found

    def test_typed_text_is_escaped(self, staff: Client) -> None:
        sly = changed(LONGBOAT, name="<b>&</b>", description="<script>", rows=["a <i> .+i1"])
        for document in (sly, changed(sly, rows=LONGBOAT["rows"])):
            page = preview(staff, document)
            assert not [tag for tag in ("<b>", "<i>", "<script") if tag in page]

    def test_the_preview_button_works_without_script_and_saves_nothing(
        self, staff: Client, starship: Starship
    ) -> None:
        page = staff.post(address(starship), submission(LONGBOAT, _preview="yes", position="31"))
        assert page.status_code == 200
        assert "Please correct" not in page.content.decode()
        assert "<svg" in page.content.decode()
        form = page.context["adminform"].form
        assert (form.text, str(form["position"].value())) == (json.dumps(LONGBOAT), "31")
        assert Starship.objects.get().name == "Hall"

    def test_of_thousands_of_errors_the_first_are_listed(self, staff: Client) -> None:
        flood = changed(LONGBOAT, rows=["q " * 100] * 100)
        page = preview(staff, flood)
        assert "More than 500 errors" in page and "There are more problems." in page
        assert page.count("<li") == 501

    def test_an_oversized_text_is_refused(self, staff: Client) -> None:
        assert staff.post(f"{STARSHIPS}preview/", {"document": "x" * (LARGEST_FILE + 1)}).status_code == 413


class TestOtherDeeds:
    def test_a_copy_is_opened_for_editing(self, staff: Client, starship: Starship, erin: User) -> None:
        answer = do(staff, "duplicate", starship)
        copy = Starship.objects.get(name="Hall (copy)")
        assert answer["Location"] == address(copy)
        assert copy.current and copy.current.saved_by == erin
        assert copy.hidden, "it is not offered yet"
        assert messages_in(answer) == ["Copied: Hall (copy)."]

    def test_a_starship_is_retired_and_restored(self, staff: Client, starship: Starship, duel: Game) -> None:
        assert messages_in(do(staff, "retire", starship)) == ["No longer available for new games: Hall."]
        starship.refresh_from_db()
        assert starship.retired
        duel.refresh_from_db()
        assert duel.status == Game.Status.RUNNING
        page = staff.get(address(starship)).content.decode()
        assert page.count("View on site") == 1
        assert "This starship is retired" in page and 'value="bring_back"' in page
        do(staff, "bring_back", starship)
        starship.refresh_from_db()
        assert not starship.retired
        assert 'value="bring_back"' not in staff.get(address(starship)).content.decode()

    def test_a_starship_is_never_deleted(self, staff: Client, starship: Starship) -> None:
        assert staff.post(f"{STARSHIPS}{starship.pk}/delete/", {"post": "yes"}).status_code == 403
        assert Starship.objects.exists()

    def test_starships_are_found_by_name(self, staff: Client, starship: Starship) -> None:
        save_starship(document=LONGBOAT, section="fleet", now=NOW)
        page = staff.get(STARSHIPS, {"q": "long"}).content.decode()
        assert "Longboat" in page and "Hall" not in page

    def test_a_new_starship_starts_like_a_player_s_new_draft(self, staff: Client, alice: User) -> None:
        form = staff.get(f"{STARSHIPS}add/").context["adminform"].form
        blank = BlankForm()
        size = [blank[name].initial for name in ("width", "height")]
        draft = create_draft(user=alice, size=(size[0], size[1]), now=NOW)
        assert cells_of(json.loads(form.text)) == cells_of(draft.document)
        assert form["hidden"].value() is True, "only staff see it until they offer it"


class TestNotOfferedYet:
    @pytest.fixture
    def planned(self, staff: Client) -> Starship:
        save(staff, None, LONGBOAT, hidden="on")
        return Starship.objects.get()

    def test_only_staff_see_hidden_starships(self, staff: Client, planned: Starship, alice: User) -> None:
        assert not planned.is_offered
        page = staff.get(address(planned)).content.decode()
        assert "Only staff see this starship" in page and "View on site" not in page
        assert "Not offered yet" in staff.get(STARSHIPS).content.decode()
        player = reader(alice).client
        paths = [planned.get_absolute_url(), f"/api/v1/starships/{planned.pk}/"]
        assert [player.get(path).status_code for path in paths] == [404, 404]
        for seen in (search(), visible_starships(), Starship.objects.filter(OFFERED)):
            assert planned not in seen
        with pytest.raises(NotFound):
            create_draft(user=alice, starship_id=planned.pk, now=NOW)
        with pytest.raises(NotFound):
            revision_for(revision_id=planned.current_id or 0)

    def test_a_hidden_starship_can_be_edited_and_then_offered(self, staff: Client, planned: Starship) -> None:
        save(staff, planned, changed(LONGBOAT, rows=["a . .+i1"]), hidden="on")
        planned.refresh_from_db()
        assert (planned.hidden, planned.launched_at) == (True, None)
        assert messages_in(do(staff, "offer", planned))[-1] == "Available for new games: Longboat."
        planned.refresh_from_db()
        assert planned.is_offered and planned.launched_at
        page = staff.get(address(planned)).content.decode()
        assert 'value="offer"' not in page and 'value="retire"' in page

    def test_a_starship_seen_by_players_cannot_be_hidden_again(
        self, staff: Client, starship: Starship
    ) -> None:
        assert save(staff, starship, document_of(starship), hidden="on").status_code == 302
        starship.refresh_from_db()
        assert not starship.hidden
        with pytest.raises(Conflict):
            save_starship(
                starship_id=starship.pk, document=document_of(starship), section="fleet", hidden=True, now=NOW
            )


class TestShipyard:
    """Staff test a ship in the Shipyard, and save it from there."""

    def test_the_form_becomes_a_draft_of_the_staff_member(
        self, staff: Client, starship: Starship, erin: User
    ) -> None:
        longer = changed(document_of(starship), rows=[*document_of(starship)["rows"], ". . . . . . . ."])
        answer = staff.post(address(starship), submission(longer, _shipyard="draft"))
        draft = StarshipDraft.objects.get()
        assert answer["Location"] == f"/shipyard/{draft.pk}/"
        assert (draft.user, draft.parent_revision, draft.height) == (erin, starship.current, 9)
        assert starship.revisions.count() == 1, "nothing is saved in the library"
        again = staff.post(address(starship), submission(document_of(starship), _shipyard="tunnel"))
        draft.refresh_from_db()
        assert again["Location"] == f"/shipyard/{draft.pk}/tunnel/"
        assert (draft.version, draft.height, draft.versions.count()) == (2, 8, 1)
        assert staff.get(again["Location"]).status_code == 200

    def test_a_draft_is_saved_as_a_revision_or_as_a_new_ship(
        self, staff: Client, starship: Starship, erin: User
    ) -> None:
        longer = changed(document_of(starship), rows=[*document_of(starship)["rows"], ". . . . . . . ."])
        staff.post(address(starship), submission(longer, _shipyard="draft"))
        draft = StarshipDraft.objects.get()
        back = f"{address(starship)}?draft={draft.pk}"
        assert back in staff.get(f"/shipyard/{draft.pk}/").content.decode()
        page = staff.get(back)
        text = page.context["adminform"].form.text
        assert cells_of(json.loads(text)) == cells_of(draft.document)
        assert f"{STARSHIPS}add/?draft={draft.pk}" in page.content.decode()
        assert staff.post(back, submission(text)).status_code == 302
        starship.refresh_from_db()
        assert starship.current and (starship.current.number, starship.current.height) == (2, 9)
        fresh = staff.get(f"{STARSHIPS}add/?draft={draft.pk}")
        assert cells_of(json.loads(fresh.context["adminform"].form.text)) == cells_of(draft.document)
        assert f"{address(starship)}?draft={draft.pk}" in fresh.content.decode()

    def test_drafts_of_others_and_players_links_are_not_accepted(
        self, staff: Client, starship: Starship, alice: User
    ) -> None:
        theirs = create_draft(user=alice, starship_id=starship.pk, now=NOW)
        page = staff.get(f"{address(starship)}?draft={theirs.pk}")
        assert page.status_code == 200 and "There is no such draft." in page.content.decode()
        player = reader(alice).client
        assert "Save to the library" not in player.get(f"/shipyard/{theirs.pk}/").content.decode()
        with pytest.raises(Forbidden):
            draft_for_staff(user=alice, starship_id=starship.pk, document=LONGBOAT, now=NOW)

    def test_an_invalid_drawing_stays_in_the_form(self, staff: Client, starship: Starship) -> None:
        for text, status in (("{", 422), ('{"format": "starship/1", "rows": []}', 422)):
            page = staff.post(address(starship), submission(text, _shipyard="draft"))
            assert page.status_code == status
            assert page.context["adminform"].form.text == text
        assert not StarshipDraft.objects.exists()


def test_the_list_takes_a_fixed_number_of_queries(
    staff: Client, starship: Starship, django_assert_num_queries: Any
) -> None:
    staff.get(STARSHIPS)
    with django_assert_num_queries(QUERIES):
        staff.get(STARSHIPS)
    for number in range(12):
        save_starship(document=changed(LONGBOAT, name=f"Ship {number}"), section="fleet", now=NOW)
    with django_assert_num_queries(QUERIES):
        staff.get(STARSHIPS)


def test_the_page_takes_a_fixed_number_of_queries_for_any_number_of_revisions(
    staff: Client, starship: Starship, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        document = changed(document_of(starship), description=f"Edition {number}")
        save_starship(document=document, section="fleet", starship_id=starship.pk, now=NOW)
    with django_assert_max_num_queries(12):
        staff.get(address(starship))


QUERIES = 7
