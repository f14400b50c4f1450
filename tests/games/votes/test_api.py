"""The API of votes."""

from accounts.models import User
from games.play.models import Game
from games.votes.models import Vote
from tests.games.api_client import ApiOf


def test_a_vote_is_called_answered_and_decided(
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
        "takes": "More than half of the voters, and at least 2, must vote yes within 3 days."
        " Not voting counts as no.",
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


def test_open_votes_come_first_then_the_latest(
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


def test_strangers_read_but_do_not_vote(api: ApiOf, trio: Game, alice: User, dave: User) -> None:
    assert api(alice).post(f"games/{trio.pk}/votes", {"kind": "eject", "seat": 2**70}).status == 404
    vote = api(alice).post(f"games/{trio.pk}/votes", {"kind": "call-off"}).body["id"]
    assert api(dave).get(f"games/{trio.pk}/votes").status == 200
    assert api(dave).post(f"games/{trio.pk}/votes/{vote}", {"yes": True}).status == 403
