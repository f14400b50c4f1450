"""The ballot: a page, linked in emails, to answer a vote."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.play.models import Game
from games.staff.services import replace_as_staff
from games.votes.models import Ballot, Vote
from games.votes.news import ballot_url
from games.votes.services import call_vote
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table


@pytest.fixture
def call_off_vote(table: Table, alice: User, bob: User, carol: User) -> Vote:
    """Alice's vote to cancel a private game of three players."""
    game = table.game(alice, bob, carol, private=True)
    table.play(game, alice, bob, carol)
    return call_vote(user=alice, game_id=game.pk, kind="call-off", now=NOW)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the current time to `NOW`, when the vote is open."""
    monkeypatch.setattr("games.votes.pages.timezone.now", lambda: NOW)


def path(user: User, vote: Vote) -> str:
    url = ballot_url(user_id=user.pk, vote_id=vote.pk)
    return url[url.index("/ballots/") :]


def ballots_of(vote: Vote) -> dict[str, bool]:
    return dict(Ballot.objects.filter(vote=vote).values_list("user__robo_name", "yes"))


def test_opening_it_does_not_vote(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    page = read(None).get(f"{path(bob, call_off_vote)}?say=yes")
    assert page.status == 200
    assert "Should the game be cancelled, without a winner?" in page.text
    assert "Press a button to vote as Bob." in page.text
    assert ballots_of(call_off_vote) == {"Alice": True}


def test_the_link_s_choice_is_preselected(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    def loud(query: str) -> list[str]:
        html = read(None).get(path(bob, call_off_vote) + query).html
        return re.findall(r'<button class="button" name="say" value="(\w+)"', html)

    assert (loud("?say=yes"), loud("?say=no")) == (["yes"], ["no"])
    assert loud("") == loud("?say=<b>") == ["yes", "no"]


def test_a_button_votes_without_a_login(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    page = read(None).post(path(bob, call_off_vote), say="no")
    assert page.address == path(bob, call_off_vote)
    assert "Bob, you voted no. You can change this until the vote is decided." in page.text
    assert ballots_of(call_off_vote) == {"Alice": True, "Bob": False}


def test_a_deciding_ballot_takes_effect_immediately(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    page = read(None).post(path(bob, call_off_vote), say="yes")
    assert (
        "This proposal passed. Yes: 2. No: 0. Voters: 3." in page.text
        and "<form" not in page.html.split("<main")[1]
    )
    call_off_vote.game.refresh_from_db()
    assert call_off_vote.game.status == Game.Status.CANCELLED
    again = read(None).post(path(bob, call_off_vote), say="no")
    assert again.status == 409 and "This vote is closed." in again.text


def test_a_replaced_player_has_no_vote(call_off_vote: Vote, bob: User, erin: User, read: ReaderOf) -> None:
    seat = call_off_vote.game.players.get(user=bob)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="So.", now=NOW)
    assert "Bob can no longer vote on this." in read(None).get(path(bob, call_off_vote)).text
    refused = read(None).post(path(bob, call_off_vote), say="yes")
    assert refused.status == 403 and "You cannot vote on this." in refused.text
    assert ballots_of(call_off_vote) == {"Alice": True}


def test_a_value_other_than_yes_or_no_is_refused(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    for reader, address in (
        (read(None), path(bob, call_off_vote)),
        (read(bob), f"/games/{call_off_vote.game_id}/votes/{call_off_vote.pk}/"),
    ):
        page = reader.post(address, say="maybe")
        assert page.status == 400 and "Choose yes or no." in page.text
    assert ballots_of(call_off_vote) == {"Alice": True}


def test_a_link_works_for_one_person_and_one_vote(
    call_off_vote: Vote, bob: User, carol: User, read: ReaderOf
) -> None:
    good = path(bob, call_off_vote)
    user, vote, signature = good.split("/")[2].split("-", 2)
    for wrong in (
        f"{carol.pk}-{vote}-{signature}",
        f"{user}-{call_off_vote.pk + 1}-{signature}",
        f"{user}-{vote}-{signature[:-1]}",
        f"{user}-{vote}",
        "so",
        "x-y-z",
    ):
        page = read(None).post(f"/ballots/{wrong}/", say="yes")
        assert page.status == 404 and "This link does not work" in page.text
    assert ballots_of(call_off_vote) == {"Alice": True}


def test_a_closed_account_has_no_ballot(call_off_vote: Vote, bob: User, read: ReaderOf) -> None:
    address = path(bob, call_off_vote)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert read(None).get(address).status == 404


def test_another_site_cannot_press_the_button(call_off_vote: Vote, bob: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(path(bob, call_off_vote), {"say": "yes"}).status_code == 403
    assert ballots_of(call_off_vote) == {"Alice": True}
