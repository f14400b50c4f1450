"""Players follow and block others, and write private notes about them."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.usersessions.models import UserSession

from accounts.models import User
from games.chat.selectors import chat_after, unread_by
from games.chat.services import post_line, read_chat
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.invitations import invite
from games.news.models import Notice
from games.people import contacts
from games.people.contacts import (
    block,
    contact_of,
    contacts_of,
    follow,
    friends_here,
    unblock,
    unfollow,
    write_note,
)
from games.people.models import Block, Follow, PlayerNote
from games.people.services.deletion import delete_account
from games.play.models import Game
from tests import cast
from tests.games.support import NOW, Table


def names(user: User, part: str) -> list[str]:
    return [each["robo_name"] for each in contacts_of(user=user, now=NOW)[part]]  # type: ignore[literal-required]


def test_a_followed_player_sees_the_follower(alice: User, bob: User) -> None:
    for _ in range(2):
        follow(user=alice, robo_name="bob", now=NOW)
    assert (names(alice, "follows"), names(bob, "followers")) == (["Bob"], ["Alice"])
    assert contact_of(user=bob, person=alice, now=NOW)["follows_me"]
    unfollow(user=alice, robo_name="Bob")
    assert names(bob, "followers") == []


def test_blocking_ends_following_both_ways_and_prevents_it(alice: User, bob: User) -> None:
    follow(user=alice, robo_name="Bob", now=NOW)
    follow(user=bob, robo_name="Alice", now=NOW)
    for _ in range(2):
        block(user=alice, robo_name="Bob", now=NOW)
    assert not Follow.objects.exists()
    with pytest.raises(Forbidden):
        follow(user=bob, robo_name="Alice", now=NOW)
    with pytest.raises(Conflict):
        follow(user=alice, robo_name="Bob", now=NOW)
    assert not contact_of(user=bob, person=alice, now=NOW)["blocked"], "who is blocked is not told"
    unblock(user=alice, robo_name="Bob")
    follow(user=bob, robo_name="Alice", now=NOW)


def test_contacts_with_oneself_are_refused(alice: User) -> None:
    for name, refusal in (("Nemo", NotFound), ("\0", NotFound), ("", NotFound), ("Alice", Forbidden)):
        for act in (follow, block, partial(write_note, text="Hm.")):
            with pytest.raises(refusal):
                act(user=alice, robo_name=name, now=NOW)


def test_follows_and_blocks_are_limited(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contacts, "MOST_CONTACTS", 1)
    for act, model in ((follow, Follow), (block, Block)):
        act(user=alice, robo_name="Bob" if act is follow else "Carol", now=NOW)
        with pytest.raises(Conflict):
            act(user=alice, robo_name="Carol" if act is follow else "Bob", now=NOW)
        assert model.objects.count() == 1


def test_only_its_author_sees_a_note(alice: User, bob: User) -> None:
    write_note(user=alice, robo_name="Bob", text="Pushes a lot.", now=NOW)
    assert contact_of(user=alice, person=bob, now=NOW)["note"] == "Pushes a lot."
    assert contact_of(user=bob, person=alice, now=NOW)["note"] == ""
    assert names(alice, "noted") == ["Bob"]
    write_note(user=alice, robo_name="Bob", text="Plays fair.", now=NOW)
    assert PlayerNote.objects.get().text == "Plays fair."
    write_note(user=alice, robo_name="Bob", text=" ", now=NOW)
    assert not PlayerNote.objects.exists()


def test_presence_is_shown_only_to_mutual_followers(alice: User, bob: User) -> None:
    session = {"ip": "127.0.0.1", "session_key": "key", "user_agent": "", "data": {}}
    seen = UserSession.objects.create(user=bob, **session)
    UserSession.objects.filter(pk=seen.pk).update(last_seen_at=NOW - timedelta(minutes=59))
    follow(user=alice, robo_name="Bob", now=NOW)
    assert not contact_of(user=alice, person=bob, now=NOW)["here"]
    assert friends_here(user=alice, now=NOW) == []
    follow(user=bob, robo_name="Alice", now=NOW)
    assert contact_of(user=alice, person=bob, now=NOW)["here"]
    assert friends_here(user=alice, now=NOW) == [("Bob", None)]
    assert not contact_of(user=alice, person=bob, now=NOW + timedelta(minutes=2))["here"]
    assert not contact_of(user=bob, person=alice, now=NOW)["here"]


def test_lines_of_a_blocked_player_are_hidden_in_chats(duel: Game, alice: User, bob: User) -> None:
    post_line(user=bob, game_id=duel.pk, text="@Alice, you tin can!", now=NOW)
    block(user=alice, robo_name="Bob", now=NOW)
    mentions = Notice.objects.filter(user=alice).count()
    post_line(user=bob, game_id=duel.pk, text="@Alice, hello?", now=NOW)
    assert Notice.objects.filter(user=alice).count() == mentions, "nobody is told of it"
    heard = chat_after(viewer=alice, game=duel)["results"]
    assert [(line["name"], line["text"], line["hidden"]) for line in heard] == [("Bob", "", True)] * 2
    assert Game.objects.annotate(unread=unread_by(alice)).get(pk=duel.pk).unread == 0
    assert read_chat(user=alice, game_id=duel.pk, line_id=0) == 0
    assert chat_after(viewer=bob, game=duel)["results"][1]["text"] == "@Alice, hello?"
    unblock(user=alice, robo_name="Bob")
    assert chat_after(viewer=alice, game=duel)["results"][0]["text"] == "@Alice, you tin can!"


def test_a_blocked_player_cannot_invite(table: Table, alice: User, bob: User) -> None:
    game = table.game(bob, seats=3)
    block(user=alice, robo_name="Bob", now=NOW)
    with pytest.raises(Forbidden, match="You cannot invite Alice"):
        invite(user=bob, game_id=game.pk, robo_name="alice", now=NOW)
    invite(user=bob, game_id=game.pk, email=alice.email, now=NOW)
    assert not game.invitations.filter(user=alice).exists()
    assert not Notice.objects.filter(user=alice).exists()


def test_guests_have_no_contacts(alice: User) -> None:
    guest = User.objects.create(robo_name="guest-1", is_guest=True)
    with pytest.raises(Forbidden):
        follow(user=guest, robo_name="Alice", now=NOW)


def test_contacts_are_deleted_with_either_account(alice: User, bob: User) -> None:
    follow(user=alice, robo_name="Bob", now=NOW)
    write_note(user=alice, robo_name="Bob", text="A friend.", now=NOW)
    block(user=cast.carol(), robo_name="Bob", now=NOW)
    delete_account(user=bob, now=NOW)
    assert not (Follow.objects.exists() or Block.objects.exists() or PlayerNote.objects.exists())
