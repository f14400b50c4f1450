"""Keeping orders: all that changes with them is written at once."""

import json
from datetime import datetime
from typing import Any, Final

from django.db import connection

from games.play.models import Game, Hand, Program, Seat, Turn

_WRITE: Final = """
    WITH kept AS (
        INSERT INTO games_program (game_id, hand_id, orders, "by", remark, submitted_at)
        VALUES (%(game)s, %(hand)s, %(orders)s, %(by)s, %(remark)s, %(now)s)
        ON CONFLICT (hand_id) DO UPDATE SET game_id = excluded.game_id, orders = excluded.orders,
            "by" = excluded."by", remark = excluded.remark, submitted_at = excluded.submitted_at
        RETURNING id
    ), stopped AS (
        UPDATE games_hand SET deadline = NULL, calendar = NULL
        WHERE id = %(hand)s AND deadline IS NOT NULL
    ), seated AS (
        UPDATE games_seat SET bank = %(bank)s, seen_turn = greatest(seen_turn, %(seen)s),
            ordered_at = coalesce(%(ordered)s, ordered_at)
        WHERE id = %(seat)s
            AND (bank, seen_turn, ordered_at) IS DISTINCT FROM
                (%(bank)s::interval, greatest(seen_turn, %(seen)s), coalesce(%(ordered)s, ordered_at))
    ), ready AS (
        UPDATE games_turn SET deadline = %(deadline)s, ready_at = %(ready)s,
            offered_at = CASE WHEN %(ready)s::timestamptz IS NULL THEN offered_at END
        WHERE id = %(turn)s
            AND (deadline, ready_at) IS DISTINCT FROM (%(deadline)s::timestamptz, %(ready)s::timestamptz)
    )
    UPDATE games_game SET moved_at = %(now)s WHERE id = %(game)s RETURNING (SELECT id FROM kept)
"""


def write_program(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, program: Program, seen: int | None, now: datetime
) -> None:
    """Write a program, and what has changed with it, by one statement; the game's row is held.

    That is the hand, whose clock has stopped, the player's bank, the turn that they have ``seen`` and when
    they gave orders, the turn, which may be complete, and when something was last done in the game. What is
    the same as before is not written.
    """
    values: dict[str, Any] = {
        "game": game.pk,
        "turn": turn.pk,
        "deadline": turn.deadline,
        "ready": turn.ready_at,
        "hand": hand.pk,
        "seat": seat.pk,
        "bank": seat.bank,
        "seen": seen,
        "ordered": now if program.by == Program.Author.PLAYER else None,
        "orders": json.dumps(program.orders),
        "by": program.by,
        "remark": program.remark,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, values)
        (program.pk,) = cursor.fetchone()
    program._state.adding = False
    game.moved_at = now
