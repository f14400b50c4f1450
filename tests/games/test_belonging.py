"""Every row that belongs to a game contains the game's ID."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import take_seat
from games.fleet.missions import save_mission
from games.fleet.models import Mission, Starship
from games.groups.models import Announcement, GroupChannel
from games.lobby.practice import start_mission
from games.lobby.services import change_game
from games.moderation.models import Appeal, Report, Sanction
from games.news.models import Notice
from games.people.models import Share, Tally
from games.people.services.records import recount
from games.play.computers import play_computers
from games.play.models import Draft, Game, Hand, Program
from games.play.orders import save_draft, submit_orders
from games.play.resolution import resolve_turn
from games.staff.selectors import faults_of
from games.staff.services import replace_as_staff, watch_turns
from games.votes.models import Ballot
from games.votes.services import call_vote, cast_ballot
from games.work import models as work_models
from games.work.models import Alarm, BelongsToGame
from tests.games.fleet.test_missions import LESSON
from tests.games.support import HALL, NOW, YARD, Table, authors_in, hand_of, later, open_turn, orders_for

Row = type[models.Model]

OPTIONAL_GAME: dict[Row, str] = {
    Alarm: "an alarm of a whole sweeper job is about no game",
    Notice: "a notification may be about a starship instead",
    GroupChannel: "a channel may belong to a club or tournament instead",
    Announcement: "an announcement may be about a tournament instead",
}
"""Models that do not always belong to a game, each with the reason."""

OF_PEOPLE: set[Row] = {Report, Sanction, Appeal}
"""Models about people, which may refer to a chat line of a game."""


def of_one_game() -> set[Row]:
    """Return all models whose rows belong to one game.

    They lead to it through any number of foreign keys, or belong to a model that does.
    """
    every = set(apps.get_app_config("games").get_models()) - OF_PEOPLE
    alone = {
        field.related_model for field in Game._meta.concrete_fields if isinstance(field, models.OneToOneField)
    }
    found: set[Any] = {Game} | alone
    while more := {model for model in every - found if _parents(model) & found}:
        found |= more
    return found - {Game}


def _parents(model: Row) -> set[Any]:
    keys = [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
    return {key.related_model for key in keys}


def test_each_table_that_leads_to_a_game_has_its_id() -> None:
    found = of_one_game()
    assert {Hand, Program, Ballot, Share, apps.get_model("games", "Piece"), *OPTIONAL_GAME} <= found
    for model in found:
        field = model._meta.get_field("game")
        assert (field.related_model, field.column) == (Game, "game_id"), model
        assert not field.null or issubclass(model, BelongsToGame) or model in OPTIONAL_GAME, model


def test_tables_with_two_paths_to_their_game_declare_them() -> None:
    direct = {model for model in of_one_game() if not model._meta.get_field("game").null}
    direct |= {Notice, GroupChannel, Announcement}
    assert {model for model, _ in work_models.tables_of_games()} == of_one_game() - direct


ROOT = Path(__file__).parents[2]

BY_PERSON = {"games_achievement", "games_reliability"}
ON_THE_FIRST = {
    "games_alarm",
    "games_announcement",
    "games_groupchannel",
    "games_draftflight",
    "games_forgetting",
}


def test_the_page_on_scaling_lists_the_distribution_of_each_table() -> None:
    page = (ROOT / "docs/scaling.md").read_text().partition("### What Citus needs")[2]
    lines = re.findall(r"^\| [^|]+ \| (`games_\w+`[^|]+|`accounts_user`[^|]+) \|$", page, re.MULTILINE)
    by_game, by_person, everywhere, first = (set(re.findall(r"`(\w+_\w+)`", line)) for line in lines)
    of_games = {model._meta.db_table for model in of_one_game()} | {"games_game"}
    assert by_game == of_games - BY_PERSON - ON_THE_FIRST
    assert by_person == BY_PERSON
    assert first > ON_THE_FIRST
    every = {model._meta.db_table for model in apps.get_app_config("games").get_models()}
    assert by_game | by_person | everywhere | first == every | {"accounts_user"}
    assert sum(map(len, (by_game, by_person, everywhere, first))) == len(every) + 1


@pytest.fixture
def strict(db: None) -> Iterator[None]:
    """Make the database refuse rows without a game's ID, as Citus would."""
    with connection.cursor() as cursor:
        for model, _ in work_models.tables_of_games():
            rule = "turn_id IS NULL OR game_id IS NOT NULL" if model is Alarm else "game_id IS NOT NULL"
            cursor.execute(f"ALTER TABLE {model._meta.db_table} ADD CONSTRAINT strict CHECK ({rule})")
    yield


def each_is_right() -> dict[str, int]:
    """Check that each row has its game's ID. Return the number of rows in each table."""
    counted = {}
    for model, way in work_models.tables_of_games():
        rows = model._default_manager.filter(**{f"{way}__isnull": False})
        assert not rows.filter(game=None).exists(), model
        assert not rows.exclude(game=F(way)).exists(), model
        counted[model.__name__] = rows.count()
    return counted


def test_the_strict_database_refuses_rows_without_a_game(strict: None, duel: Game) -> None:
    hand = Hand.objects.all()[0]
    given = {"hand": hand, "orders": {"format": "orders/1"}, "saved_at": NOW}
    with pytest.raises(IntegrityError, match="strict"), transaction.atomic():
        Draft.objects.create(**given)
    Draft.objects.create(game=duel, **given)


def test_turns_and_their_players_store_the_game_s_id(
    strict: None, table: Table, alice: User, bob: User, carol: User, dave: User, erin: User
) -> None:
    table.game(dave, bob)  # so that ids of games and other rows differ
    game = table.game(alice, bob, carol, seats=4, computers=["rookie"])
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice, bob, carol)
    seat = game.players.get(user=carol)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="She left.", now=NOW)
    take_seat(user=dave, game_id=game.pk, seat=seat.number, now=NOW)
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice, bob, dave)
    assert set(Share.objects.values_list("user", flat=True)) == {carol.pk, dave.pk}
    assert Replacement.objects.count() == 2
    vote = call_vote(user=alice, game_id=game.pk, kind="pause", days=2, now=NOW)
    cast_ballot(user=bob, game_id=game.pk, vote_id=vote.pk, yes=False, now=NOW)
    for seed in (1, 2):
        document = orders_for(game, alice, seed)
        submit_orders(user=alice, game_id=game.pk, turn_number=2, document=document, now=NOW)
    document = orders_for(game, dave)
    save_draft(user=dave, game_id=game.pk, turn_number=2, document=document, now=NOW)
    watch_turns(now=later(hours=30))
    tables = each_is_right()
    assert tables.pop("Course") == tables.pop("Piece") == 0
    assert all(tables.values()), tables
    assert (tables["Ballot"], tables["Program"]) == (2, 1)
    assert resolve_turn(turn_id=open_turn(game).pk, now=later(hours=30))
    assert authors_in(game) >= {"player", "deadline"}
    each_is_right()
    game.refresh_from_db()
    assert list(faults_of(game)) == []


def test_a_recount_stores_the_game_s_id(
    strict: None, table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    replace_as_staff(user=erin, seat_id=game.players.get(user=carol).pk, reason="She left.", now=NOW)
    for rows in (Tally.objects, Share.objects):
        assert rows.all().delete()[0] > 0
    assert recount().tallies == 4
    tables = each_is_right()
    assert (tables["Tally"], tables["Share"]) == (3, 1)


def test_an_instructor_s_draft_stores_the_game_s_id(strict: None, alice: User) -> None:
    lesson = {**LESSON, "notes": [{"cells": [[4, 0]], "text": "There."}], "filled": 3}
    save_mission(slug="begun", number=1, title="A lane", starship=HALL.saved(), options={}, lesson=lesson)
    assert Mission.objects.exists()
    game = start_mission(user=alice, slug="begun", now=NOW)
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    assert resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    assert each_is_right()["Draft"] == 1
    assert hand_of(game, alice).draft.game_id == game.pk


def test_joined_boards_store_the_game_s_id(strict: None, alice: User) -> None:
    """The test creates a game on joined boards, and replaces the boards."""
    yard: Starship = YARD.saved()
    boards = [{"starship": yard.pk}, {"starship": yard.pk, "at": [1, 0], "turned": 1}]
    given: dict[str, Any] = {"ruleset": "amigo-1999", "boards": boards, "checkpoints": [[3, 3], [7, 0]]}
    game = Table(yard).game(alice, seats=3, **given)
    tables = each_is_right()
    assert (tables["Course"], tables["Piece"]) == (1, 2)
    changes = {"boards": [{"starship": yard.pk, "turned": 2}], "checkpoints": [[0, 0], [3, 2]]}
    change_game(user=alice, game_id=game.pk, changes=changes, now=NOW)
    before, game = game.course_id, Game.objects.get(pk=game.pk)
    assert game.course_id not in (None, before)
    tables = each_is_right()
    assert (tables["Course"], tables["Piece"]) == (1, 1)


def test_a_row_with_the_id_of_another_game_is_found(
    table: Table, duel: Game, alice: User, bob: User, carol: User
) -> None:
    other = table.game(bob, carol)
    hand = hand_of(duel, alice)
    assert list(faults_of(duel)) == list(faults_of(other)) == []
    Hand.objects.filter(pk=hand.pk).update(game=other)
    said = f"hand {hand.pk} belongs to this game, but names game {other.pk}"
    assert list(faults_of(duel)) == [said]
    assert list(faults_of(other)) == []
    Hand.objects.filter(pk=hand.pk).update(game=None)
    said = f"hand {hand.pk} belongs to this game, but names game None"
    assert list(faults_of(duel)) == [said]
