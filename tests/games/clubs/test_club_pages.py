"""The pages of clubs, and their API."""

import pytest
from django.test import Client

from accounts.models import User
from games.clubs.models import Candidate, Club, Membership
from games.clubs.services import change_club, create_club, invite_to_club, join_club
from games.play.models import Game
from tests.games.api_client import Api
from tests.games.making import fields
from tests.games.reader import ReaderOf, reader
from tests.games.support import NOW, Table

CLUB = "/clubs/tin-can-club/"


@pytest.fixture
def browser(alice: User) -> Client:
    return reader(alice).client


@pytest.fixture
def club(alice: User) -> Club:
    return create_club(user=alice, name="Tin Can Club", text="Cans\n\nof tin.", now=NOW)


def test_a_club_is_created_changed_and_closed(browser: Client, alice: User, read: ReaderOf) -> None:
    assert "No clubs yet." in read(None).get("/clubs/")
    sent = {"name": "Tin Can Club", "text": "Cans of tin.", "entry": "request"}
    page = browser.post("/clubs/new/", sent, follow=True).content.decode()
    assert "Your club is ready." in page and "Cans of tin." in page
    changed = browser.post(f"{CLUB}edit/", {"name": "Rust Club", "entry": "open"}, follow=True)
    assert "Club saved." in changed.content.decode()
    assert "Rust Club" in read(None).get("/clubs/?name=rust")
    assert "Your clubs" in read(alice).get("/clubs/")
    assert "Member of" in read(None).get("/players/Alice/")
    assert "Club closed." in browser.post(f"{CLUB}close/", follow=True).content.decode()
    assert browser.get(CLUB).status_code == 404


def test_joining_requesting_and_leaving(
    browser: Client, club: Club, alice: User, bob: User, read: ReaderOf
) -> None:
    theirs = reader(bob).client

    def belong(do: str) -> str:
        return theirs.post(f"{CLUB}belong/", {"do": do}, follow=True).content.decode()

    assert "Join" in read(bob).get(CLUB)
    assert "You are now a member." in belong("join")
    assert "no longer in this club" in belong("leave")
    change_club(user=alice, slug=club.slug, entry="request", now=NOW)
    assert "You asked to join" in belong("join")
    assert "Someone wants to join" in read(alice).get("/my-room/")
    assert "Requests to join" in read(alice).get(CLUB)
    answer = browser.post(f"{CLUB}member/", {"player": "Bob", "do": "invite"}, follow=True)
    assert "Bob is now a member." in answer.content.decode()


def test_only_officers_have_management_buttons(
    browser: Client, club: Club, bob: User, carol: User, read: ReaderOf
) -> None:
    for each in (bob, carol):
        join_club(user=each, slug=club.slug, now=NOW)
    assert "Make captain" not in read(bob).get(CLUB).html
    for do, role in (("officer", "officer"), ("member", "member"), ("officer", "officer")):
        browser.post(f"{CLUB}member/", {"player": "Bob", "do": do})
        assert Membership.objects.get(user=bob).role == role
    assert "Invite a player" in read(bob).get(CLUB)
    assert "Make captain" not in read(bob).get(CLUB).html
    browser.post(f"{CLUB}member/", {"player": "Carol", "do": "remove"})
    assert not Membership.objects.filter(user=carol).exists()


def test_an_invitation_is_shown_in_my_room(club: Club, alice: User, bob: User, read: ReaderOf) -> None:
    change_club(user=alice, slug=club.slug, entry="invited", now=NOW)
    invite_to_club(user=alice, slug=club.slug, robo_name="Bob", now=NOW)
    assert "You are invited to the club" in read(bob).get("/my-room/")
    assert "You are invited" in read(bob).get("/clubs/")
    assert "Accept the invitation" in read(bob).get(CLUB)
    assert "Withdraw" in read(alice).get(CLUB)


def test_the_form_creates_a_game_for_members(
    browser: Client, table: Table, club: Club, read: ReaderOf
) -> None:
    page = browser.get(f"/games/new/?club={club.slug}").content.decode()
    assert "Only members of Tin Can Club can join." in page
    form = fields(table.starship, club=club.slug)
    made = browser.post("/games/new/", form, follow=True).content.decode()
    assert "For members of" in made
    assert Game.objects.get().club_game.club == club
    assert "Maiden voyage" in read(None).get(CLUB)


def test_the_api_does_the_same(table: Table, alice: User, bob: User) -> None:
    api, other = Api(alice), Api(bob)
    made = api.post("clubs", {"name": "Tin Can Club", "entry": "request"})
    assert (made.status, made.body["my_role"]) == (201, "captain")
    assert other.put("clubs/tin-can-club/membership").body["asked"]
    assert [each["robo_name"] for each in api.get("clubs/tin-can-club").body["applicants"]] == ["Bob"]
    assert api.put("clubs/tin-can-club/members/Bob", {}).body["members"] == 2
    people = api.put("clubs/tin-can-club/members/Bob", {"role": "officer"}).body["people"]
    assert [each["role"] for each in people] == ["captain", "officer"]
    assert api.patch("clubs/tin-can-club", {"text": "Tin."}).body["text"] == "Tin."
    terms = {"name": "Cans", "starship": table.starship.pk, "ruleset": "robo-runner", "seats": 2}
    game = api.post("games", {**terms, "club": "tin-can-club"})
    assert [each["id"] for each in api.get("games?club=tin-can-club").body["results"]] == [game.body["id"]]
    assert api.get("games?club=rust-club").body["results"] == []
    assert api.get("clubs/tin-can-club/table").body == {"results": []}
    assert [each["slug"] for each in api.get("clubs?player=Bob").body["results"]] == ["tin-can-club"]
    assert api.delete("clubs/tin-can-club/members/Bob").body["members"] == 1
    assert api.delete("clubs/tin-can-club/membership").body == {"results": []}
    assert not Club.objects.exists() and not Candidate.objects.exists()
