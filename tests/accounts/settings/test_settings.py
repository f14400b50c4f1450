"""Settings are stored for each person, and every page contains them."""

import json
import re
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from accounts.settings import change_settings, settings_of

pytestmark = pytest.mark.django_db

PATH = "/settings/"
FIRST = {
    "aid": True,
    "speed": 100,
    "motion": "auto",
    "theme": "auto",
    "cell_size": "fit",
    "sound": False,
    "volume": 70,
    "effects_volume": 80,
    "music": False,
    "music_volume": 50,
    "chat_filter": True,
}
FORM = {name: value for name, value in FIRST.items() if value is not False} | {
    "aid": "on",
    "chat_filter": "on",
}
"""The settings form with unchanged values, as a browser sends it."""


def send(browser: Client, **chosen: object) -> HttpResponse:
    body = json.dumps(chosen)
    return browser.post(PATH, body, content_type="application/json", headers={"accept": "application/json"})


def html_of(page: HttpResponse) -> str:
    found = re.search(r"<html[^>]*>", page.content.decode())
    assert found
    return unescape(found[0])


def document_of(page: HttpResponse) -> dict[str, object]:
    """Return the settings that a page contains for its scripts."""
    found = re.search(r' data-settings="(\{.*?\}\})"', html_of(page))
    assert found
    return dict(json.loads(found[1]))


def test_changing_one_setting_keeps_the_others(alice: User) -> None:
    change_settings(user=alice, chosen={"speed": 200})
    alice.refresh_from_db()
    assert settings_of(alice) == FIRST | {"speed": 200}


WRONG: list[tuple[dict[str, object], str]] = [
    ({"speed": 300}, "The animation speed must be 50, 100, 200 or 400 per cent."),
    ({"theme": ""}, "The theme must be auto, light or dark."),
    ({"motion": None}, "The motion must be auto, full or reduced."),
    ({"cell_size": "huge"}, "The cell size must be fit, small, medium or large."),
    ({"aid": "perhaps"}, "The programming aid must be on or off."),
    ({"sound": [1]}, "The sound must be on or off."),
    ({"volume": 101}, "The master volume must be a whole number from 0 to 100."),
    ({"volume": -1}, "The master volume must be a whole number from 0 to 100."),
    ({"effects_volume": "loud"}, "The effects volume must be a whole number from 0 to 100."),
    ({"music": "jazz"}, "The music must be on or off."),
    ({"music_volume": 101}, "The music volume must be a whole number from 0 to 100."),
    ({"chat_filter": "strict"}, "The chat filter must be on or off."),
    ({"volume": 1e999}, "The master volume must be a whole number from 0 to 100."),
    ({"is_staff": True}, "There is no setting “is_staff”."),
    ({"x" * 999: 1}, f"There is no setting “{'x' * 39}…”."),
    ({"theme": "x" * 999}, "The theme must be auto, light or dark."),
]


def test_invalid_values_are_refused_in_a_sentence(alice: User) -> None:
    for chosen, sentence in WRONG:
        with pytest.raises(ValidationError) as refused:
            change_settings(user=alice, chosen=chosen | {"sound": chosen.get("sound", True)})
        assert refused.value.messages == [sentence]
        assert settings_of(alice) == FIRST, "all or nothing"
        alice.refresh_from_db()
        assert settings_of(alice) == FIRST


def test_a_script_changes_one_setting(alice: User, signed_in: Client) -> None:
    answer = send(signed_in, cell_size="large", volume=5)
    assert answer.status_code == 200
    assert answer.json() == {"person": alice.pk, "settings": FIRST | {"cell_size": "large", "volume": 5}}
    assert signed_in.get(PATH, headers={"accept": "application/json"}).json() == answer.json()
    alice.refresh_from_db()
    assert (alice.cell_size, alice.volume) == ("large", 5)


def test_a_script_gets_the_reason_and_the_current_value(alice: User, signed_in: Client) -> None:
    answer = send(signed_in, theme="dusk")
    assert answer.status_code == 400
    assert answer.json() == {
        "person": alice.pk,
        "settings": FIRST,
        "detail": "The theme must be auto, light or dark.",
    }


def test_a_body_that_is_no_json_object_is_refused(signed_in: Client) -> None:
    kind = {"content_type": "application/json", "headers": {"accept": "application/json"}}
    for body in (b"", b"speed=200", b"[1]", b"\xff", b"[" * 200_000):
        answer = signed_in.post(PATH, body, **kind)  # type: ignore[arg-type]
        assert answer.status_code == 400
        assert answer.json()["detail"] == "Send the settings as a JSON object, such as {“speed”: 200}."


def test_a_stranger_s_script_is_asked_to_log_in(client: Client, db: None) -> None:
    answer = send(client, speed=200)
    assert answer.status_code == 403
    assert answer.json() == {"detail": "You were logged out. Log in, then try again."}


def test_a_script_without_the_token_changes_nothing(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert send(browser, speed=200).status_code == 403
    alice.refresh_from_db()
    assert alice.speed == 100


def test_the_form_works_without_a_script(alice: User, signed_in: Client) -> None:
    changed = {"speed": "400", "motion": "reduced", "theme": "dark", "sound": "on", "volume": "15"}
    page = signed_in.post(PATH, FORM | changed, follow=True)
    assert b"Your settings are saved for all your devices." in page.content
    alice.refresh_from_db()
    kept = {"speed": 400, "motion": "reduced", "theme": "dark", "sound": True, "volume": 15}
    assert settings_of(alice) == FIRST | kept
    signed_in.post(PATH, {name: value for name, value in FORM.items() if name != "aid"})
    alice.refresh_from_db()
    assert settings_of(alice) == FIRST | {"aid": False}


def test_the_form_shows_the_refusal(alice: User, signed_in: Client) -> None:
    page = signed_in.post(PATH, FORM | {"theme": "dusk", "volume": "101"})
    assert page.status_code == 200
    assert "The theme must be auto, light or dark." in page.content.decode()
    assert "The master volume must be a whole number from 0 to 100." in page.content.decode()
    assert "data-theme" not in html_of(page)
    alice.refresh_from_db()
    assert settings_of(alice) == FIRST


def test_a_page_contains_its_reader_s_settings(alice: User, signed_in: Client) -> None:
    page = signed_in.get(PATH)
    assert document_of(page) == {"person": alice.pk, "fresh": True, "address": PATH, "values": FIRST}
    for name in ("theme", "motion", "cell"):
        assert f"data-{name}" not in html_of(page), "as the system is set, and as it fits"
    change_settings(
        user=alice, chosen={"theme": "dark", "motion": "full", "cell_size": "small", "aid": False}
    )
    page = signed_in.get("/nowhere/")
    assert 'data-theme="dark" data-motion="full" data-cell="small"' in html_of(page)
    assert document_of(page)["values"] == settings_of(alice)
    assert document_of(page)["fresh"] is False


def test_a_stranger_has_the_settings_of_a_new_account(client: Client, db: None) -> None:
    document = document_of(client.get("/accounts/login/"))
    assert document == {"person": None, "fresh": False, "address": PATH, "values": FIRST}


def test_a_guest_has_settings(client: Client, db: None) -> None:
    guest = User.objects.create_user("Guest-1", "", is_guest=True)
    client.force_login(guest)
    assert send(client, theme="light").status_code == 200
    assert 'data-theme="light"' in html_of(client.get("/nowhere/"))
