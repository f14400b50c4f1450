"""Pages with forms: how the decorator `action` handles requests and refusals."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from accounts.guests import make_guest
from accounts.models import User
from games.clubs.inputs import NewClub
from games.clubs.models import Club
from games.clubs.services import create_club
from games.errors import Conflict, NotFound
from games.web.actions import Done, action
from games.web.forms import form_of
from tests.games.support import NOW

CLUB = "/clubs/tin-can-club/"
FULL = Conflict("full", "There is no room.")


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def club(alice: User) -> Club:
    return create_club(user=alice, name="Tin Can Club", now=NOW)


def ask(
    page: Callable[..., HttpResponse], user: Any, path: str = f"{CLUB}leave/", **sent: str
) -> tuple[HttpResponse, list[str]]:
    """Send a form to a page. Return the response and the messages."""
    request: Any = RequestFactory().post(path, sent)
    request.user, request._messages = user, CookieStorage(request)
    return page(request), [str(each) for each in get_messages(request)]


def refuse(request: HttpRequest, **asked: Any) -> None:
    raise FULL


def test_a_form_is_shown_sent_and_redirects(browser: Client) -> None:
    assert browser.get("/clubs/new/").status_code == 200
    answer = browser.post("/clubs/new/", {"name": "Tin Can Club", "entry": "open"})
    assert (answer.status_code, answer.headers["Location"]) == (302, CLUB)
    assert "Your club is ready." in browser.get(CLUB).content.decode()
    assert "Your club is ready." not in browser.get(CLUB).content.decode(), "it is said once"


def test_errors_are_shown_beside_their_fields_and_the_input_stays(browser: Client) -> None:
    answer = browser.post("/clubs/new/", {"name": "Hi", "text": "Cans of tin.", "entry": "open"})
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["name"]
    assert "Cans of tin." in answer.content.decode()


def test_a_service_s_refusal_is_shown_beside_its_field(browser: Client, club: Club) -> None:
    answer = browser.post("/clubs/new/", {"name": "Tin-Can club", "entry": "open"})
    assert answer.status_code == 409
    assert [*answer.context["form"].errors] == ["name"]
    assert not Club.objects.exclude(pk=club.pk).exists()


def test_a_forbidden_page_gives_the_reason(client: Client, bob: User, club: Club) -> None:
    client.force_login(bob)
    for answer in (
        client.get(f"{CLUB}edit/"),
        client.post(f"{CLUB}edit/", {"name": "Rust", "entry": "open"}),
    ):
        assert answer.status_code == 403
        assert "Only the captain can do this." in answer.content.decode()


def test_a_refusal_without_its_own_page_redirects_to_the_parent_page(alice: User) -> None:
    page = action(form_of(NewClub), template="clubs/edit.html", context=refuse)(lambda request: None)
    answer, said = ask(page, alice)
    assert (answer.headers["Location"], said) == (CLUB, ["There is no room."])


def test_other_buttons_of_a_page_do_not_validate_the_form(alice: User, club: Club) -> None:
    def press(request: HttpRequest) -> Done:
        return Done("Pressed.", then=club)

    page = action(form_of(NewClub), template="clubs/edit.html", buttons={"press": press}, says="Saved.")
    answer, said = ask(page(refuse), alice, press="1", name="Tin Can", entry="open")
    assert (answer.headers["Location"], said) == (CLUB, ["Pressed."])


def test_a_refusal_is_shown_on_its_page(browser: Client, club: Club) -> None:
    answer = browser.post(f"{CLUB}belong/", {"do": "join"})
    assert answer.status_code == 409
    assert "You are already a member." in answer.content.decode()


def test_without_a_page_a_refusal_is_a_message_on_the_parent_page(alice: User) -> None:
    answer, said = ask(action()(refuse), alice)
    assert (answer.status_code, answer.headers["Location"]) == (302, CLUB)
    assert said == ["There is no room."]


def test_invalid_values_are_refused_in_the_same_way(alice: User) -> None:
    answer, said = ask(action(form_of(NewClub))(refuse), alice, name="Hi", entry="open")
    assert (answer.headers["Location"], said) == (CLUB, ["Enter a name of 3 to 40 characters."])


def shown(request: HttpRequest, form: Any = None, refusal: Any = None) -> HttpResponse:
    faults = [str(fault) for found in form.errors.values() for fault in found] if form else []
    return HttpResponse("; ".join(faults) or "Fill it in.", status=refusal.status if refusal else 200)


def test_a_form_within_another_page_shows_its_errors_there(alice: User) -> None:
    page = action(form_of(NewClub), refused_on=shown)(refuse)
    for sent, status, said in (
        ({"name": "Hi", "entry": "open"}, 422, b"Enter a name of 3 to 40 characters."),
        ({"name": "Tin Can", "entry": "open"}, 409, b"There is no room."),
    ):
        answer, messages = ask(page, alice, **sent)
        assert (answer.status_code, answer.content, messages) == (status, said, [])


def test_a_page_with_its_own_form_is_shown_at_the_same_address(alice: User) -> None:
    page = action(form_of(NewClub), page=shown)(refuse)
    request = RequestFactory().get(CLUB)
    request.user = alice
    assert page(request).content == b"Fill it in."
    assert ask(page, alice, name="Tin Can", entry="open")[0].status_code == 409


def test_the_address_of_a_button_redirects_to_the_parent_page(browser: Client, club: Club) -> None:
    answer = browser.get(f"{CLUB}belong/")
    assert (answer.status_code, answer.headers["Location"]) == (302, CLUB)
    assert browser.put(f"{CLUB}belong/").status_code == 405
    assert browser.put("/clubs/new/").status_code == 405


def test_success_shows_a_message_and_redirects(alice: User, club: Club) -> None:
    for outcome, next_page, said in (
        (None, "/clubs/", ["Saved."]),
        (Done("Joined."), "/clubs/", ["Joined."]),
        (Done(then=club), CLUB, ["Saved."]),
        (Done("Joined.", then="clubs:new"), "/clubs/new/", ["Joined."]),
    ):
        page = action(says="Saved.", then="clubs:list")(lambda request, outcome=outcome: outcome)
        answer, found = ask(page, alice)
        assert (answer.headers["Location"], found) == (next_page, said)
    assert ask(action()(lambda request: None), alice)[0].headers["Location"] == CLUB
    whole = HttpResponse("All of it")
    assert ask(action(says="Saved.")(lambda request: whole), alice) == (whole, [])


@pytest.mark.parametrize("path", ["/clubs/new/", f"{CLUB}belong/", f"{CLUB}edit/"])
def test_a_login_and_an_account_are_required(client: Client, club: Club, path: str) -> None:
    assert "/accounts/login/" in client.post(path).headers["Location"]
    client.force_login(make_guest())
    assert client.post(path).status_code == 403
    assert club.memberships.count() == 1


def test_guests_may_use_pages_open_to_them(db: None) -> None:
    page = action(guests=True, then="clubs:list")(lambda request: None)
    assert ask(page, make_guest())[0].headers["Location"] == "/clubs/"
    assert "login" in ask(page, AnonymousUser())[0].headers["Location"]


def test_a_missing_object_is_not_found(browser: Client) -> None:
    for path in ("/clubs/none/edit/", "/clubs/none/belong/"):
        assert browser.post(path, {"name": "Tin", "entry": "open"}).status_code == 404
    assert browser.get("/clubs/none/edit/").status_code == 404


def test_an_object_that_a_service_does_not_find_is_not_found(alice: User) -> None:
    def miss(request: HttpRequest, **asked: Any) -> None:
        raise NotFound("no-player", "There is no such player.")

    for page in (action()(miss), action(form_of(NewClub), template="clubs/edit.html")(miss)):
        answer, said = ask(page, alice, name="Tin Can", entry="open")
        assert (answer.status_code, said) == (404, [])
