import logging
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Prefetch

import rules
from rules.heads import first_head, next_head, salt_of, seat_names_in

logger = logging.getLogger('games')

AT_ONCE = 20


def give_heads(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give each game under way the heads of the turns that were played, one game at a time.

    A game that cannot be read is set aside: it goes on without heads, and gets them with the next turn after
    it was mended. Workers of the release before may play meanwhile: the next turn fills what they leave open.
    """
    games = apps.get_model('games', 'Game').objects.filter(status='running')
    for game_id in games.order_by('pk').values_list('pk', flat=True).iterator():
        try:
            with transaction.atomic():
                give_game_heads(apps, game_id)
        except (LookupError, TypeError, ValueError, AttributeError, rules.RulesError) as error:
            logger.warning('Game %d gets no heads: it cannot be read (%s)', game_id, type(error).__name__)


def give_game_heads(apps: StateApps, game_id: int) -> None:
    games = apps.get_model('games', 'Game').objects.select_related('revision', 'course')
    game = games.select_for_update(of=('self',)).filter(pk=game_id, status='running').first()
    turn = game and game.turns.filter(status='open', head_before='').first()
    if turn is None:
        return
    before = first_head(beginning_of(game))
    for played in turns_of(apps, game):
        played.head_before = before
        before = played.head = head_after(before, game, played)
        played.save(update_fields=['head_before', 'head'])
    turn.head_before = before
    turn.save(update_fields=['head_before'])
    game.heads_from = turn.number
    game.save(update_fields=['heads_from'])


def turns_of(apps: StateApps, game: Any) -> Iterator[Any]:
    hands = apps.get_model('games', 'Hand').objects.select_related('program').order_by('robot')
    log = apps.get_model('games', 'LogEntry').objects.order_by('seq')
    turns = game.turns.filter(status='resolved').order_by('number')
    yield from turns.prefetch_related(Prefetch('hands', hands), Prefetch('log', log)).iterator(AT_ONCE)


def beginning_of(game: Any) -> dict[str, Any]:
    """Return what was so when a game started."""
    return {
        'commitment': game.commitment or rules.commitment(game.seed),
        'created_at': f'{game.created_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}',
        'started_at': f'{game.started_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}',
        'ruleset': game.ruleset,
        'version': game.version,
        'options': game.options,
        'house_rules': game.house_rules,
        'starship': {**(game.course or game.revision).document, 'builder': ''},
        'seats': [
            {
                'seat': seat.number,
                'squad': seat.squad or None,
                'model': seat.model or None,
                'computer': None if seat.robot else seat.computer or None,
            }
            for seat in game.players.order_by('number')
        ],
    }


def head_after(before: str, game: Any, turn: Any) -> str:
    names = [robot['name'] for robot in turn.snapshot['robots']]
    given = [(hand, getattr(hand, 'program', None)) for hand in turn.hands.all()]
    return next_head(
        before,
        turn=turn.number,
        salt=salt_of(game.seed, turn.number),
        orders=[
            {
                'robot': names[hand.robot - 1],
                'by': program.by,
                'orders': {key: value for key, value in program.orders.items() if key != 'format'},
            }
            for hand, program in given
            if program
        ],
        events=[entry.event for entry in turn.log.all()],
        seats=seat_names_in(turn.snapshot),
    )


class Migration(migrations.Migration):
    """Heads for games under way, each in a transaction of its own, so that no game is held up."""

    atomic = False

    dependencies = [
        ('games', '0039_heads_from'),
    ]

    operations = [
        migrations.RunPython(give_heads, migrations.RunPython.noop),
    ]
