"""Helpers for tests of deleted accounts: erase an account, and search for its traces."""

import json
import re
from typing import Any

import redis
from django.conf import settings
from django.db import connection

import rules
from accounts.models import AccountMail, User
from games.chat.services import post_line
from games.films.game_file import game_file
from games.news.delivery import send_account_mail
from games.people.models import Deletion
from games.people.services.deletion import delete_account, erase
from games.play.models import Game, Turn
from games.play.stored import each_played
from tests.games.support import NOW, Table, later

SOON = later(minutes=1)
SETTLED = later(minutes=5)
"""The time of a deletion's first check. All work that started earlier has ended by then."""


def erased(user: User, **more: Any) -> Deletion:
    """Delete an account, and run the workers until all its data is erased."""
    deletion = delete_account(user=user, now=NOW, **more)
    assert not erase(deletion_id=deletion.pk, now=SOON)
    assert erase(deletion_id=deletion.pk, now=SETTLED)
    return deletion


def rows_with(word: str) -> list[str]:
    """Return all database rows that contain a word, in upper or lower case.

    Only whole words count, since random keys may contain any three letters. Records of played turns are
    unpacked. Waiting account mail, such as the farewell, is sent first.
    """
    for mail in AccountMail.objects.all():
        send_account_mail(mail_id=mail.pk, now=mail.created_at)
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        found = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" t WHERE t::text ~* %s', [rf"\m{word}\M"])
            found += [f"{table}: {row}" for (row,) in cursor.fetchall()]
    for turn, played in each_played(Turn.objects.filter(record__isnull=False)):
        if re.search(rf"\b{word}\b", str(played), re.IGNORECASE):
            found.append(f"{turn}: {played}")
    return found


def redis_keys() -> set[bytes]:
    """Return all keys in Redis. Other tests may have stored some of them."""
    return set(redis.Redis.from_url(settings.REDIS_URL).scan_iter())


def redis_with(word: str, *, besides: set[bytes]) -> list[str]:
    """Return all entries in Redis that contain a word, except those with the keys ``besides``."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    found = []
    for key in redis_keys() - besides:
        value = client.dump(key)
        if re.search(rf"\b{word}\b".encode(), key + b" " + (value or b""), re.IGNORECASE):
            found.append(f"{key!r}: {value!r}")
    return found


def faults(game: Game) -> list[str]:
    document = json.loads(rules.canonical(game_file(game=game)))
    return [str(fault) for fault in rules.verify(rules.read_game_file(document))]


def played_out(lane: Table, host: User, other: User) -> Game:
    """Return a finished game of two players, with a chat."""
    name = f"{host.robo_name} against {other.robo_name}"
    game = lane.game(host, other, name=name, options={"lives": 1})
    post_line(user=other, game_id=game.pk, text="@alice, Alice! Alice's late. Alicentown?", now=NOW)
    post_line(user=host, game_id=game.pk, text="Write to ALICE@example.org, says Alice.", now=NOW)
    while game.status == Game.Status.RUNNING:
        lane.play(game, *[seat.user for seat in game.players.all() if seat.user and not seat.out])
    return game
