"""Invitations: notifications, access to private games, and privacy of addresses."""

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, Malformed, NotFound, ServiceError, TooMany
from games.lobby import invitations
from games.lobby.invitations import decline_invitation, invite, withdraw_invitation
from games.lobby.models import Invitation, LobbyEntry
from games.lobby.seats import join_game, remove_player
from games.news.models import Notice
from games.people import contacts
from games.play.models import Game
from games.play.viewers import visible_games
from tests.games.support import NOW, Table, game_seen, history_of, later


@pytest.fixture
def secret(table: Table, alice: User, carol: User) -> Game:
    """A private game of Alice and Carol with two open seats."""
    return table.game(alice, carol, seats=4, private=True)


def ask(game: Game, by: User, **whom: str) -> Invitation:
    """Invite a player by name, or an email address. Return the invitation."""
    invite(user=by, game_id=game.pk, now=NOW, **whom)
    invitation = game.invitations.order_by("pk").last()
    assert invitation
    return invitation


def seen_by(viewer: User, game: Game) -> list[tuple[str, str]]:
    view = game_seen(viewer=viewer, game=Game.objects.get(pk=game.pk))
    return [(entry["name"], entry["answer"]) for entry in view["invitations"]]


def knows(viewer: User, game: Game) -> bool:
    return visible_games(viewer=viewer).filter(pk=game.pk).exists()


def test_an_invited_player_is_notified_and_may_see_a_private_game(
    secret: Game, alice: User, bob: User
) -> None:
    assert not knows(bob, secret)
    invitation = ask(secret, alice, robo_name="bob")
    assert (invitation.user, invitation.email, invitation.answer) == (bob, "", "pending")
    assert Notice.objects.get(game=secret, user=bob).kind == "invited"
    assert knows(bob, secret)
    join_game(user=bob, game_id=secret.pk, now=NOW)
    assert seen_by(carol_of(secret), secret) == [("Bob", "accepted")]


def carol_of(game: Game) -> User:
    return User.objects.get(seats__game=game, robo_name="Carol")


def test_every_player_may_invite_and_everyone_sees_it(secret: Game, alice: User, carol: User) -> None:
    ask(secret, carol, email="New@Example.org")
    assert seen_by(carol, secret) == [("new@example.org", "pending")]
    assert seen_by(alice, secret) == [("someone invited by email", "pending")]
    assert "Carol invited someone by email." in history_of(secret)


def test_strangers_neither_see_invitations_nor_invite(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, seats=3)
    ask(game, alice, robo_name="Bob")
    assert seen_by(dave, game) == []
    with pytest.raises(Forbidden):
        invite(user=dave, game_id=game.pk, robo_name="Bob", now=NOW)


def test_impossible_invitations_are_refused(secret: Game, alice: User, bob: User) -> None:
    cases: list[tuple[dict[str, str], type[ServiceError], str]] = [
        ({}, Malformed, "nobody"),
        ({"robo_name": "Bob", "email": "bob@example.org"}, Malformed, "nobody"),
        ({"robo_name": "Nobody"}, NotFound, "no-player"),
        ({"robo_name": "Pilot Rivet"}, NotFound, "no-player"),
        ({"email": "bob at home"}, Malformed, "email"),
        ({"robo_name": "Carol"}, Conflict, "already-joined"),
    ]
    for whom, error, code in cases:
        with pytest.raises(error) as refused:
            invite(user=alice, game_id=secret.pk, now=NOW, **whom)
        assert refused.value.code == code
    assert not Invitation.objects.exists()
    assert not LobbyEntry.objects.filter(kind__startswith="invited").exists()


def test_no_one_is_invited_to_a_full_or_started_game(
    table: Table, duel: Game, alice: User, bob: User, carol: User
) -> None:
    full = table.game(alice, bob, starts_itself=False)
    for game, code in ((full, "full"), (duel, "started")):
        with pytest.raises(Conflict) as refused:
            invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
        assert refused.value.code == code


def test_no_one_is_invited_twice(secret: Game, alice: User, carol: User, bob: User) -> None:
    for by, whom in ((carol, {"robo_name": "Bob"}), (alice, {"email": "new@example.org"})):
        ask(secret, alice, **whom)
        with pytest.raises(Conflict) as refused:
            invite(user=by, game_id=secret.pk, now=NOW, **whom)
        assert refused.value.code == "already-invited"
    assert Invitation.objects.count() == 2


@pytest.mark.parametrize("email", ["bob@example.org", "new@example.org"])
def test_a_second_invitation_of_an_address_reveals_nothing_and_sends_no_mail(
    secret: Game, alice: User, carol: User, bob: User, email: str
) -> None:
    ask(secret, alice, email=email)
    before = Notice.objects.filter(kind="invited").count()
    ask(secret, carol, email=email)
    assert seen_by(carol, secret) == [("someone invited by email", "pending"), (email, "pending")]
    assert Notice.objects.filter(kind="invited").count() == before


def test_an_invitation_stays_open_if_another_player_invited_the_same_address(
    secret: Game, alice: User, carol: User, bob: User
) -> None:
    first = ask(secret, alice, email=bob.email)
    second = ask(secret, carol, email=bob.email)
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=first.pk, now=NOW)
    assert knows(bob, secret)
    withdraw_invitation(user=carol, game_id=secret.pk, invitation_id=second.pk, now=NOW)
    assert not knows(bob, secret)


def test_a_game_sends_a_limited_number_of_invitations(
    secret: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MAX_INVITATIONS_PER_GAME", 2)
    for name in ("a", "b"):
        ask(secret, alice, email=f"{name}@example.org")
    with pytest.raises(Conflict) as refused:
        invite(user=alice, game_id=secret.pk, email="c@example.org", now=NOW)
    assert refused.value.code == "too-many"


def test_a_person_sends_a_limited_number_a_day_including_withdrawn_ones(
    secret: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contacts, "INVITATIONS_A_DAY", 2)
    for name in ("a", "b"):
        invitation = ask(secret, alice, email=f"{name}@example.org")
        withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    with pytest.raises(TooMany):
        invite(user=alice, game_id=secret.pk, email="c@example.org", now=NOW)
    invite(user=alice, game_id=secret.pk, email="c@example.org", now=later(hours=25))


ADDRESSES = ["bob@example.org", "nobody@example.org", "carol@example.org"]
"""Addresses of a person with an account, of a stranger, and of a player in the game."""


@pytest.mark.parametrize("email", ADDRESSES)
def test_every_address_gets_the_same_answer(secret: Game, alice: User, bob: User, email: str) -> None:
    ask(secret, alice, email=email)
    assert seen_by(alice, secret) == [(email, "pending")]
    with pytest.raises(Conflict, match=f"{email} is already invited") as refused:
        invite(user=alice, game_id=secret.pk, email=email.upper(), now=NOW)
    assert refused.value.code == "already-invited"


def test_an_invited_address_notifies_its_account_or_else_the_address(
    secret: Game, alice: User, bob: User
) -> None:
    for email in ADDRESSES:
        ask(secret, alice, email=email)
    told = Notice.objects.filter(game=secret).order_by("pk")
    assert [(notice.user, notice.email) for notice in told] == [(bob, ""), (None, "nobody@example.org")]
    assert knows(bob, secret)


def test_an_unconfirmed_address_opens_nothing(secret: Game, alice: User) -> None:
    eve = User.objects.create_user("Eve", "someone.else@example.org", "eve-likes-robots")
    ask(secret, alice, email="someone.else@example.org")
    assert not knows(eve, secret)


def test_inviting_by_name_does_not_reveal_an_invitation_by_mail(secret: Game, alice: User, bob: User) -> None:
    ask(secret, alice, email="bob@example.org")
    ask(secret, alice, robo_name="Bob")
    assert seen_by(alice, secret) == [("bob@example.org", "pending"), ("Bob", "pending")]
    assert Notice.objects.filter(game=secret, user=bob).count() == 1
    join_game(user=bob, game_id=secret.pk, now=NOW)
    assert seen_by(alice, secret) == [("bob@example.org", "pending"), ("Bob", "accepted")]


def test_inviting_by_mail_does_not_reveal_an_invitation_by_name(secret: Game, alice: User, bob: User) -> None:
    ask(secret, alice, robo_name="Bob")
    ask(secret, alice, email="bob@example.org")
    assert Notice.objects.filter(game=secret).count() == 1


def test_a_declined_invitation_by_mail_names_no_one(secret: Game, alice: User, bob: User) -> None:
    invitation = ask(secret, alice, email="bob@example.org")
    decline_invitation(user=bob, game_id=secret.pk, now=NOW)
    assert seen_by(alice, secret) == [("bob@example.org", "pending")]
    assert not any("Bob" in str(row) for row in LobbyEntry.objects.values())
    assert not knows(bob, secret)
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    assert not Invitation.objects.exists()


def test_removing_a_player_does_not_reveal_an_invited_address(secret: Game, alice: User, bob: User) -> None:
    ask(secret, alice, email="bob@example.org")
    join_game(user=bob, game_id=secret.pk, now=NOW)
    remove_player(user=alice, game_id=secret.pk, seat=3, now=NOW)
    assert seen_by(alice, secret) == [("bob@example.org", "pending")]
    assert not knows(bob, secret)


def test_a_player_who_declines_no_longer_sees_a_private_game(secret: Game, alice: User, bob: User) -> None:
    ask(secret, alice, robo_name="Bob")
    decline_invitation(user=bob, game_id=secret.pk, now=NOW)
    assert not knows(bob, secret)
    assert seen_by(alice, secret) == [("Bob", "declined")]
    assert "Bob declined the invitation." in history_of(secret)
    with pytest.raises(NotFound):
        join_game(user=bob, game_id=secret.pk, now=NOW)


def test_an_invitation_is_declined_once(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3)
    ask(game, alice, robo_name="Bob")
    decline_invitation(user=bob, game_id=game.pk, now=NOW)
    with pytest.raises(NotFound) as refused:
        decline_invitation(user=bob, game_id=game.pk, now=NOW)
    assert refused.value.code == "no-invitation"


def test_declining_does_not_reveal_private_games(secret: Game, dave: User) -> None:
    for game_id in (secret.pk, secret.pk + 1000):
        with pytest.raises(NotFound) as refused:
            decline_invitation(user=dave, game_id=game_id, now=NOW)
        assert refused.value.code == "no-game"


def test_only_the_inviting_player_or_the_host_withdraws_an_invitation(
    secret: Game, alice: User, bob: User, carol: User, dave: User
) -> None:
    join_game(user=dave, game_id=secret.pk, link=secret.link_token, now=NOW)
    invitation = ask(secret, carol, robo_name="Bob")
    with pytest.raises(Forbidden) as refused:
        withdraw_invitation(user=dave, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    assert refused.value.code == "not-yours"
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    assert not knows(bob, secret)
    with pytest.raises(NotFound):
        withdraw_invitation(user=carol, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)


@pytest.mark.parametrize("whom", [{"robo_name": "Bob"}, {"email": "nobody@example.org"}])
def test_a_player_can_be_invited_again_after_a_withdrawal(
    secret: Game, alice: User, bob: User, whom: dict[str, str]
) -> None:
    for _ in range(2):
        invitation = ask(secret, alice, **whom)
        assert Notice.objects.filter(game=secret).count() == 1
        withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)


def test_repeated_invitations_to_an_address_send_one_mail(secret: Game, alice: User) -> None:
    invitation = ask(secret, alice, email="nobody@example.org")
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    ask(secret, alice, email="nobody@example.org")
    assert list(Notice.objects.values_list("status", flat=True)) == ["sent"]
