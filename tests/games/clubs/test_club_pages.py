"""The pages and the API of clubs."""

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.clubs.inputs import MOST_NAMES
from games.clubs.models import Candidate, Club, Membership
from games.clubs.services import change_club, create_club, invite_to_club, join_club, remove_from_club
from games.competitions.selectors.clubs import club_news
from games.competitions.services.tournaments import (
    cancel_tournament,
    create_tournament,
    join_tournament,
    open_tournament,
)
from games.people.contacts import block
from games.play.models import Game
from tests.games.api_client import Api
from tests.games.competitions.hosting import START, play_round, step, terms
from tests.games.making import fields
from tests.games.reader import ReaderOf, reader
from tests.games.standings.rated import ended
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


def test_players_join_request_to_join_and_leave(
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
    assert "Invite players" in read(bob).get(CLUB)
    assert "Make captain" not in read(bob).get(CLUB).html
    browser.post(f"{CLUB}member/", {"player": "Carol", "do": "remove"})
    assert not Membership.objects.filter(user=carol).exists()


def test_an_invitation_is_shown_in_my_room(club: Club, alice: User, bob: User, read: ReaderOf) -> None:
    change_club(user=alice, slug=club.slug, entry="invited", now=NOW)
    invite_to_club(user=alice, slug=club.slug, robo_name="Bob", now=NOW)
    assert "You are invited to the club" in read(bob).get("/my-room/")
    assert "You are invited" in read(bob).get("/clubs/")
    assert "Accept the invitation" in read(bob).get(CLUB)
    assert 'aria-label="Withdraw the invitation to Bob"' in read(alice).get(CLUB).html
    assert "1 invitation " in read(bob).get("/rules/")
    assert "1 invitation" not in read(alice).get("/rules/")


def test_a_new_club_begins_with_the_form_for_invitations(
    browser: Client, club: Club, bob: User, carol: User
) -> None:
    def is_first(address: str) -> bool:
        page = reader(club.memberships.get(role="captain").user).get(address).html
        return page.index("invite-title") < page.index("tournaments-title")

    assert is_first(CLUB)
    join_club(user=bob, slug=club.slug, now=NOW)
    assert not is_first(CLUB) and is_first(f"{CLUB}?invite=1")
    for form, sent in (("member", {"do": "invite", "player": "Carol"}), ("link", {"do": "new"})):
        assert browser.post(f"{CLUB}{form}/", sent)["Location"] == f"{CLUB}?invite=1"
    assert "invite-title" not in reader(bob).get(f"{CLUB}?invite=1").html
    made = browser.post("/clubs/new/", {"name": "Rust Club", "entry": "invited"}, follow=True)
    assert "Invite players: no one else can join." in made.content.decode()


def test_several_players_are_invited_at_once_and_refused_names_stay(
    browser: Client, club: Club, alice: User, bob: User, carol: User
) -> None:
    block(user=carol, robo_name="Alice", now=NOW)
    sent = {"do": "invite", "player": "Bob, Nemo\r\ncarol,bob,,Alice"}
    answer = browser.post(f"{CLUB}member/", sent)
    page = answer.content.decode()
    assert "You invited Bob." in page and ">Nemo, carol, Alice</textarea>" in page
    for reason in ("There is no player “Nemo”.", "carol: You cannot invite Carol.", "Alice is already"):
        assert reason in page
    assert (
        "<title>Error: " in page
        and '<a href="#club-invite">Names or email addresses: You cannot invite Carol.' in page
    )
    assert [each.user for each in club.candidates.all()] == [bob]


def test_names_beyond_the_limit_stay_in_the_form(browser: Client, club: Club) -> None:
    names = [f"Nemo{number}" for number in range(MOST_NAMES + 2)]
    page = browser.post(f"{CLUB}member/", {"do": "invite", "player": ",".join(names)}).content.decode()
    assert f"{names[-2]}, {names[-1]}: You can invite at most {MOST_NAMES} players at once." in page
    assert f"{names[-2]}, {names[-1]}</textarea>" in page
    long = browser.post(f"{CLUB}member/", {"do": "invite", "player": "Nemo," * 1000})
    assert long.status_code == 422 and "Nemo" not in long.content.decode()


def test_the_form_creates_a_game_for_members(
    browser: Client, table: Table, club: Club, read: ReaderOf
) -> None:
    page = browser.get(f"/games/new/?club={club.slug}").content.decode()
    assert "Only members of Tin Can Club can join." in page
    assert "Only members of Tin Can Club, " in page and "Open to everyone" not in page
    form = fields(table.starship, club=club.slug)
    made = browser.post("/games/new/", form, follow=True).content.decode()
    assert "For members of" in made
    assert "Members of Tin Can Club can find it on the club’s page." in made
    assert "Send them the link, or invite other players." in made
    assert Game.objects.get().club_game.club == club
    assert "Maiden voyage" in read(None).get(CLUB)
    private = browser.post("/games/new/", {**form, "private": "on"}, follow=True).content.decode()
    assert "Only members of Tin Can Club with the link, and invited players, can join." in private


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


def test_a_club_shows_its_tournaments_and_news(
    table: Table, club: Club, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    draft = create_tournament(user=alice, terms=terms(table, club=club.slug), now=NOW)
    assert "Autumn Cup" in read(alice).get(CLUB)
    assert "Autumn Cup" not in read(bob).get(CLUB)
    opening = NOW + timedelta(hours=2)
    open_tournament(user=alice, tournament_id=draft.pk, now=opening)
    assert [each.at for each in club_news(viewer=None, club=club) if each.kind == "tournament-new"] == [
        opening
    ]
    join_club(user=bob, slug=club.slug, now=NOW + timedelta(minutes=1))
    table.game(alice, seats=2, name="Secret voyage", club=club.slug, private=True)
    seen = read(None).get(CLUB)
    assert "The tournament Autumn Cup is open to members." in seen
    assert "Bob joined the club." in seen and "Secret voyage" not in seen
    assert "Alice created the game Secret voyage" in read(alice).get(CLUB)
    give_up = cancel_tournament(user=alice, tournament_id=draft.pk, now=NOW + timedelta(hours=1))
    assert f"The tournament {give_up.name} was cancelled." in read(carol).get(CLUB)


def test_news_name_the_winners(table: Table, club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=club.slug, now=NOW + timedelta(minutes=1))
    ended(table, bob, alice, club=club.slug)
    cup = create_tournament(user=alice, terms=terms(table, club=club.slug, rounds=1), now=NOW)
    open_tournament(user=alice, tournament_id=cup.pk, now=NOW)
    for each in (alice, bob):
        join_tournament(user=each, tournament_id=cup.pk, now=NOW)
    step(START)
    play_round(cup, [bob], now=START + timedelta(days=1))
    step(START + timedelta(days=1))
    told = {each.kind: each.who for each in club_news(viewer=None, club=club)}
    assert told["game-over"] == told["tournament-over"] == "Bob"
    assert "tournament-started" in told and "tournament-new" not in told


def test_officers_start_a_tournament_from_the_club(browser: Client, club: Club, bob: User) -> None:
    join_club(user=bob, slug=club.slug, now=NOW)
    link = f"/tournaments/new/?club={club.slug}"
    assert link in browser.get(CLUB).content.decode()
    assert link not in reader(bob).client.get(CLUB).content.decode()
    assert f'<option value="{club.slug}" selected>' in browser.get(link).content.decode()


def test_a_captain_leaves_on_the_page_for_changes(browser: Client, club: Club, bob: User) -> None:
    join_club(user=bob, slug=club.slug, now=NOW)
    assert 'value="leave"' not in browser.get(CLUB).content.decode()
    assert 'value="leave"' in reader(bob).client.get(CLUB).content.decode()
    assert 'value="leave"' in browser.get(f"{CLUB}edit/").content.decode()
    browser.post(f"{CLUB}belong/", {"do": "leave"})
    assert Membership.objects.get(club=club).role == Membership.Role.CAPTAIN


def test_a_link_lets_people_join_a_closed_club(
    browser: Client, club: Club, alice: User, bob: User, carol: User
) -> None:
    change_club(user=alice, slug=club.slug, entry="invited", now=NOW)

    def address() -> str:
        return reader(alice).get(CLUB).html.partition('id="club-link" value="')[2].partition('"')[0]

    assert address() == ""
    browser.post(f"{CLUB}link/", {"do": "new"})
    link = address().removeprefix("http://testserver")
    token = link.partition("?link=")[2]
    stranger = reader(None).get(link)
    assert "You are invited to the club Tin Can Club." in stranger and "Sign up to join" in stranger
    assert any("signup" in each and unquote(each).endswith(link) for each in stranger.links)
    expired = Client().post(f"{CLUB}belong/?link={token}", {"do": "join"})
    assert unquote(expired["Location"]) == f"/accounts/login/?next={link}"
    assert "Accept the invitation" in reader(bob).get(link)
    wrong = reader(bob).get(f"{link}x")
    assert "Accept the invitation" not in wrong and "This link is incomplete or no longer works." in wrong

    def join(person: User, link: str) -> HttpResponse:
        return reader(person).client.post(f"{CLUB}belong/?link={link}", {"do": "join"}, follow=True)

    joined = join(bob, token)
    assert "You are now a member." in joined.content.decode()
    assert joined.redirect_chain == [(CLUB, 302)]  # type: ignore[attr-defined]
    assert "invited" not in reader(bob).get(link).text.partition("Members")[0]
    assert "already a member" in join(bob, token).content.decode()
    remove_from_club(user=alice, slug=club.slug, robo_name="Bob", now=NOW)
    for _ in range(2):
        for each in (bob, carol):
            assert join(each, token).status_code == 403
        token = address().partition("?link=")[2]
        browser.post(f"{CLUB}link/", {"do": "revoke"})
    assert address() == "" and club.memberships.count() == 1


def test_a_link_from_another_tab_is_kept_unless_an_officer_has_seen_it(browser: Client, club: Club) -> None:
    def press(page: str) -> str:
        (button,) = re.findall(r'name="do" value="(\w+)">Make ', page)
        return browser.post(f"{CLUB}link/", {"do": button}, follow=True).content.decode()

    page = browser.get(CLUB).content.decode()
    press(page)
    token = Club.objects.get().link_token
    again = press(page)
    assert Club.objects.get().link_token == token and "Old links no longer work." not in again
    assert "Old links no longer work." in press(again)
    assert Club.objects.get().link_token != token


def test_only_officers_see_and_change_the_link(browser: Client, club: Club, bob: User) -> None:
    join_club(user=bob, slug=club.slug, now=NOW)
    browser.post(f"{CLUB}link/", {"do": "new"})
    token = Club.objects.get().link_token
    assert token in browser.get(CLUB).content.decode()
    theirs = reader(bob).client
    assert token not in theirs.get(CLUB).content.decode()
    for do in ("new", "revoke"):
        assert theirs.post(f"{CLUB}link/", {"do": do}).status_code == 403
    assert Club.objects.get().link_token == token
