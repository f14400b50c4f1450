from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Q

AT_ONCE = 5000

FORTH = """
    UPDATE games_game SET pace = pace || '{"format": "pace/2", "at": null, "zone": null, "bank": null, "increment": null}'
    WHERE id IN (SELECT id FROM games_game WHERE id > %s AND pace ->> 'format' = 'pace/1' ORDER BY id LIMIT %s)
    RETURNING id
"""
BACK = """
    UPDATE games_game SET pace = jsonb_build_object('format', 'pace/1', 'hours', pace -> 'hours')
    WHERE id IN (SELECT id FROM games_game WHERE id > %s AND pace ->> 'format' = 'pace/2' ORDER BY id LIMIT %s)
    RETURNING id
"""


def rewrite(editor: BaseDatabaseSchemaEditor, statement: str) -> None:
    """Write rows anew, a few at a time, so that no game is held up."""
    with editor.connection.cursor() as cursor:
        last = 0
        while True:
            cursor.execute(statement, [last, AT_ONCE])
            rows = cursor.fetchall()
            if not rows:
                return
            last = max(row[0] for row in rows)


def forth(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    rewrite(editor, FORTH)


def back(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    rewrite(editor, BACK)


def formats(*names: str) -> Q:
    condition = Q()
    for name in names:
        condition |= Q(pace__format=name, pace__has_key='format')
    return condition


class Migration(migrations.Migration):
    """Paces with times of day and banks; while games go on, and while web processes still write the form before."""

    atomic = False

    dependencies = [
        ('games', '0010_what_is_held_back'),
    ]

    operations = [
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(condition=formats('pace/2', 'pace/1'), name='game_has_its_pace'),
        ),
        migrations.RemoveConstraint(
            model_name='game',
            name='game_has_a_pace',
        ),
        migrations.RunPython(forth, back),
        ValidateConstraint(
            model_name='game',
            name='game_has_its_pace',
        ),
        migrations.AlterField(
            model_name='game',
            name='pace',
            field=models.JSONField(help_text='How fast it is played, as a pace/2 document.'),
        ),
    ]
