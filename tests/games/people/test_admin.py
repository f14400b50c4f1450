"""Accounts in the admin. Staff can delete them only through the service."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from games.people.models import Deletion
from games.people.services import deletion as erasure
from games.people.services.deletion import delete_account, erase
from games.play.models import Game
from tests.cast import password_of
from tests.games.admin_pages import address, do, listing, messages_in
from tests.games.support import NOW, later

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def head(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Head", "head@example.org", password_of("Head")))
    return client


def delete(client: Client, *people: User, **more: str) -> list[str]:
    chosen: dict[str, Any] = {"action": "delete_for_good", "reason": "They asked for it."}
    chosen["_selected_action"] = [person.pk for person in people]
    return messages_in(client.post(PEOPLE, {**chosen, **more}))


def test_deletion_asks_for_confirmation(head: Client, alice: User) -> None:
    page = head.post(PEOPLE, {"action": "delete_for_good", "_selected_action": [alice.pk]})
    assert "can’t be restored" in page.content.decode()
    assert "Alice" in page.content.decode()
    assert not Deletion.objects.exists()


def test_staff_delete_accounts_and_the_log_names_them(head: Client, alice: User, bob: User) -> None:
    assert delete(head, alice, bob, sure="yes", chat="on") == [
        f"Deleted. New names: Deleted-{alice.pk}, Deleted-{bob.pk}."
    ]
    done = Deletion.objects.order_by("user")
    assert [(each.by and each.by.robo_name, each.takes_chat) for each in done] == [("Head", True)] * 2
    assert {entry.object_repr for entry in LogEntry.objects.all()} == {
        f"Deleted-{alice.pk}",
        f"Deleted-{bob.pk}",
    }


def test_an_impossible_deletion_gives_the_reason(head: Client, alice: User) -> None:
    me = User.objects.get(robo_name="Head")
    assert delete(head, me, sure="yes") == [
        "Head: This is the last superuser. Make another account a superuser before you delete this one."
    ]
    delete_account(user=alice, now=NOW)
    assert (
        delete(head, alice, sure="yes")[-1] == f"Deleted-{alice.pk}: This account has already been deleted."
    )


def test_staff_without_the_permission_have_no_such_action(client: Client, grace: User, alice: User) -> None:
    of_people = Permission.objects.filter(content_type__app_label="accounts")
    grace.user_permissions.add(*of_people.filter(codename__in=["view_user", "change_user"]))
    client.force_login(grace)
    assert "delete_for_good" not in client.get(PEOPLE).content.decode()
    delete(client, alice, sure="yes")
    assert not Deletion.objects.exists()


def test_rows_of_a_person_cannot_be_deleted_directly(head: Client, alice: User) -> None:
    assert head.post(f"{PEOPLE}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    head.post(PEOPLE, {"action": "delete_selected", "_selected_action": [alice.pk], "post": "yes"})
    assert User.objects.filter(pk=alice.pk).exists()


def test_games_that_cannot_be_rewritten_are_shown_and_retried(
    head: Client, duel: Game, alice: User, messages: list[tuple[str, int]]
) -> None:
    deletion = delete_account(user=alice, now=NOW)
    deletion.games.update(attempts=erasure.ATTEMPTS, error="ValueError: no such thing")
    page = head.get(address(deletion)).content.decode()
    assert "no such thing" in page and "Alice" not in page
    messages.clear()
    assert messages_in(do(head, "go_on", deletion)) == [f"Will be continued: deletion of person {alice.pk}."]
    assert messages == [("erase", deletion.pk)]
    assert erase(deletion_id=deletion.pk, now=later(hours=1))
    assert "is already complete" in messages_in(do(head, "go_on", deletion))[-1]
    assert head.get(listing(Deletion)).status_code == 200
