"""What is in the database comes along when its form changes."""

import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any
from unittest import TestCase

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from games import belonging
from games.absence.services.replacements import replace_by_computer
from games.clocks.clock import PerTurn
from games.news.channels.browser.models import Device
from games.news.channels.webhook.models import Webhook
from games.news.models import Notice
from games.play import stored
from games.play.history import sentence_of
from games.play.models import Game, LogEntry, Replacement, Transition, Turn
from games.play.services import keeping
from games.play.services.computers import play_computers
from games.reasons import tell
from tests import cast
from tests.games.histories import STRANGE, WRITTEN
from tests.games.support import HALL, LANE, NOW, Table, open_turn
from tests.support import schema

pytestmark = pytest.mark.django_db


def travel(*targets: str, after: Mapping[str, Callable[[], None]] = MappingProxyType({})) -> None:
    """Take the migrations to those of games, or to the last ones of all; look around ``after`` some of them.

    A migration's name stands for the moment when it was just applied, or taken back.
    """

    def look(action: str, migration: Any = None, fake: bool = False) -> None:
        if action in ("apply_success", "unapply_success") and migration.app_label == "games":
            after.get(migration.name, lambda: None)()

    executor = MigrationExecutor(connection, look)
    executor.migrate([("games", name) for name in targets] or executor.loader.graph.leaf_nodes())


def models_at(name: str) -> Any:
    """Return the models of the form that the games have at a migration."""
    return MigrationExecutor(connection).loader.project_state([("games", name)]).apps


def rows(query: str, *parameters: object) -> list[tuple[Any, ...]]:
    """Return what the database answers, in whichever form it is."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall()


class Way:
    """Games of today, which go the whole way back to the second migration, and come again.

    They do so in two parts, since not all that they have now was there at first: as they are at the middle,
    they go to the beginning and back to the middle in a copy; then they go on from the middle to today.
    Their turns are kept as rows, as those are that can go back.
    """

    MIDDLE = "0038_alarms_of_jobs"

    def __init__(self) -> None:
        self.alice, self.bob = cast.alice(), cast.bob()
        self.others = cast.carol(), cast.dave()
        self.table = Table(HALL.saved())
        Transition.objects.create(name=keeping.ROWS)
        self._make_games()
        self._make_notices()
        self.back: dict[str, list[Any]] = {}
        """What there was on the way back."""

    def _make_games(self) -> None:
        alice, bob, table = self.alice, self.bob, self.table
        self.unlimited = table.game(alice, seats=2, pace=None)
        self.banked = table.game(alice, seats=2, pace={"bank": 72, "increment": 12})
        self.long = table.game(alice, bob)
        for _ in range(3):
            table.play(self.long, alice, bob)
        self.lobby, self.fresh, self.played, self.bad = (
            table.game(alice, seats=2),
            table.game(alice, bob),
            table.game(alice, bob, seats=3, computers=["pilot"]),
            table.game(alice, bob),
        )
        play_computers(turn_id=open_turn(self.played).pk, now=NOW)
        for _ in range(2):
            table.play(self.bad, alice, bob)
        table.play(self.played, alice, bob)
        with transaction.atomic():
            seat = self.played.players.get(user=bob)
            replace_by_computer(game=self.played, seat=seat, reason=Replacement.Reason.STAFF, now=NOW)
        play_computers(turn_id=open_turn(self.played).pk, now=NOW)
        table.play(self.played, alice)
        LogEntry.objects.filter(game=self.bad, seq=1).update(event={"type": "nonsense"})
        self.heads = heads()
        self.turns = turns()

    def _make_notices(self) -> None:
        webhook = {"url": "https://a.example", "made_at": NOW, "failure": "status: 500"}
        Webhook.objects.create(user=self.alice, **webhook)
        for turn, said in enumerate(REASONS.values()):
            Notice.objects.create(
                game=self.lobby,
                user=self.alice,
                turn=turn,
                kind="turn",
                created_at=NOW,
                last_error=said,
                status="given up",
            )
        for name in DEVICES.values():
            Device.objects.create(user=self.alice, endpoint=name, name=name, made_at=NOW)

    def go(self) -> None:
        """Go there and back."""
        after = {
            "0055_browsers_as_recognised": self._see_names,
            "0052_reasons_to_kinds": self._say_reasons,
            "0050_history_in_kinds": self._write_history,
        }
        travel(self.MIDDLE, after=after)
        with schema.copied():
            self._go_to_the_beginning()
        with connection.cursor() as cursor:  # as a migration does that is interrupted
            cursor.execute("ALTER TABLE games_draft ADD game_id bigint")
        with TestCase().assertLogs(level="WARNING") as logs:
            travel()
        self.said = "\n".join(logs.output)
        self.turns_now, self.nameless = turns(), nameless()
        self.transitions = [*Transition.objects.values_list("name", flat=True)]
        with schema.copied():
            self._move_turns()

    def _move_turns(self) -> None:
        """Have played turns be documents, and try to go back."""
        with pytest.raises(CommandError) as unmoved:
            call_command("move_turns", verbosity=0)
        self.still_nameless = nameless()
        played = Turn.objects.filter(status="resolved")
        self.unmoved = str(unmoved.value), [*played.filter(record=None).values_list("game", "number")]
        self.moved = played.filter(record__isnull=False).count()
        with pytest.raises(IntegrityError) as refused:
            travel("0055_browsers_as_recognised")
        self.refused = str(refused.value)

    def _see_names(self) -> None:
        self.back["names"] = [name for (name,) in rows("SELECT name FROM games_device ORDER BY id")]

    def _say_reasons(self) -> None:
        """See what became of kinds, and write what releases wrote."""
        self.back["reasons"] = self.reasons()
        self.back["failures"] = [failure for (failure,) in rows("SELECT failure FROM games_webhook")]
        with connection.cursor() as cursor:
            for turn, said in enumerate(REASONS):
                query = "UPDATE games_notice SET last_error = %s WHERE game_id = %s AND turn = %s"
                cursor.execute(query, [said, self.lobby.pk, turn])

    def reasons(self) -> list[str]:
        """Return why notifications were not sent, as it is kept."""
        query = "SELECT last_error FROM games_notice WHERE game_id = %s AND status = 'given up' ORDER BY turn"
        return [said for (said,) in rows(query, self.lobby.pk)]

    def _write_history(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM games_lobbyentry WHERE game_id = %s", [self.lobby.pk])
            query = "INSERT INTO games_lobbyentry (game_id, text, at) VALUES (%s, %s, %s)"
            cursor.executemany(query, [(self.lobby.pk, text, NOW) for text in (*WRITTEN, STRANGE)])

    def _go_to_the_beginning(self) -> None:
        after = {
            "0011_pace_with_banks": self._see_paces,
            "0004_chat_drafts_and_missions": self._seat_people_for_computers,
        }
        travel("0002_squads_models_and_courses", after=after)
        self._begin_the_first_game()
        travel(self.MIDDLE, after={"0003_people_computers_and_records": self._see_seats})
        self.seen = rows("SELECT game_id, seen_turn FROM games_seat")
        self.paces = dict(rows("SELECT id, pace::text FROM games_game"))

    def _see_paces(self) -> None:
        self.back["paces"] = rows("SELECT id, pace::text FROM games_game")

    def _seat_people_for_computers(self) -> None:
        """Do what no migration does: at first there were no computers."""
        seats = rows("SELECT id FROM games_seat WHERE user_id IS NULL")
        with connection.cursor() as cursor:
            for (seat,), person in zip(seats, self.others, strict=True):
                cursor.execute(
                    "UPDATE games_seat SET user_id = %s, computer = '', name = '' WHERE id = %s",
                    [person.pk, seat],
                )

    def _begin_the_first_game(self) -> None:
        models = models_at("0002_squads_models_and_courses")
        self.first = models.get_model("games", "Game").objects.create(
            name="First flight",
            ruleset="robo-runner",
            version=1,
            options={},
            revision_id=self.table.starship.current.pk,
            seats=3,
            host_id=self.alice.pk,
            link_token="link",
            pace={"format": "pace/1", "hours": 24},
            seed="seed",
            created_at=NOW,
            moved_at=NOW,
        )
        for number, user in ((1, self.alice), (3, self.bob)):
            models.get_model("games", "Seat").objects.create(
                game=self.first, number=number, user_id=user.pk, joined_at=NOW
            )

    def _see_seats(self) -> None:
        query = (
            "SELECT number, look, ready, computer, name FROM games_seat WHERE game_id = %s ORDER BY number"
        )
        self.seats = rows(query, self.first.pk)


@pytest.fixture(scope="module")
def way(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Way]:
    """The way there and back, gone once."""
    with django_db_blocker.unblock(), schema.fresh(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "_ended", set())
        way = Way()
        way.go()
        yield way


def test_robots_look_as_their_seats_had_it_and_their_players_are_ready(way: Way) -> None:
    assert way.seats == [(1, 1, True, "", ""), (3, 3, True, "", "")]


def test_nobody_has_missed_what_was_played_before_that_was_noted(way: Way) -> None:
    def seen(game: Game) -> set[int | None]:
        return {turn for pk, turn in way.seen if pk == game.pk}

    assert (seen(way.lobby), seen(way.fresh), seen(way.long)) == ({None}, {None}, {2})


def test_paces_come_along_both_ways(way: Way) -> None:
    before = {pk: json.loads(pace) for pk, pace in way.back["paces"]}
    assert before[way.long.pk] == {"format": "pace/1", "hours": 24}
    assert before[way.unlimited.pk] == before[way.banked.pk] == {"format": "pace/1", "hours": None}
    after = {pk: json.loads(pace) for pk, pace in way.paces.items()}
    assert after[way.long.pk] == after[way.first.pk] == stored.write_pace(PerTurn(24))
    assert after[way.unlimited.pk] == after[way.banked.pk] == stored.write_pace(None)


def test_games_under_way_get_heads_and_a_bad_game_is_set_aside(way: Way) -> None:
    assert heads() == {key: ("", "") if key[0] == way.bad.pk else value for key, value in way.heads.items()}
    since = dict(Game.objects.values_list("pk", "heads_from"))
    games = (way.lobby, way.fresh, way.played, way.bad)
    assert [since[game.pk] for game in games] == [None, 0, 2, None]
    assert f"Game {way.bad.pk} gets no heads: it cannot be read" in way.said


def heads() -> dict[tuple[int, int], tuple[str, str]]:
    """Return the heads before and after each turn, by game and turn."""
    rows = Turn.objects.values_list("game", "number", "head_before", "head")
    return {(game, number): (before, after) for game, number, before, after in rows}


def turns() -> list[tuple[Any, ...]]:
    """Return what is kept of all turns, with how many rows there are of each."""
    columns = "game_id, number, status, snapshot::text, outcome::text, resolved_at"
    counted = ", ".join(
        f"(SELECT count(*) FROM {table} WHERE turn_id = games_turn.id)"
        for table in ("games_hand", "games_logentry")
    )
    return rows(f"SELECT {columns}, {counted} FROM games_turn ORDER BY game_id, number")


def nameless() -> dict[str, int]:
    """Return how many rows of each table do not say to which game they belong."""
    counts = {model.__name__: belonging.strays(model, way).count() for model, way in belonging.tables()}
    return {name: count for name, count in counts.items() if count}


def test_rows_get_the_number_of_their_game_when_turns_are_moved(way: Way) -> None:
    assert way.nameless.keys() >= {"Hand", "Program", "Tally", "Share", "Replacement"}
    assert way.still_nameless == {}


def test_turns_come_along_as_they_are_and_the_release_before_may_read_them(way: Way) -> None:
    assert way.turns_now == way.turns
    assert way.transitions == ["played-turns-as-rows"]


def test_where_no_turn_is_there_is_nothing_for_the_release_before() -> None:
    note = import_module("games.migrations.0059_transitions").note_rows
    Turn.objects.all().delete()
    Transition.objects.all().delete()
    note(apps, None)
    assert not Transition.objects.exists()
    Table(LANE.saved()).game(cast.erin())
    for _ in range(2):
        note(apps, None)
    assert Transition.objects.get().name == keeping.ROWS


def test_turns_are_moved_where_they_can_be_read_and_cannot_go_back_then(way: Way) -> None:
    said, left = way.unmoved
    assert said.startswith(f"These stay as they are: turn 0 of game {way.bad.pk}: ")
    assert left == [(way.bad.pk, 0)]
    assert way.moved == sum(turn[2] == "resolved" for turn in way.turns) - 1
    assert "contains null values" in way.refused


def test_sentences_of_histories_become_kinds_and_no_word_is_lost(way: Way) -> None:
    noted = list(way.lobby.lobby.order_by("pk"))
    assert [entry.text for entry in noted if entry.kind == "text"] == [STRANGE]
    assert [sentence_of(entry) for entry in noted] == [
        *(now or before for before, now in WRITTEN.items()),
        STRANGE,
    ]
    assert [entry.text for entry in noted] == [*WRITTEN, STRANGE], "the release before still reads them"


REASONS = {
    "Undeliverable: It answered 500.": "status: 500",
    "Undeliverable: It cannot be reached: connection refused.": "unreachable: connection refused",
    "It came back: 550 5.1.1 the address: gone": "came-back: 550 5.1.1 the address: gone",
    "The mail server said: 554 5.7.1 spam": "mail-server: 554 5.7.1 spam",
    "The worker was interrupted each time.": "interrupted",
    "Its reader called it spam.": "spam",
    "TimeoutError: it took longer than 1 s": "TimeoutError: it took longer than 1 s",
}
"""Why notifications were not sent, as releases wrote it, and as it is kept now."""


DEVICES = {
    "Firefox on Linux": "Firefox/Linux",
    "Chrome": "Chrome/",
    "A browser on macOS": "/macOS",
    "A browser": "/",
}
"""What browsers were called, and what is kept now."""


def test_reasons_become_kinds_and_sentences_again(way: Way) -> None:
    assert way.back["reasons"] == [said.removeprefix("Undeliverable: ") for said in REASONS]
    assert way.back["failures"] == ["It answered 500."]
    assert way.reasons() == [*REASONS.values()]
    assert tell(Webhook.objects.get().failure) == "It answered 500."


def test_browsers_come_along_both_ways(way: Way) -> None:
    assert way.back["names"] == [*DEVICES]
    assert list(Device.objects.order_by("pk").values_list("name", flat=True)) == [*DEVICES.values()]
