"""What is in the database comes along when its form changes."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games import paces
from games.clock import PerTurn
from games.models import Seat
from tests import cast
from tests.games.support import HALL, NOW, Table


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
    assert daily.pace == {"format": "pace/2", **paces.write_pace(PerTurn(24))}
    assert unlimited.pace == banked.pace == {"format": "pace/2", **paces.write_pace(None)}
