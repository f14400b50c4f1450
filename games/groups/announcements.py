"""Write announcements as rows, in the transaction of the event that they are about."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q

from games.groups.models import Announcement, GroupChannel, News
from games.play.models import Game, Turn
from games.work import enqueue
from roborunner.postgres.queries import Pipeline

_OF_GAME: Final = """
    SELECT id FROM games_groupchannel WHERE game_id = {game}
    UNION ALL SELECT c.id FROM games_clubgame m JOIN games_groupchannel c ON c.club_id = m.club_id
        JOIN games_game g ON g.id = m.game_id WHERE m.game_id = {game} AND NOT g.private
    UNION ALL SELECT c.id FROM games_tablegame l JOIN games_table b ON b.id = l.table_id
        JOIN games_round r ON r.id = b.round_id
        JOIN games_groupchannel c ON c.tournament_id = r.tournament_id
        JOIN games_game g ON g.id = l.game_id WHERE l.game_id = {game} AND NOT g.private
"""
"""The query for the IDs of the channels that get a game's news.

A private game is only for its own channels, because a club's or tournament's readers may not see it.
"""

_FOUND: Final = (
    "SELECT id, news FROM games_groupchannel WHERE switched_off_at IS NULL AND id IN ({}) ORDER BY id"
)
_CHANNELS_OF_GAME: Final = _FOUND.format(_OF_GAME.format(game="%s"))
_CHANNELS_OF_TOURNAMENT: Final = _FOUND.format(
    """
    SELECT id FROM games_groupchannel WHERE tournament_id = %s
    UNION ALL SELECT c.id FROM games_tournament t JOIN games_groupchannel c ON c.club_id = t.club_id
        WHERE t.id = %s
"""
)

# Only by primary key: with more conditions, Postgres can skip a row that changes at the same time.
_LOCK: Final = "SELECT id FROM games_groupchannel WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"

Found = list[tuple[int, list[str]]]


def ask_for_channels(*, game: Game, pipeline: Pipeline) -> None:
    """Query the group channels of a locked game, and set ``game.channels_found`` for `announce_turn`.

    The query is added to ``pipeline``, so the attribute is set only when the pipeline is sent.
    """
    answer = pipeline.ask(_CHANNELS_OF_GAME, game.pk, game.pk, game.pk)
    pipeline.then(lambda: setattr(game, "channels_found", answer.rows))


def announce_turn(*, game: Game, turn: Turn, now: datetime) -> None:
    """Announce a played turn, and the next turn or the end of the game.

    The caller must hold the lock on the game's row, so that a game's announcements are in order.
    """
    after = (News.TURN, game.turn or 0) if game.status == Game.Status.RUNNING else (News.END, 0)
    _announce(game, [(News.PLAYED, turn.number), after], now)


def announce_start(*, game: Game, now: datetime) -> None:
    """Announce the first turn of a game. The caller must hold the lock on the game's row."""
    _announce(game, [(News.TURN, game.turn or 0)], now)


def announce_early_end(*, game: Game, now: datetime) -> None:
    """Announce that a game ended before its rules ended it. The caller must hold the lock on its row."""
    _announce(game, [(News.END, 0)], now)


def announce_tournament(*, tournament_id: int, round_number: int | None, now: datetime) -> None:
    """Announce a new round of a tournament, or the tournament's end if there is no ``round_number``.

    The caller must hold the lock on the tournament. Its club's channels get the news too.
    """
    kind = News.END if round_number is None else News.ROUND
    found = _ask(_CHANNELS_OF_TOURNAMENT, tournament_id, tournament_id)
    about = {"kind": kind, "tournament_id": tournament_id, "number": round_number or 0, "created_at": now}
    _store([Announcement(channel_id=pk, **about) for pk, kinds in found if kind in kinds])


LONGEST_LEAD: Final = timedelta(hours=6)
"""The longest time from the announcement of a near deadline to the deadline."""

LEAD_SHARE: Final = 4
"""A deadline counts as near when 1 / `LEAD_SHARE` of the time for the turn is left."""

SHORTEST_TURN: Final = timedelta(hours=1)
"""The minimum time for a turn whose deadline is announced. Faster turns need no announcement."""

_NEAR: Final = f"""
    SELECT t.game_id, t.number FROM games_turn t
    WHERE t.status = 'open' AND t.ready_at IS NULL AND t.deadline > %s AND t.deadline <= %s
        AND t.deadline - t.opened_at >= %s
        AND t.deadline - %s <= LEAST(%s, (t.deadline - t.opened_at) / {LEAD_SHARE})
        AND EXISTS (
            SELECT 1 FROM games_groupchannel WHERE switched_off_at IS NULL AND 'deadline' = ANY(news)
                AND id IN ({_OF_GAME.format(game="t.game_id")})
        )
        AND NOT EXISTS (
            SELECT 1 FROM games_announcement a
            WHERE a.game_id = t.game_id AND a.number = t.number AND a.kind = 'deadline'
        )
    ORDER BY t.deadline LIMIT %s
"""  # noqa: S608 # constants

TURNS_PER_PASS: Final = 500
"""The maximum number of turns with near deadlines in one pass of the sweeper."""


def announce_deadlines(*, now: datetime) -> int:
    """Announce deadlines that are near, once for each turn. Return the number of turns."""
    with connection.cursor() as cursor:
        limits: list[Any] = [now, now + LONGEST_LEAD, SHORTEST_TURN, now, LONGEST_LEAD, TURNS_PER_PASS]
        cursor.execute(_NEAR, limits)
        near = cursor.fetchall()
    for game_id, number in near:
        with transaction.atomic():
            _announce(Game(pk=game_id), [(News.DEADLINE, number)], now)
    return len(near)


def _announce(game: Game, news: Iterable[tuple[str, int]], now: datetime) -> None:
    found: Found | None = game.__dict__.pop("channels_found", None)
    if found is None:
        found = _ask(_CHANNELS_OF_GAME, game.pk, game.pk, game.pk)
    _store(
        [
            Announcement(channel_id=pk, kind=kind, game_id=game.pk, number=number, created_at=now)
            for pk, kinds in found
            for kind, number in news
            if kind in kinds
        ]
    )


def _ask(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, list(values))
        return list(cursor.fetchall())


def _store(rows: list[Announcement]) -> None:
    """Store announcements, unless they are stored already. Ask workers to post them after the commit.

    Locks the channels, so that they are not deleted meanwhile, and leaves out deleted channels.
    """
    if not rows:
        return
    kept = {pk for (pk,) in _ask(_LOCK, sorted({row.channel_id for row in rows}))}
    Announcement.objects.bulk_create([row for row in rows if row.channel_id in kept], ignore_conflicts=True)
    for channel_id in sorted(kept):
        enqueue.post_announcements(channel_id)


AGE_TO_FORGET: Final = timedelta(days=90)
"""The age at which announcements are deleted. It is longer than any turn with a deadline lasts."""

CHANNEL_OUTLIVES: Final = timedelta(days=30)
"""The time after the end of a game or tournament at which its channels are deleted, with their addresses."""


def forget_announcements(*, now: datetime) -> int:
    """Delete old announcements, and the channels of games and tournaments that ended long ago."""
    ended = now - CHANNEL_OUTLIVES
    over = Q(game__ended_at__lte=ended) | Q(tournament__ended_at__lte=ended)
    channels = GroupChannel.objects.filter(over).delete()[0]
    return channels + Announcement.objects.filter(created_at__lte=now - AGE_TO_FORGET).delete()[0]
