"""An input is declared once for the API, pages and admin, with the same messages."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django import forms
from django.test import Client
from rest_framework.exceptions import ValidationError

from accounts.guests import make_guest
from accounts.models import User
from accounts.sign_ups import MAX_REASON_LENGTH
from games.admission.models import Removal
from games.branches.models import Branch
from games.chat.models import ChatLine
from games.clubs.inputs import ClubChanges, NewClub
from games.clubs.models import Club
from games.competitions.models import Tournament
from games.dock.models import PromotionVote, Review
from games.errors import Invalid
from games.fleet.models import StarshipList
from games.moderation.models import Appeal, Report
from games.people.models import ApiToken, PlayerNote
from games.play.models import Game
from games.staff.models import Intervention
from games.web import inputs
from games.web.forms import field_of, form_of
from tests.games.api_client import Api
from tests.games.test_names import subclasses

COLUMNS: dict[str, Any] = {
    "Answer.text": Review.answer,
    "ClubChanges.name": Club.name,
    "ClubChanges.text": Club.text,
    "Login.name": ApiToken.name,
    "CommitteeVote.words": PromotionVote.words,
    "GameChanges.name": Game.name,
    "GameTerms.name": Game.name,
    "Grounds.reason": Intervention.reason,
    "MoreTime.reason": Intervention.reason,
    "NewAppeal.text": Appeal.text,
    "NewBranch.name": Branch.name,
    "NewBranchOfTurn.name": Branch.name,
    "NewClub.name": Club.name,
    "NewClub.text": Club.text,
    "NewGame.name": Game.name,
    "NewLine.text": ChatLine.text,
    "NewPlayerReport.text": Report.text,
    "NewReport.text": Report.text,
    "NewReportOfReview.text": Report.text,
    "NewReportOfShip.text": Report.text,
    "NewReview.text": Review.text,
    "NewStarshipList.name": StarshipList.name,
    "NewStarshipList.text": StarshipList.text,
    "NewToken.name": ApiToken.name,
    "NewTournament.name": Tournament.name,
    "NewTournament.text": Tournament.text,
    "PlayerNote.text": PlayerNote.text,
    "StarshipListChanges.name": StarshipList.name,
    "StarshipListChanges.text": StarshipList.text,
    "WaveReason.reason": Removal.reason,
}
"""The column of each input field with text for other people."""

MAILED = {"Decline.reason": MAX_REASON_LENGTH}
"""The maximum length of each input field whose text is only sent by mail, and has no column."""

TOO_LONG = "x" * 41
FAULT = "The name has 41 characters, and the limit is 40. Shorten it."


class Everything(inputs.Input):
    """An input with one field of each kind."""

    refusal = "wrong", "This cannot be."

    name = inputs.Name(label="Name", longest=10)
    text = inputs.Prose(label="Text", longest=10, allow_blank=True, default="")
    choice = inputs.Choice([("a", "One"), ("b", "Two")], label="Choice")
    flag = inputs.Flag(label="Flag", default=False)
    number = inputs.WholeNumber(label="Number", min_value=1, max_value=9)
    amount = inputs.Amount(label="Amount", least=1, most=9, default=2)
    pick = inputs.Pick([12, 24], label="Pick", default=12)
    offer = inputs.Amount(
        label="Offer",
        least=1,
        most=9,
        default=None,
        allow_null=True,
        style={"choices": [("", "Any"), (4, "4")]},
    )
    at = inputs.Instant(label="At")
    word = inputs.Text(label="Word")
    secret = inputs.Text(default="", allow_blank=True)


def test_a_page_and_the_api_refuse_a_name_with_the_same_message(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post("/clubs/new/", {"name": TOO_LONG, "entry": "open"})
    assert page.status_code == 422
    assert FAULT in page.content.decode()
    answer = Api(alice).post("clubs", {"name": TOO_LONG})
    assert answer.refusal == (422, "no-club")
    assert answer.body["problems"] == [{"code": "name", "detail": FAULT}]
    assert not Club.objects.exists()


def test_a_page_and_the_api_normalise_text_in_the_same_way(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/clubs/new/", {"name": "  Tin   Can ", "text": " a \r\n\r\n\r\nb ", "entry": "open"})
    Api(alice).post("clubs", {"name": "  Rust   Can ", "text": " a \r\n\r\n\r\nb "})
    found = Club.objects.order_by("pk").values_list("name", "text")
    assert [*found] == [("Tin Can", "a\n\nb"), ("Rust Can", "a\n\nb")]


def test_all_errors_of_an_input_are_reported_together() -> None:
    with pytest.raises(Invalid) as refused:
        NewClub(data={"name": TOO_LONG, "text": "\u202e"}).allowed()
    assert [problem["code"] for problem in refused.value.problems] == ["name", "text"]


def test_changes_omit_unchanged_values() -> None:
    assert ClubChanges(data={"text": "Cans"}).allowed() == {"text": "Cans"}
    assert NewClub(data={"name": "Tin"}).allowed() == {"name": "Tin", "text": "", "entry": "open"}


def test_a_form_has_the_input_s_labelled_fields_and_types() -> None:
    filled = {"name": " A  b ", "choice": "b", "flag": "on", "number": "3", "word": "w", "pick": "24"}
    form = form_of(Everything)({**filled, "at": "2027-07-01T18:00"})
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {
        "name": "A b",
        "text": "",
        "choice": "b",
        "flag": True,
        "number": 3,
        "amount": 2,
        "pick": 24,
        "offer": None,
        "at": datetime(2027, 7, 1, 18, tzinfo=UTC),
        "word": "w",
    }
    filled = {"name": "x" * 11, "choice": "c", "number": "10", "amount": "0", "pick": "13", "offer": "5"}
    wrong = form_of(Everything)(filled)
    assert {*wrong.errors} == {*filled, "at", "word"}


def test_invalid_values_of_the_right_type_are_refused_together() -> None:
    given = {"name": "A", "choice": "a", "number": 1, "word": "w", "at": "2027-07-01T18:00:00Z"}
    with pytest.raises(Invalid) as refused:
        Everything(data={**given, "amount": 10, "pick": 13, "offer": 0}).allowed()
    assert [problem["code"] for problem in refused.value.problems] == ["amount", "pick", "offer"]
    for wrong in ({"amount": "3"}, {"pick": "12"}, {"offer": True}):
        assert not Everything(data={**given, **wrong}).is_valid()


def test_an_input_s_field_can_be_used_in_a_larger_form() -> None:
    field = field_of(NewClub, "name", label="New name")
    assert field.label == "New name" and field.clean(" Tin  Can ") == "Tin Can"
    with pytest.raises(forms.ValidationError, match="41 characters"):
        field.clean(TOO_LONG)


def test_columns_and_inputs_have_the_same_maximum_lengths() -> None:
    longest = {
        f"{declared.__name__}.{name}": field.longest
        for declared in subclasses(inputs.Input)
        for name, field in declared().fields.items()
        if declared.__module__.startswith("games.") and isinstance(field, inputs.Written)
    }
    assert longest == {name: column.field.max_length for name, column in COLUMNS.items()} | MAILED


def test_openapi_has_the_limits_of_texts_and_the_choices(client: Client) -> None:
    shape = client.get("/api/v1/schema").json()["components"]["schemas"]["NewClub"]
    assert shape["required"] == ["name"]
    name, text, entry = (shape["properties"][key] for key in ("name", "text", "entry"))
    assert (name["type"], name["minLength"], name["maxLength"]) == ("string", 3, 40)
    assert ("minLength" in text, text["maxLength"], text["default"]) == (False, 2000, "")
    assert entry["enum"] == ["open", "request", "invited"]
    assert (entry["default"], entry["title"]) == ("open", "Who can join")


def test_a_guest_is_told_to_sign_up_before_values_are_refused(client: Client, db: None) -> None:
    client.force_login(make_guest())
    for name, status in ((3, 400), (TOO_LONG, 403)):
        assert client.post("/api/v1/clubs", {"name": name}, "application/json").status_code == status
        assert client.patch("/api/v1/clubs/none", {"name": name}, "application/json").status_code == status


def test_a_time_without_offset_is_refused() -> None:
    field = inputs.Instant()
    assert field.run_validation("2027-07-01T18:00:00+02:00") == datetime(2027, 7, 1, 16, tzinfo=UTC)
    with pytest.raises(ValidationError):
        field.run_validation("2027-07-01T18:00:00")
