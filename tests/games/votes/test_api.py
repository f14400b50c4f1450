"""Votes by the API."""

import pytest

from accounts.models import User
from games.play.models import Game
from games.votes.models import Vote
from tests.games.api_client import ApiOf
from tests.games.support import Table


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User) -> Game:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    return game


def test_a_vote_is_asked_answered_and_decided(
    api: ApiOf, trio: Game, alice: User, bob: User, carol: User
) -> None:
    asked = api(alice).post(f"games/{trio.pk}/votes", {"kind": "eject", "seat": 3})
    assert asked.status == 201
    vote = Vote.objects.get()
    assert asked.body == {
        "id": vote.pk,
        "kind": "eject",
        "question": "Should a computer replace Carol from now on?",
        "seat": 3,
        "days": None,
        "asked_by": "Alice",
        "turn": 1,
        "status": "open",
        "takes": "more than half of those who have a vote, and at least 2, have to agree within 3 days;"
        " silence counts as no",
        "opened_at": "2026-11-21T12:00:00Z",
        "closes_at": "2026-11-24T12:00:00Z",
        "closed_at": None,
        "yes": ["Alice"],
        "no": [],
        "silent": ["Bob"],
        "needed": 2,
        "voters": 2,
        "ayes": 1,
        "noes": 0,
        "mine": True,
        "may_vote": True,
    }
    seen = api(carol).get(f"games/{trio.pk}/votes").body["results"]
    assert seen == [{**asked.body, "mine": None, "may_vote": False}]
    said = api(bob).post(f"games/{trio.pk}/votes/{vote.pk}", {"yes": True})
    assert said.status == 200
    assert (said.body["status"], said.body["closed_at"]) == ("passed", "2026-11-21T12:00:00Z")
    assert (said.body["yes"], said.body["silent"], said.body["needed"]) == (["Alice", "Bob"], [], None)
    assert trio.players.get(number=3).computer == "rookie"


def test_the_open_come_first_then_the_latest(
    api: ApiOf, trio: Game, alice: User, bob: User, carol: User
) -> None:
    first = api(alice).post(f"games/{trio.pk}/votes", {"kind": "call-off"}).body["id"]
    second = api(alice).post(f"games/{trio.pk}/votes", {"kind": "concede", "seat": 2}).body["id"]
    third = api(alice).post(f"games/{trio.pk}/votes", {"kind": "concede", "seat": 3})
    assert (third.status, third.body["error"]) == (409, "vote-open")
    api(carol).post(f"games/{trio.pk}/votes/{second}", {"yes": False})
    third = api(alice).post(f"games/{trio.pk}/votes", {"kind": "pause", "days": 2}).body["id"]
    api(bob).post(f"games/{trio.pk}/votes/{third}", {"yes": True})
    seen = api(alice).get(f"games/{trio.pk}/votes").body["results"]
    assert [vote["id"] for vote in seen] == [first, third, second]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 400),
        ({"kind": 7}, 400),
        ({"kind": "pause", "days": "7"}, 400),
        ({"kind": "pause", "days": True}, 400),
        ({"kind": "pause", "days": 2**70}, 422),
        ({"kind": "eject", "seat": 2**70}, 404),
        ({"kind": "eject", "seat": -1}, 404),
        ({"kind": "duel"}, 422),
        ({"kind": "call-off", "why": "bored"}, 400),
        ({"kind": "call-off", "seat": 2}, 400),
        ({"kind": "resume"}, 409),
    ],
)
def test_what_is_no_vote_is_refused(
    api: ApiOf, trio: Game, alice: User, sent: dict[str, object], status: int
) -> None:
    assert api(alice).post(f"games/{trio.pk}/votes", sent).status == status
    assert not Vote.objects.exists()


@pytest.mark.parametrize(
    ("sent", "status"), [({}, 400), ({"yes": "yes"}, 400), ({"yes": None}, 400), ({"yes": 1}, 400)]
)
def test_what_is_no_ballot_is_refused(
    api: ApiOf, trio: Game, alice: User, bob: User, sent: dict[str, object], status: int
) -> None:
    vote = api(alice).post(f"games/{trio.pk}/votes", {"kind": "call-off"}).body["id"]
    assert api(bob).post(f"games/{trio.pk}/votes/{vote}", sent).status == status
    assert Vote.objects.get().ballots.count() == 1


def test_strangers_read_and_do_not_vote(api: ApiOf, trio: Game, alice: User, dave: User) -> None:
    vote = api(alice).post(f"games/{trio.pk}/votes", {"kind": "call-off"}).body["id"]
    assert api(dave).get(f"games/{trio.pk}/votes").status == 200
    assert api(dave).post(f"games/{trio.pk}/votes/{vote}", {"yes": True}).status == 403
    assert api(dave).post(f"games/{trio.pk}/votes", {"kind": "call-off"}).status == 403
    assert api(alice).post(f"games/{trio.pk}/votes/999999999", {"yes": True}).status == 404
