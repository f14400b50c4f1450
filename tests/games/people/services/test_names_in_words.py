"""Accounts that are named like a common word are deleted or renamed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry as StaffEntry
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import CharField, TextField
from django.test import Client

from accounts.models import User
from games.chat.services import post_line
from games.clubs.services import create_club
from games.lobby.seats import join_game, leave_game
from games.lobby.services import change_game
from games.moderation.models import Case, Report
from games.moderation.services.decisions import appeal, lift_sanction, rename, rename_in_games, warn
from games.people.contacts import write_note
from games.people.services.deletion import references
from games.play.models import Game, Turn
from games.play.stored import each_played
from games.staff.models import Intervention
from tests.cast import person
from tests.games.deletions import erased, faults
from tests.games.moderation.staffing import WHY, case_of, reported, staffed
from tests.games.support import NOW, Table, history_of, later

NAMES = ["Not", "Changed", "fields", "name", "object", "Ali", "move"]
"""Names that are also words, JSON keys, an event kind, or part of another name."""

WORDS = " ".join(NAMES)
SAID = f"{WORDS}: hi @Bob"

FORMATTED = {
    *("accounts.User.password", "accounts.User.time_zone"),
    *("admin.LogEntry.object_id", "admin.LogEntry.change_message"),
    *("games.Game.seed", "games.Game.commitment", "games.Turn.head", "games.Turn.head_before"),
    "games.Tournament.seed",
}
"""Columns of long text that no person writes: numbers, keys, and derived values."""

Cells = dict[tuple[str, str, int | str], Any]
"""The value of each cell in the database, by table, column and row ID."""


@pytest.fixture(params=["Changed", "name", "Ali", "move"])
def word(request: pytest.FixtureRequest) -> User:
    """A person whose name is a common word."""
    return person(request.param)


@pytest.fixture
def over(lane: Table, word: User, alice: User) -> Game:
    """A finished game of Alice against a person whose name is a common word."""
    game = lane.game(alice, word, name=f"{WORDS} tonight", options={"lives": 1})
    post_line(user=alice, game_id=game.pk, text=SAID, now=NOW)
    post_line(user=word, game_id=game.pk, text="I was here.", now=NOW)
    while game.status == Game.Status.RUNNING:
        lane.play(game, *[seat.user for seat in game.players.all() if seat.user and not seat.out])
    return game


@pytest.fixture
def bobs(bob: User) -> Client:
    """A client of Bob. Its session contains all names."""
    client = Client()
    client.force_login(bob)
    session = client.session
    session["account_authentication_methods"] = [{"method": name, name: 1} for name in NAMES]
    session["said"] = NAMES
    session.save()
    return client


@pytest.fixture
def before(
    over: Game, table: Table, word: User, alice: User, bob: User, carol: User, erin: User, bobs: Client
) -> Cells:
    """All cells of the database, with the names as words in other people's texts."""
    elsewhere = table.game(alice, bob, carol, seats=3)
    post_line(user=alice, game_id=elsewhere.pk, text=SAID, now=NOW)
    lobby = table.game(alice, seats=4)
    change_game(user=alice, game_id=lobby.pk, changes={"name": WORDS}, now=NOW)
    join_game(user=word, game_id=lobby.pk, now=NOW)
    leave_game(user=word, game_id=lobby.pk, now=NOW)
    create_club(user=alice, name="Words", text=WORDS, entry="open", now=NOW)
    write_note(user=alice, robo_name="Bob", text=WORDS, now=NOW)
    reported(carol, bob)
    made = warn(user=staffed(erin), case_id=case_of(bob).pk, **WHY)
    appeal(user=bob, sanction_id=made.pk, text=SAID, now=NOW)
    case = Case.objects.create(starship=lobby.revision.starship, opened_at=NOW)
    Report.objects.create(reporter=carol, case=case, reason="other", text=SAID, at=NOW)
    Intervention.objects.create(game=over, by=erin, action="cancel", reason=SAID, at=NOW)
    Turn.objects.filter(game=elsewhere).update(error=SAID)
    for user in (alice, word):
        for message in (
            json.dumps([{"changed": {"fields": ["Robo Name", *NAMES]}}]),
            json.dumps([{"added": {"name": "name", "object": "Alice"}}]),
            json.dumps([{"changed": {"name": "fields", "object": WORDS, "fields": NAMES}}]),
            json.dumps([{"changed": {"name": "name", "object": word.robo_name, "fields": NAMES}}]),
            SAID,
        ):
            StaffEntry.objects.log_actions(erin.pk, User.objects.filter(pk=user.pk), CHANGE, message)
    StaffEntry.objects.log_actions(erin.pk, Game.objects.filter(pk=over.pk), CHANGE, SAID)
    plant(word)
    return cells()


def plant(user: User) -> None:
    """Write the names into all texts of other people that are long enough."""
    referring: dict[Any, list[str]] = {}
    for model, column in references():
        referring.setdefault(model, []).append(column)
    models = [model for model in apps.get_models() if model._meta.app_label in ("accounts", "admin", "games")]
    for model in models:
        rows = model._default_manager.all()
        for column in referring.get(model, ()):
            rows = rows.exclude(pk__in=model._default_manager.filter(**{column: user}).values("pk"))
        for field in model._meta.concrete_fields:
            long = type(field) is TextField or (type(field) is CharField and (field.max_length or 0) >= 60)
            if long and not (
                field.choices or field.unique or f"{model._meta.label}.{field.name}" in FORMATTED
            ):
                rows.exclude(**{field.name: ""}).update(**{field.name: SAID[: field.max_length]})
    StaffEntry.objects.filter(object_id=user.pk, content_type__model="user").update(
        object_repr=user.robo_name
    )


def cells() -> Cells:
    """Return all cells of the database, except records of turns.

    The tests verify the records with the games.
    """
    found: Cells = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" t')
            for (text,) in cursor.fetchall():
                row = json.loads(text)
                row.pop("record", None)
                key = next(
                    (row[name] for name in ("id", "session_key", "digest", "name") if name in row), text
                )
                found |= {(table, column, key): value for column, value in row.items()}
    return found


def changes(before: Cells) -> Iterator[tuple[str, str, int | str]]:
    """Yield each changed cell. For a deleted row, the column is ``*``."""
    after = cells()
    rows = {(table, key) for table, _, key in after}
    for table, column, key in before:
        if (table, key) not in rows:
            yield table, "*", key
        elif after[table, column, key] != before[table, column, key]:
            yield table, column, key


def refers(change: tuple[str, str, int | str], before: Cells, user: User) -> bool:
    """Return whether a changed cell refers to the person, by ID or by full name."""
    table, column, key = change
    row = {name: value for (of, name, number), value in before.items() if (of, number) == (table, key)}
    name = user.robo_name
    match (table, column):
        case ("accounts_user", _):
            return row["id"] == user.pk
        case ("django_admin_log", "object_repr"):
            return row["object_id"] == str(user.pk) and row["object_repr"] == name
        case ("django_admin_log", "change_message"):
            parts = json.loads(row["change_message"])
            return name in [done.get("object") for part in parts for done in part.values()]
        case ("games_lobbyentry", "parameters"):
            return name in [row["parameters"].get(each) for each in ("player", "robot", "guest")]
        case ("games_game", "winner"):
            return bool(row["winner"] == name)
        case ("games_renaming", "*"):
            return bool(row["before"] == name)
        case (_, "*") | ("games_chatline", "name") | ("games_seat", _):
            return user.pk in [value for each, value in row.items() if each.endswith("_id")]
    return False


def strangers(before: Cells, user: User) -> list[str]:
    """Return the changed cells that do not refer to the person."""
    return [
        f"{change}: {before.get(change)!r}" for change in changes(before) if not refers(change, before, user)
    ]


def check_history(alice: User, word: User, bobs: Client) -> None:
    """Check that staff can read the admin's log, and that Bob is still logged in."""
    client = Client()
    client.force_login(User.objects.create_superuser("Chief", "chief@example.org", "chief-likes-robots"))
    for user in (alice, word):
        page = client.get(f"/admin/accounts/user/{user.pk}/history/")
        assert page.status_code == 200 and "Changed" in page.content.decode()
    assert Session.objects.filter(pk=bobs.session.session_key).exists()


def test_a_deletion_changes_only_references_to_the_person(
    before: Cells, over: Game, word: User, alice: User, bobs: Client
) -> None:
    erased(word)
    assert strangers(before, word) == []
    placeholder = f"Deleted-{word.pk}"
    assert over.chat.get(user=word).name == placeholder
    deeds = StaffEntry.objects.filter(object_id=word.pk, content_type__model="user")
    assert set(deeds.values_list("object_repr", flat=True)) == {placeholder}
    assert deeds.filter(change_message__contains=f'"object": "{placeholder}"').exists()
    assert f"{placeholder} joined." in history_of(over)
    check_history(alice, word, bobs)
    over.refresh_from_db()
    assert faults(over) == []


def test_a_new_name_changes_only_references_to_the_person(
    before: Cells, over: Game, word: User, alice: User, carol: User, erin: User, bobs: Client
) -> None:
    reported(carol, word)
    head = User.objects.get(pk=erin.pk)
    given = rename(user=head, case_id=case_of(word).pk, name="Rosie", **WHY)
    before = cells()
    while rename_in_games(now=later(minutes=1)):
        pass
    assert strangers(before, word) == []
    assert over.chat.get(user=word).name == "Rosie"
    lift_sanction(user=head, sanction_id=given.pk, now=later(minutes=2))
    while rename_in_games(now=later(minutes=3)):
        pass
    assert over.chat.get(user=word).name == word.robo_name
    names = [played.names for _, played in each_played(over.turns.filter(record__isnull=False))]
    assert {tuple(each) for each in names} == {("Alice", word.robo_name)}
    check_history(alice, word, bobs)
