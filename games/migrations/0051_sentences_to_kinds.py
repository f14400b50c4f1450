import re
from typing import Any

from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Max

import rules

AT_ONCE = 500

PLAYER = r'(?P<player>\S+)'

SENTENCES = (
    ('joined', rf'{PLAYER} joined\.'),
    ('left', rf'{PLAYER} left\.'),
    ('host', rf'{PLAYER} is the host now\.'),
    ('removed', rf'{PLAYER} took (?P<robot>.+) out\.'),
    ('computer-added', rf'{PLAYER} added (?P<computer>.+), a computer\.'),
    ('computer-renamed', rf'{PLAYER} changed (?P<was>.+), who is (?P<computer>.+) now\.'),
    ('computer-changed', rf'{PLAYER} changed (?P<computer>(?!the |what ).+)\.'),
    ('invited-by-mail', rf'{PLAYER} invited somebody by mail\.'),
    ('invited', rf'{PLAYER} invited (?P<guest>\S+)\.'),
    ('declined', rf'{PLAYER} declined the invitation\.'),
    ('new-link', rf'{PLAYER} made a new link\.'),
    ('cancelled', rf'{PLAYER} called the game off\.'),
    ('expired', r'The game was cancelled, since nobody filled it\.'),
    ('board', rf'{PLAYER} changed the board to (?P<starship>.+)\.'),
    ('board-as-now', rf'{PLAYER} took the board (?P<starship>.+) as it is now\.'),
    ('put-aside', rf'{PLAYER} put a hand of turning chips aside\.'),
    ('vacation', rf'{PLAYER} is on vacation, and has a day more\.'),
    ('outage', r'The service was away: all clocks have that time back\.'),
    ('replaced', r'(?P<robot>.+) is steered by a Rookie from now on: too many turns were missed\.'),
    ('back', rf'{PLAYER} is back\.'),
    ('took-over', rf'{PLAYER} steers (?P<robot>.+) from now on\.'),
    ('resigned', rf'{PLAYER} resigned\. A Rookie plays (?P<robot>.+) to the end\.'),
    ('left-seat', rf'{PLAYER} left\. A Rookie plays (?P<robot>.+) until somebody takes the seat over\.'),
    ('resigned-last', rf'{PLAYER} resigned\. The game is over\.'),
    ('left-last', rf'{PLAYER} left\. The game is over\.'),
    ('unattended', r'The game was called off: (?P<turns>\d+) turns had no orders\.'),
    ('deleted', rf'{PLAYER} left for good: a Rookie plays on\.'),
    ('no-players', r'The game was called off, since nobody is left who plays it\.'),
)

TERMS = (
    ('name', r'renamed the game “(?P<after>.+)”'),
    ('ruleset', r'changed the rules to (?P<ruleset>.+)'),
    ('options', r'changed the option “(?P<key>.+)”(?: from (?P<before>\w+))? to (?P<after>\w+)'),
    ('house_rules', r'changed the house rule “(?P<key>.+)”(?: from (?P<before>\w+))? to (?P<after>\w+)'),
    ('seats', r'changed the seats from (?P<before>\d+) to (?P<after>\d+)'),
    ('private', r'made the game (?:(?P<yes>private)|public)'),
    ('least_reliability', r'lets (?:players join who are reliable to (?P<after>\d+) % at least|everybody join)'),
    ('starts_itself', r'(?:(?P<yes>has the game start by itself once .+)|will start the game by hand)'),
    ('pace', r'changed the (?:pace|time for a turn) to (?P<pace>.+)'),
    ('absence', r'changed what becomes of missed turns: Who misses a turn(?P<absence>.+)'),
)

TIME = r'(?:(?P<{0}>\d+) (?P<{0}_unit>hour|day|week)s?)'

PACES = (
    r'(?P<unlimited>no time limit|no limit)',
    r'(?P<minutes>\d+) minutes? a turn \(live\)',
    r'daily at (?P<at>\d\d:\d\d) \((?P<zone>.+)\)',
    TIME.format('hours') + r'(?: a turn(?:, until (?P<at>\d\d:\d\d) \((?P<zone>.+)\))?)?',
    TIME.format('bank') + ' in the bank, and ' + TIME.format('increment') + ' more each turn',
)

ABSENCE = re.compile(
    r': (?P<played>.+?)(?:, (?P<times>once|twice|\d+ times)\. Who misses more is replaced by a computer)?'
)

POLICIES = {
    'chance fills the registers': 'random',
    'the player’s standing orders are played': 'standing',
    'a computer plays it': 'computer',
}

HOURS = {'hour': 1, 'day': 24, 'week': 168}

VOTES = (
    ('vote', rf'{PLAYER} put to the vote: (?P<question>.+)'),
    ('yes', rf'{PLAYER} says yes: (?P<question>.+)'),
    ('no', rf'{PLAYER} says no: (?P<question>.+)'),
    ('vote-void', r'The vote came to nothing: (?P<question>.+)'),
    ('vote-passed', r'Yes, by (?P<ayes>\d+) to (?P<noes>\d+) of (?P<voters>\d+): (?P<question>.+)'),
    ('vote-refused', r'No, by (?P<ayes>\d+) to (?P<noes>\d+) of (?P<voters>\d+): (?P<question>.+)'),
)

QUESTIONS = (
    ('eject', r'Should a computer replace (?P<robot>.+) from now on\?'),
    ('eject', r'Shall a computer play (?P<robot>.+)’s robot from now on\?'),
    ('concede', r'Should the game end now, won by the (?P<squad>\S+) squad\?'),
    ('concede', r'Should the game end now, won by (?P<robot>.+)\?'),
    ('concede', r'Shall the game end now, and the (?P<squad>\S+) squad have won it\?'),
    ('concede', r'Shall the game end now, and (?P<robot>.+) have won it\?'),
    ('pause', r'(?:Should|Shall) the game pause for (?P<days>\d+) days?\?'),
    ('resume', r'(?:Should|Shall) the pause end now\?'),
    ('call-off', r'Should the game be called off, without a winner\?'),
    ('call-off', r'Shall the game be called off, so that nobody wins\?'),
)

DEEDS = (
    ('resolve', r'Staff had turn (?P<turn>\d+) tried again\. (?P<reason>.+)'),
    (
        'extend',
        rf'Staff put the deadline of turn (?P<turn>\d+) off by {TIME.format("hours")}\. (?P<reason>.+)',
    ),
    ('replace', r'Staff had a computer take over (?P<robot>\S+)\. (?P<reason>.+)'),
    ('cancel', r'Staff cancelled the game\. (?P<reason>.+)'),
)


def give_kinds(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Say of each entry what it tells, beside its text, a few at a time, so that no game waits."""
    entries = apps.get_model('games', 'LobbyEntry').objects
    last = entries.aggregate(last=Max('pk'))['last'] or 0
    for first in range(0, last + 1, AT_ONCE):
        with transaction.atomic():
            few = entries.filter(pk__gte=first, pk__lt=first + AT_ONCE, kind='').select_for_update(of=('self',))
            rows = list(few.order_by('pk'))
            for entry in rows:
                entry.kind, parameters = understood(entry.text)
                entry.parameters = {'format': 'entry/1', **parameters}
            entries.bulk_update(rows, ['kind', 'parameters'])


def understood(text: str) -> tuple[str, dict[str, Any]]:
    """Return what a sentence tells; one that no release has written stays a text."""
    for kind, pattern in SENTENCES:
        found = match(pattern, text)
        if found is not None:
            return kind, found
    for term, pattern in TERMS:
        found = match(rf'{PLAYER} {pattern}\.', text)
        changed = found and change_of(term, found)
        if found and changed:
            return 'term', {'player': found['player'], 'term': term, 'before': None, **changed}
    for kind, pattern in VOTES:
        found = match(pattern, text)
        asked = found and asked_in(found.pop('question'))
        if found is not None and asked:
            return kind, found | asked
    for action, pattern in DEEDS:
        if found := match(pattern, text):
            hours = time(found, 'hours')
            done = {'action': action, 'turn': found.get('turn'), 'hours': hours, 'robot': found.get('robot', '')}
            return 'intervened', {'reason': found['reason'], **done}
    return 'text', {'text': text}


def match(pattern: str, text: str) -> dict[str, Any] | None:
    """Return what a text says, numbers as such; None where it says something else."""
    found = re.fullmatch(pattern, text, re.DOTALL)
    if found is None:
        return None
    said = {name: value for name, value in found.groupdict().items() if value is not None}
    numbers = {'turns', 'turn', 'days', 'ayes', 'noes', 'voters'} & said.keys()
    return said | {name: int(said[name]) for name in numbers}


def change_of(term: str, found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the values of a term that was changed; None where they cannot be told from the sentence."""
    match term:
        case 'name':
            return {'after': found['after']}
        case 'ruleset':
            keys = [key for key, ruleset in rules.RULESETS.items() if ruleset.name == found['ruleset']]
            return {'after': keys[0]} if keys else None
        case 'private' | 'starts_itself':
            return {'before': 'yes' not in found, 'after': 'yes' in found}
        case 'least_reliability':
            return {'after': int(found.get('after', 0))}
        case 'seats':
            return {'before': int(found['before']), 'after': int(found['after'])}
        case 'pace':
            pace = pace_of(found['pace'])
            return pace and {'after': pace}
        case 'absence':
            absence = absence_of(found['absence'])
            return absence and {'after': absence}
    values: dict[str, Any] = {name: value_of(found[name]) for name in ('before', 'after') if name in found}
    return {'key': found['key'].replace(' ', '_'), **values}


def value_of(word: str) -> int | bool | str:
    known = {'yes': True, 'no': False}
    return known[word] if word in known else int(word) if word.isdecimal() else word


def pace_of(text: str) -> dict[str, Any] | None:
    for pattern in PACES:
        found = match(pattern, text)
        if found is None:
            continue
        pace: dict[str, Any] = {
            'format': 'pace/2',
            'hours': time(found, 'hours') or (24 if 'at' in found else None),
            'at': found.get('at'),
            'zone': found['zone'].replace(' ', '_') if 'zone' in found else None,
            'bank': time(found, 'bank'),
            'increment': time(found, 'increment'),
        }
        return pace | ({'minutes': int(found['minutes'])} if 'minutes' in found else {})
    return None


def time(found: dict[str, Any], name: str) -> int | None:
    return int(found[name]) * HOURS[found[f'{name}_unit']] if name in found else None


def absence_of(text: str) -> dict[str, Any] | None:
    if text == ' is replaced by a computer':
        return {'format': 'absence/1', 'policy': 'give-up', 'excused': 0}
    found = ABSENCE.fullmatch(text)
    policy = found and POLICIES.get(found['played'])
    if not found or not policy:
        return None
    times = found['times']
    excused = {'once': 1, 'twice': 2}.get(times) or int(times.split()[0]) if times else None
    return {'format': 'absence/1', 'policy': policy, 'excused': excused}


def asked_in(question: str) -> dict[str, Any] | None:
    for asks, pattern in QUESTIONS:
        found = match(pattern, question)
        if found is not None:
            return {'asks': asks, 'robot': '', 'squad': '', 'days': 0, **found}
    return None


class Migration(migrations.Migration):
    """What a history tells, from its sentences; these stay for the release before, and for the way back."""

    atomic = False

    dependencies = [
        ('games', '0050_history_in_kinds'),
    ]

    operations = [
        migrations.RunPython(give_kinds, migrations.RunPython.noop),
    ]
