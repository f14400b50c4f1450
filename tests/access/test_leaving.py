"""Deleting an account deletes all personal data and nothing else."""

from pathlib import Path

import pytest

from games.people.services.deletion import KEPT_REFERENCES, label_of, references
from games.play.models import Game
from tests.access.walking import undone
from tests.access.world import make_world
from tests.games.deletions import erased, faults, redis_keys, redis_with, rows_with

pytestmark = pytest.mark.django_db


def test_no_data_of_a_deleted_host_or_player_is_left(tmp_path: Path) -> None:
    before = redis_keys()
    world = make_world(tmp_path)
    for name in ("Alice", "Bob"):
        with undone():
            person = world.people[name]
            erased(person)
            left = {
                label_of((model, column))
                for model, column in references()
                if model._default_manager.filter(**{column: person.pk}).exists()
            }
            assert left <= set(KEPT_REFERENCES), name
            assert rows_with(name) == []
            assert redis_with(name, besides=before) == []
            for kind in ("public", "private"):
                game = Game.objects.get(pk=world.games[f"{kind}, over"].pk)
                assert f"Deleted-{person.pk}" in [seat.robo_name for seat in game.players.all()], name
                assert faults(game) == [], name
