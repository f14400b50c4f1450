"""One declaration serves the API, the form of a page, the admin, and the messages of all three."""

import pytest
from django import forms
from django.test import Client

from accounts.models import User
from games.clubs.inputs import ClubChanges, NewClub
from games.clubs.models import Club
from games.errors import Invalid
from games.web import inputs as fields
from games.web.forms import field_of, form_of
from tests.games.api.client import Api

TOO_LONG = "x" * 41
FAULT = "The name has 41 characters, and at most 40 are allowed."


class Everything(fields.Input):
    """One field of each kind."""

    name = fields.Name(label="Name", longest=10)
    text = fields.Prose(label="Text", longest=10, allow_blank=True, default="")
    choice = fields.Choice([("a", "One"), ("b", "Two")], label="Choice")
    flag = fields.Flag(label="Flag", default=False)
    number = fields.WholeNumber(label="Number", min_value=1, max_value=9)
    word = fields.Text(label="Word")
    secret = fields.Text(default="")


def test_a_page_and_the_api_refuse_the_same_name_in_the_same_words(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post("/clubs/new/", {"name": TOO_LONG, "entry": "open"})
    assert page.status_code == 422
    assert FAULT in page.content.decode()
    answer = Api(alice).post("clubs", {"name": TOO_LONG})
    assert answer.refusal == (422, "no-club")
    assert answer.body["problems"] == [{"code": "name", "detail": FAULT}]
    assert not Club.objects.exists()


def test_a_page_and_the_api_tidy_the_same_way(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/clubs/new/", {"name": "  Tin   Can ", "text": " a \r\n\r\n\r\nb ", "entry": "open"})
    Api(alice).post("clubs", {"name": "  Rust   Can ", "text": " a \r\n\r\n\r\nb "})
    found = Club.objects.order_by("pk").values_list("name", "text")
    assert [*found] == [("Tin Can", "a\n\nb"), ("Rust Can", "a\n\nb")]


def test_all_faults_of_an_input_come_together() -> None:
    with pytest.raises(Invalid) as refused:
        NewClub(data={"name": TOO_LONG, "text": "\u202e"}).allowed()
    assert [problem["code"] for problem in refused.value.problems] == ["name", "text"]


def test_changes_leave_out_what_stays() -> None:
    assert ClubChanges(data={"text": "Cans"}).allowed() == {"text": "Cans"}
    assert NewClub(data={"name": "Tin"}).allowed() == {"name": "Tin", "text": "", "entry": "open"}


def test_a_form_has_the_fields_with_a_label_and_the_types_of_the_input() -> None:
    form = form_of(Everything)({"name": " A  b ", "choice": "b", "flag": "on", "number": "3", "word": "w"})
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {
        "name": "A b",
        "text": "",
        "choice": "b",
        "flag": True,
        "number": 3,
        "word": "w",
    }
    wrong = form_of(Everything)({"name": "x" * 11, "choice": "c", "number": "10"})
    assert {*wrong.errors} == {"name", "choice", "number", "word"}


def test_a_field_of_an_input_serves_a_form_that_asks_for_more() -> None:
    field = field_of(NewClub, "name", label="New name")
    assert field.label == "New name" and field.clean(" Tin  Can ") == "Tin Can"
    with pytest.raises(forms.ValidationError, match="41 characters"):
        field.clean(TOO_LONG)
