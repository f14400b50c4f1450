"""The search for players, and its limits on finding people."""

from django.contrib.auth.models import AnonymousUser

from accounts import guests
from accounts.models import User
from games.people.selectors.profiles import find_players
from games.people.services.deletion import delete_account
from games.play.viewers import Viewer
from tests import cast
from tests.games.support import NOW, Table

NOBODY = AnonymousUser()


def found(viewer: Viewer, beginning: str) -> list[str]:
    return [each.robo_name for each in find_players(viewer=viewer, beginning=beginning)]


def test_a_player_is_found_only_by_the_start_of_the_name(alice: User, bob: User) -> None:
    for beginning in ("a", "AL", "Alice", "Álì", "ＡＬ"):
        assert found(NOBODY, beginning) == ["Alice"], beginning
    for nothing in ("", "lice", "Alicex", "%", "_", "a%", "\\", "\0", "a\0", "a" * 999, "a" + "\u0300" * 999):
        assert found(NOBODY, nothing) == [], nothing


def test_special_characters_in_a_name_are_literal(alice: User) -> None:
    for name in ("Al_one", "Al-two", "Alxone"):
        cast.person(name)
    assert found(NOBODY, "al_") == ["Al_one"]
    assert found(NOBODY, "al-") == ["Al-two"]
    assert len(found(NOBODY, "al")) == 4


def test_guests_sign_ups_and_closed_accounts_are_not_found(alice: User, bob: User) -> None:
    guest = guests.make_guest()
    User.objects.create_user("Gunther", "")
    delete_account(user=cast.person("Gudrun"), now=NOW)
    cast.person("Gundula", is_active=False)
    for viewer in (NOBODY, alice, guest):
        assert found(viewer, "gu") == []
        assert found(viewer, "d") == [], "nor by the placeholder of a deleted account"


def test_players_choose_who_finds_them(table: Table, alice: User, bob: User, dave: User, erin: User) -> None:
    table.game(alice, bob)
    User.objects.filter(pk=alice.pk).update(shows_name="players")
    assert found(alice, "alice") == found(bob, "alice") == ["Alice"]
    assert found(dave, "alice") == found(NOBODY, "alice") == []
    User.objects.filter(pk=alice.pk).update(shows_name="nobody")
    assert found(alice, "alice") == ["Alice"]
    assert found(bob, "alice") == found(dave, "alice") == []
    User.objects.filter(pk=erin.pk).update(is_staff=True)
    erin.refresh_from_db()
    assert found(erin, "alice") == [], "staff play, too"


def test_sharing_a_lobby_does_not_count_as_having_played_together(
    table: Table, alice: User, bob: User
) -> None:
    table.game(alice, bob, seats=3)
    User.objects.filter(pk=alice.pk).update(shows_name="players")
    assert found(bob, "alice") == []
