"""What is in the database comes along when its form changes."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from games.absence.services.replacements import replace_by_computer
from games.clocks.clock import PerTurn
from games.play import stored
from games.play.models import Game, LogEntry, Replacement, Seat, Turn
from games.play.services.computers import play_computers
from tests import cast
from tests.games.support import HALL, NOW, Table, open_turn


def migrate(name: str) -> Any:
    """Bring the games to that form; return their models in it."""
    executor = MigrationExecutor(connection)
    executor.migrate([("games", name)])
    return MigrationExecutor(connection).loader.project_state([("games", name)]).apps


@pytest.mark.django_db(transaction=True)
def test_robots_look_as_their_seats_had_it_and_their_players_are_ready() -> None:
    alice, bob = cast.alice(), cast.bob()
    revision = HALL.saved().current
    assert revision
    try:
        before = migrate("0002_squads_models_and_courses")
        game = before.get_model("games", "Game").objects.create(
            name="First flight",
            ruleset="robo-runner",
            version=1,
            options={},
            revision_id=revision.pk,
            seats=3,
            host_id=alice.pk,
            link_token="link",
            pace={"format": "pace/1", "hours": 24},
            seed="seed",
            created_at=NOW,
            moved_at=NOW,
        )
        for number, user in ((1, alice), (3, bob)):
            before.get_model("games", "Seat").objects.create(
                game=game, number=number, user_id=user.pk, joined_at=NOW
            )
    finally:
        after = migrate("0003_people_computers_and_records")
        call_command("migrate", verbosity=0)
    seats = after.get_model("games", "Seat").objects.order_by("number")
    assert list(seats.values_list("number", "look", "ready", "computer", "name")) == [
        (1, 1, True, "", ""),
        (3, 3, True, "", ""),
    ]


@pytest.mark.django_db(transaction=True)
def test_nobody_has_missed_what_was_played_before_that_was_noted() -> None:
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    lobby, fresh, played = table.game(alice, seats=2), table.game(alice, bob), table.game(alice, bob)
    for _ in range(3):
        table.play(played, alice, bob)
    try:
        migrate("0003_people_computers_and_records")
    finally:
        call_command("migrate", verbosity=0)
    seen = [
        list(Seat.objects.filter(game=game).values_list("seen_turn", flat=True)) for game in (lobby, fresh)
    ]
    assert seen == [[None], [None, None]]
    assert {seat.seen_turn for seat in Seat.objects.filter(game=played)} == {2}


@pytest.mark.django_db(transaction=True)
def test_paces_come_along_both_ways() -> None:
    table = Table(HALL.saved())
    alice = cast.alice()
    daily, unlimited = table.game(alice, seats=2), table.game(alice, seats=2, pace=None)
    banked = table.game(alice, seats=2, pace={"bank": 72, "increment": 12})
    try:
        before = migrate("0010_what_is_held_back").get_model("games", "Game")
        assert dict(before.objects.values_list("pk", "pace")) == {
            daily.pk: {"format": "pace/1", "hours": 24},
            unlimited.pk: {"format": "pace/1", "hours": None},
            banked.pk: {"format": "pace/1", "hours": None},
        }
    finally:
        call_command("migrate", verbosity=0)
    for game in (daily, unlimited, banked):
        game.refresh_from_db()
    assert daily.pace == stored.write_pace(PerTurn(24))
    assert unlimited.pace == banked.pace == stored.write_pace(None)


@pytest.mark.django_db(transaction=True)
def test_games_under_way_get_heads_and_a_bad_game_is_set_aside(caplog: pytest.LogCaptureFixture) -> None:
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    lobby, fresh, played, bad = (
        table.game(alice, seats=2),
        table.game(alice, bob),
        table.game(alice, bob, seats=3, computers=["pilot"]),
        table.game(alice, bob),
    )
    play_computers(turn_id=open_turn(played).pk, now=NOW)
    for _ in range(2):
        table.play(bad, alice, bob)
    table.play(played, alice, bob)
    with transaction.atomic():
        seat = played.players.get(user=bob)
        replace_by_computer(game=played, seat=seat, reason=Replacement.Reason.STAFF, now=NOW)
    play_computers(turn_id=open_turn(played).pk, now=NOW)
    table.play(played, alice)
    LogEntry.objects.filter(game=bad, seq=1).update(event={"type": "nonsense"})
    before = heads()
    try:
        migrate("0038_alarms_of_jobs")
    finally:
        call_command("migrate", verbosity=0)
    assert heads() == {key: ("", "") if key[0] == bad.pk else value for key, value in before.items()}
    since = dict(Game.objects.values_list("pk", "heads_from"))
    assert since == {lobby.pk: None, fresh.pk: 0, played.pk: 2, bad.pk: None}
    assert f"Game {bad.pk} gets no heads: it cannot be read" in caplog.text


def heads() -> dict[tuple[int, int], tuple[str, str]]:
    """Return the heads before and after each turn, by game and turn."""
    rows = Turn.objects.values_list("game", "number", "head_before", "head")
    return {(game, number): (before, after) for game, number, before, after in rows}
