"""Constraints of the database refuse inconsistent rows."""

from collections.abc import Callable
from datetime import time
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games.clocks.models import Heartbeat, Rest
from games.fleet.models import Course, Piece, Starship
from games.news.models import Notice
from games.play.models import Game, Hand, Program, Seat, Turn
from tests.games.support import NOW, Table, open_turn


def refused(write: Callable[[], Any], constraint: str) -> None:
    """Check that the database refuses a write, because of the given constraint."""
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        write()


def test_a_seat_is_unique(duel: Game, alice: User, carol: User) -> None:
    for given, constraint in (
        ({"number": 1, "user": carol, "look": 3}, "seat_taken_once"),
        ({"number": 3, "user": alice, "look": 3}, "seat_one_each"),
        ({"number": 0, "user": carol, "look": 3}, "seat_counted_from_1"),
        ({"number": 3, "user": carol, "look": 2}, "seat_looks_like_no_other"),
        ({"number": 3, "user": carol, "look": 9}, "seat_has_a_look"),
        ({"number": 3, "user": carol, "look": 3, "computer": "ace"}, "seat_of_a_person_or_a_computer"),
        ({"number": 3, "look": 3, "computer": "ace", "ready": True}, "seat_of_a_person_or_a_computer"),
    ):
        refused(partial(Seat.objects.create, game=duel, joined_at=NOW, **given), constraint)


def test_a_game_has_one_open_turn(duel: Game) -> None:
    turn = open_turn(duel)
    given = {"game": duel, "snapshot": turn.snapshot, "opened_at": NOW}
    refused(lambda: Turn.objects.create(number=1, **given), "turn_open_one_at_a_time")
    given |= {"status": "resolved", "snapshot": None, "record": b"all of it", "resolved_at": NOW}
    given |= {"first_seq": 1, "last_seq": 0}
    refused(lambda: Turn.objects.create(number=0, **given), "turn_unique")


STATE = {"format": "state/1"}
RESOLVED = {"status": "resolved", "resolved_at": NOW}


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "resolved"},
        {"resolved_at": NOW},
        {"record": b"all of it"},
        {"snapshot": None},
        {"snapshot": {}},
        RESOLVED,
        {**RESOLVED, "snapshot": None},
        {**RESOLVED, "record": b"all of it", "first_seq": 3, "last_seq": 4},
    ],
)
def test_a_resolved_turn_has_its_record(duel: Game, changes: dict[str, Any]) -> None:
    turns = Turn.objects.filter(game=duel)
    refused(partial(turns.update, **changes), "turn_tells_what_was_played")


@pytest.mark.parametrize(
    "changes",
    [
        {"record": None},
        {"snapshot": STATE},
        {"status": "open"},
        {"resolved_at": None},
        {"first_seq": 0, "last_seq": 4},
        {"first_seq": None},
        {"last_seq": None},
        {"first_seq": 9, "last_seq": 7},
    ],
)
def test_a_record_is_complete(
    table: Table, duel: Game, alice: User, bob: User, changes: dict[str, Any]
) -> None:
    turn = table.play(duel, alice, bob)
    refused(partial(duel.turns.filter(pk=turn.pk).update, **changes), "turn_tells_what_was_played")
    duel.turns.filter(pk=turn.pk).update(first_seq=9, last_seq=8)  # no events


def test_each_robot_has_one_hand_and_one_program(duel: Game) -> None:
    hand = open_turn(duel).hands.first()
    assert hand
    given = {"turn": hand.turn, "chips": hand.chips}
    refused(lambda: Hand.objects.create(robot=1, **given), "hand_one_each")
    refused(lambda: Hand.objects.create(robot=7, seat=hand.seat, **given), "hand_one_each_seat")
    orders = {"hand": hand, "orders": {"format": "orders/1"}, "by": "player", "submitted_at": NOW}
    Program.objects.create(**orders)
    refused(lambda: Program.objects.create(**orders), "games_program_hand_id_key")


def test_redrawn_hands_are_numbered_uniquely(duel: Game) -> None:
    first, second = open_turn(duel).hands.order_by("robot")
    Hand.objects.filter(pk=first.pk).update(redealt=1)
    refused(lambda: Hand.objects.filter(pk=second.pk).update(redealt=1), "hand_redealt_one_by_one")
    refused(lambda: Hand.objects.filter(pk=second.pk).update(redealt=0), "hand_redealt_counted_from_1")


def test_a_joined_board_has_a_size(db: None) -> None:
    board = {"format": "starship/1", "rows": ["."]}
    refused(lambda: Course.objects.create(document={}, width=1, height=1), "course_has_its_format")
    refused(lambda: Course.objects.create(document=board, width=0, height=1), "course_has_a_size")


def test_pieces_lie_side_by_side(starship: Starship) -> None:
    board = {"format": "starship/1", "rows": ["."]}
    course = Course.objects.create(document=board, width=1, height=1)
    given = {"course": course, "revision": starship.current, "column": 0}
    Piece.objects.create(row=0, turned=0, **given)
    refused(lambda: Piece.objects.create(row=0, turned=1, **given), "piece_alone_in_its_place")
    refused(lambda: Piece.objects.create(row=1, turned=4, **given), "piece_turned_by_quarters")


def test_a_notification_is_unique(duel: Game) -> None:
    notice = duel.notices.first()
    assert notice
    notice.pk = None
    refused(notice.save, "notice_once")


def test_a_sent_notification_has_its_time(duel: Game) -> None:
    refused(lambda: Notice.objects.update(status="sent"), "notice_sent_at_some_time")
    refused(lambda: Notice.objects.update(sent_at=NOW), "notice_sent_at_some_time")


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"status": "over"}, "game_status_fits_its_times"),
        ({"status": "open"}, "game_status_fits_its_times"),
        ({"turn": None}, "game_status_fits_its_times"),
        ({"winner": "Alice"}, "game_won_only_when_over"),
        ({"seats": 0}, "game_has_seats"),
        ({"pace": {"hours": 1}}, "game_has_its_pace"),
    ],
)
def test_a_game_matches_its_status(duel: Game, changes: dict[str, Any], constraint: str) -> None:
    refused(lambda: Game.objects.update(**changes), constraint)


def test_documents_have_their_formats(duel: Game, starship: Starship) -> None:
    refused(lambda: Turn.objects.update(snapshot={}), "turn_tells_what_was_played")
    refused(lambda: Hand.objects.update(chips=[1, 2]), "hand_has_its_format")
    refused(lambda: Hand.objects.update(calendar={"zone": "UTC"}), "hand_calendar_has_its_format")
    refused(lambda: starship.revisions.update(document={"rows": []}), "starship_revision_has_its_format")


def test_a_starship_has_unique_revisions_and_a_size(starship: Starship) -> None:
    revision = starship.current
    assert revision
    refused(lambda: starship.revisions.update(width=101), "starship_revision_has_a_size")
    revision.pk = None
    refused(revision.save, "starship_revision_unique")


def test_the_range_of_players_is_in_order(starship: Starship) -> None:
    refused(lambda: Starship.objects.update(seats_least=9, seats_most=2), "starship_seats_in_order")


@pytest.mark.parametrize(
    ("given", "constraint"),
    [
        ({"days_off": [0, 7]}, "rest_on_days_of_the_week"),
        ({"days_off": [0, 1, 2, 3]}, "rest_on_days_of_the_week"),
        ({"night_from": time(22)}, "rest_of_a_night_that_begins_and_ends"),
        ({"night_until": time(6)}, "rest_of_a_night_that_begins_and_ends"),
        ({"night_from": time(6), "night_until": time(6)}, "rest_of_a_night_that_begins_and_ends"),
    ],
)
def test_a_rest_has_valid_days_and_nights(alice: User, given: dict[str, Any], constraint: str) -> None:
    refused(partial(Rest.objects.create, user=alice, **given), constraint)


def test_a_pause_ends_after_it_starts(duel: Game) -> None:
    for given in ({"paused_at": NOW}, {"paused_until": NOW}, {"paused_at": NOW, "paused_until": NOW}):
        refused(partial(Game.objects.update, **given), "game_paused_for_a_while")


def test_there_is_one_heartbeat(db: None) -> None:
    Heartbeat.objects.create(pk=1, at=NOW)
    refused(lambda: Heartbeat.objects.create(pk=2, at=NOW), "heartbeat_alone")


def test_a_game_outlives_the_retirement_of_its_players(table: Table, duel: Game, alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        alice.delete()
