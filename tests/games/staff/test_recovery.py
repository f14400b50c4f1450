"""One deleted game or account comes back from a backup."""

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import User
from embedded import backup, copies
from games.chat.services import post_line
from games.management.commands import bring_back as command
from games.people.models import Follow
from games.people.services.deletion import KEPT_REFERENCES
from games.play.models import Game, Turn
from games.staff import backups, recovery
from games.staff.selectors import faults_of
from tests import cast
from tests.games.deletions import erased, rows_with
from tests.games.support import HALL, NOW, Table, later
from tests.support import worlds
from tests.support.emptying import empty


@pytest.fixture(scope="module")
def _dumped(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A backup of a running game of Alice and Bob, of Bob's private game, and of a guest.

    The first command restores it into the scratch database, and later commands find it there. Each test
    undoes its own changes of the site's database.
    """
    file = tmp_path_factory.mktemp("backups") / copies.name_at(NOW)
    with django_db_blocker.unblock(), worlds.never(), ExitStack() as stack:
        stack.callback(empty)
        _make_world()
        url = backup.beside(os.environ["DATABASE_URL"], str(connection.settings_dict["NAME"]))
        backup.dump(url, file)
        scratch = backup.scratch

        @cache
        def restored(*given: Any, **more: Any) -> str:
            return stack.enter_context(scratch(*given, **more))

        stack.enter_context(
            patch.object(backup, "scratch", lambda *given, **more: nullcontext(restored(*given, **more)))
        )
        stack.enter_context(patch.object(backups, "migrate", cache(backups.migrate)))
        stack.enter_context(override_settings(DATABASE_URL=url))
        yield file


def _make_world() -> None:
    alice, bob, _ = cast.alice(), cast.bob(), cast.erin()
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    for _ in range(2):
        table.play(game, alice, bob)
    post_line(user=bob, game_id=game.pk, text="See you at the crystal", now=NOW)
    Follow.objects.create(user=alice, followed=bob, since=NOW)
    table.game(bob, name="Alone", seats=2, computers=["rookie"], private=True)
    User.objects.create_user("Wanderer", "", None, is_guest=True)


@pytest.fixture
def dumped(_dumped: Path, db: None) -> Path:
    return _dumped


@pytest.fixture
def played(dumped: Path) -> Game:
    """The game of Alice and Bob, with two stored turns and a chat line."""
    return Game.objects.get(name="First flight")


def bring_back(file: Path, *words: object, sure: bool = True) -> str:
    said = io.StringIO()
    options = [f"--from={file}", "--by=Erin", "--reason=Bob asked for it", *(["--yes"] if sure else [])]
    call_command("bring_back", *map(str, words), *options, stdout=said)
    return said.getvalue()


def test_every_table_has_a_decision() -> None:
    assert recovery.undecided() == set()
    assert not recovery.BROUGHT & recovery.LEFT.keys()
    assert not recovery.BROUGHT & KEPT_REFERENCES.keys() - {"games.Share.user"}


def test_a_deleted_game_comes_back_sound_and_with_time_to_play(
    played: Game, dumped: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(CommandError, match="Only a deleted game can be brought back"):
        bring_back(dumped, "game", played.pk)
    turns = list(played.turns.order_by("number").values_list("number", "record", "head"))
    deadline = played.turns.latest("number").deadline
    number = played.pk
    played.delete()
    assert not Turn.objects.filter(game=number).exists()
    said = bring_back(dumped, "game", number, sure=False)
    assert "games.Turn: 3 would come back" in said and "Nothing was changed" in said
    assert not Game.objects.filter(pk=number).exists() and "Brought back" not in caplog.text
    said = bring_back(dumped, "game", number)
    assert "Brought back" in caplog.text
    assert "games.ChatLine: 1 came back" in said and "games.Seat: 2 came back" in said
    game = Game.objects.get(pk=number)
    assert list(game.turns.order_by("number").values_list("number", "record", "head")) == turns
    assert list(faults_of(game)) == []
    assert game.turns.latest("number").deadline == deadline  # it is still the time of the backup
    entry = LogEntry.objects.get()
    assert (str(entry.user), "Bob asked for it" in entry.change_message) == ("Erin", True)
    Table(game.revision.starship).play(game, *User.objects.filter(seats__game=game).order_by("pk"))


def test_time_since_the_backup_is_given_back(
    played: Game, dumped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = played.turns.latest("number").deadline
    assert before is not None
    Game.objects.filter(pk=played.pk).delete()
    monkeypatch.setattr(command, "timezone", SimpleNamespace(now=lambda: later(hours=5)))
    assert "as much time as at the backup" in bring_back(dumped, "game", played.pk)
    assert played.turns.latest("number").deadline == before + timedelta(hours=5)


def test_a_person_who_was_deleted_since_stays_deleted_in_the_game(played: Game, dumped: Path) -> None:
    erased(User.objects.get(robo_name="Bob"))
    Game.objects.filter(pk=played.pk).delete()
    assert "stays deleted" in bring_back(dumped, "game", played.pk)
    assert list(faults_of(Game.objects.get(pk=played.pk))) == []
    assert [row for row in rows_with("bob") if "django_admin_log" not in row] == []


def test_a_deleted_account_comes_back_with_its_name_and_without_its_rights(
    played: Game, dumped: Path
) -> None:
    bob = User.objects.get(robo_name="Bob")
    with pytest.raises(CommandError, match="The account Bob is not deleted"):
        bring_back(dumped, "account", "Bob")
    erased(bob)
    assert not Follow.objects.exists() and not Game.objects.filter(name="Alone").exists()
    said = bring_back(dumped, "account", "Bob")
    assert "games.Follow: 1 came back" in said and "The name is back in 2 games." in said
    back = User.objects.get(pk=bob.pk)
    assert (back.robo_name, back.email, back.password) == ("Bob", bob.email, bob.password)
    assert back.deleted_at is None and back.is_active and not back.is_staff
    assert back.emailaddress_set.filter(email=bob.email).exists()
    assert Follow.objects.filter(followed=back).exists()
    alone = Game.objects.get(name="Alone")  # only Bob and a computer played it
    assert list(alone.players.values_list("user", flat=True)) == [back.pk, None]
    assert list(faults_of(alone)) == list(faults_of(Game.objects.get(pk=played.pk))) == []
    assert rows_with(f"Deleted-{bob.pk}") == []
    erased(back)  # the person may delete the account again


def test_a_taken_name_and_a_stranger_are_refused(played: Game, dumped: Path) -> None:
    bob = User.objects.get(robo_name="Bob")
    erased(bob)
    User.objects.filter(robo_name="Alice").update(email=bob.email)
    with pytest.raises(CommandError, match="Another account has the name Bob or its address"):
        bring_back(dumped, "account", "Bob")
    with pytest.raises(CommandError, match="The backup has no account Zed"):
        bring_back(dumped, "account", "Zed")
    with pytest.raises(CommandError, match="Wanderer is a guest"):
        bring_back(dumped, "account", "Wanderer")
    with pytest.raises(CommandError, match="There is no member of staff Alice"):
        call_command("bring_back", "game", "1", f"--from={dumped}", "--by=Alice", "--reason=x")
