from collections.abc import Iterator
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Max

AT_ONCE = 5000

SENTENCES = {
    'unfinished': 'The worker was interrupted, or is still at it.',
    'passing': '{} This passes by itself, and the turn is tried again until then.',
    'too-slow': 'The turn was played in a process of its own, still at it after {} s.',
    'ended-by': 'The turn was played in a process of its own, and that was ended by {}.',
    'far-away': 'A deadline is more than ten years away: put it off, and it counts from now.',
    'tried': 'It counts as tried {} times, and is tried no more.',
    'no-worker': 'No worker has played it.',
    'deadly': 'it has begun to think {} times, and its worker died each time',
    'interrupted': 'The worker was interrupted each time.',
    'mail-server': 'The mail server said: {}',
    'came-back': 'It came back: {}',
    'spam': 'Its reader called it spam.',
    'gone': 'It answered {}: it wants nothing any more.',
    'redirect': 'It answered {}: where that leads is not followed.',
    'status': 'It answered {}.',
    'private': 'The address leads into a private network, which is not asked.',
    'unknown-host': 'Its host is not known.',
    'unreachable': 'It cannot be reached: {}.',
    'certificate': 'Its certificate will not do: {}.',
    'timeout': 'It did not answer within {} seconds.',
    'no-http': 'Its answer is none of HTTP.',
}

CALLS = (
    *('gone', 'redirect', 'status', 'private', 'unknown-host'),
    *('unreachable', 'certificate', 'timeout', 'no-http'),
)

TABLES = {
    ('Turn', 'error'): ('unfinished', 'passing', 'too-slow', 'ended-by'),
    ('Alarm', 'error'): ('far-away', 'tried', 'no-worker'),
    ('Forgetting', 'error'): ('unfinished',),
    ('Program', 'remark'): ('deadly',),
    ('Webhook', 'failure'): CALLS,
    ('Notice', 'last_error'): ('interrupted', 'mail-server', 'came-back', 'spam', *CALLS),
}


def to_kinds(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Keep what releases wrote in sentences as kinds with a detail; all else stays as it is."""
    for model, column, kinds in tables(apps):
        for pk, text in texts(model, column):
            kept = understood(text.removeprefix('Undeliverable: '), kinds)
            if kept:
                model.objects.filter(**{'pk': pk, column: text}).update(**{column: kept})


def to_sentences(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Write the sentences again for the release before."""
    for model, column, kinds in tables(apps):
        longest = model._meta.get_field(column).max_length
        for pk, text in texts(model, column):
            kind, _, detail = text.partition(': ')
            if kind in kinds:
                told = SENTENCES[kind].replace('{}', detail)[:longest]
                model.objects.filter(**{'pk': pk, column: text}).update(**{column: told})


def tables(apps: StateApps) -> Iterator[tuple[Any, str, tuple[str, ...]]]:
    for (name, column), kinds in TABLES.items():
        yield apps.get_model('games', name), column, kinds


def texts(model: Any, column: str) -> Iterator[tuple[int, str]]:
    """Yield the rows that have a text, a few at a time, so that none is locked for long."""
    last = model.objects.aggregate(last=Max('pk'))['last'] or 0
    for first in range(0, last + 1, AT_ONCE):
        rows = model.objects.filter(pk__gte=first, pk__lt=first + AT_ONCE).exclude(**{column: ''})
        yield from list(rows.values_list('pk', column))


def understood(text: str, kinds: tuple[str, ...]) -> str:
    """Return a sentence as it is kept from now on; nothing for one that no release has written."""
    for kind in kinds:
        before, has_detail, after = SENTENCES[kind].partition('{}')
        if not has_detail and text == before:
            return kind
        if has_detail and text.startswith(before) and text.endswith(after):
            return f'{kind}: {text.removeprefix(before).removesuffix(after)}'
    return ''


class Migration(migrations.Migration):
    """Reasons in kinds. A row that changes meanwhile stays as it is: sentences are shown as they are, too."""

    atomic = False

    dependencies = [
        ('games', '0051_sentences_to_kinds'),
    ]

    operations = [
        migrations.RunPython(to_kinds, to_sentences),
    ]
