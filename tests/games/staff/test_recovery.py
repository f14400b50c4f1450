"""One deleted game or account comes back from a backup."""

import io
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from accounts.models import User
from embedded import backup, copies
from games.chat.services import post_line
from games.management.commands import bring_back as command
from games.people.models import Follow
from games.people.services.deletion import KEPT_REFERENCES
from games.play.models import Game, Turn
from games.staff import recovery
from games.staff.selectors import faults_of
from tests import cast
from tests.games.deletions import erased, rows_with
from tests.games.support import HALL, NOW, Table, later


@pytest.fixture
def played(database_url: str, settings: Settings) -> Game:
    """A running game of Alice and Bob, with two stored turns and a chat line."""
    settings.DATABASE_URL = database_url
    alice, bob, erin = cast.alice(), cast.bob(), cast.erin()
    User.objects.filter(pk=erin.pk).update(is_staff=True)
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    for _ in range(2):
        table.play(game, alice, bob)
    post_line(user=bob, game_id=game.pk, text="See you at the crystal", now=NOW)
    Follow.objects.create(user=alice, followed=bob, since=NOW)
    return game


@pytest.fixture
def dumped(played: Game, database_url: str, tmp_path: Path) -> Path:
    file = tmp_path / copies.name_at(NOW)
    backup.dump(database_url, file)
    return file


def bring_back(file: Path, *words: object, sure: bool = True) -> str:
    said = io.StringIO()
    options = [f"--from={file}", "--by=Erin", "--reason=Bob asked for it", *(["--yes"] if sure else [])]
    call_command("bring_back", *map(str, words), *options, stdout=said)
    return said.getvalue()


def test_every_table_has_a_decision() -> None:
    assert recovery.undecided() == set()
    assert not recovery.BROUGHT & recovery.LEFT.keys()
    assert not recovery.BROUGHT & KEPT_REFERENCES.keys() - {"games.Share.user"}


def test_a_deleted_game_comes_back_sound_and_with_time_to_play(played: Game, dumped: Path) -> None:
    with pytest.raises(CommandError, match="Only a deleted game can be brought back"):
        bring_back(dumped, "game", played.pk)
    turns = list(Turn.objects.order_by("number").values_list("number", "record", "head"))
    deadline = Turn.objects.latest("number").deadline
    number = played.pk
    played.delete()
    assert not Turn.objects.exists()
    said = bring_back(dumped, "game", number, sure=False)
    assert "games.Turn: 3 would come back" in said and "Nothing was changed" in said
    assert not Game.objects.exists()
    said = bring_back(dumped, "game", number)
    assert "games.ChatLine: 1 came back" in said and "games.Seat: 2 came back" in said
    game = Game.objects.get()
    assert list(Turn.objects.order_by("number").values_list("number", "record", "head")) == turns
    assert list(faults_of(game)) == []
    assert Turn.objects.latest("number").deadline == deadline  # it is still the time of the backup
    entry = LogEntry.objects.get()
    assert (str(entry.user), "Bob asked for it" in entry.change_message) == ("Erin", True)
    Table(game.revision.starship).play(game, *User.objects.filter(seats__game=game).order_by("pk"))


def test_time_since_the_backup_is_given_back(
    played: Game, dumped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Turn.objects.latest("number").deadline
    assert before is not None
    Game.objects.all().delete()
    monkeypatch.setattr(command, "timezone", SimpleNamespace(now=lambda: later(hours=5)))
    assert "as much time as at the backup" in bring_back(dumped, "game", played.pk)
    assert Turn.objects.latest("number").deadline == before + timedelta(hours=5)


def test_a_person_who_was_deleted_since_stays_deleted_in_the_game(played: Game, dumped: Path) -> None:
    erased(User.objects.get(robo_name="Bob"))
    Game.objects.all().delete()
    assert "stays deleted" in bring_back(dumped, "game", played.pk)
    assert list(faults_of(Game.objects.get())) == []
    assert [row for row in rows_with("bob") if "django_admin_log" not in row] == []


def test_a_deleted_account_comes_back_with_its_name_and_without_its_rights(
    played: Game, dumped: Path
) -> None:
    bob = User.objects.get(robo_name="Bob")
    with pytest.raises(CommandError, match="The account Bob is not deleted"):
        bring_back(dumped, "account", "Bob")
    erased(bob)
    assert not Follow.objects.exists()
    said = bring_back(dumped, "account", "Bob")
    assert "games.Follow: 1 came back" in said and "The name is back in 1 games." in said
    back = User.objects.get(pk=bob.pk)
    assert (back.robo_name, back.email, back.password) == ("Bob", bob.email, bob.password)
    assert back.deleted_at is None and back.is_active and not back.is_staff
    assert back.emailaddress_set.filter(email=bob.email).exists()
    assert Follow.objects.filter(followed=back).exists()
    assert list(faults_of(Game.objects.get())) == []
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
    with pytest.raises(CommandError, match="There is no member of staff Alice"):
        call_command("bring_back", "game", "1", f"--from={dumped}", "--by=Alice", "--reason=x")
