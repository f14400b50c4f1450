from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Q


def name_what_staff_called_off(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Nobody else could call off a game that had started."""
    games = apps.get_model('games', 'Game').objects
    games.filter(status='cancelled', started_at__isnull=False, ending='').update(ending='staff')


class Migration(migrations.Migration):
    """What ended games that their rules did not end."""

    atomic = False

    dependencies = [
        ('games', '0015_shares'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='ending',
            field=models.CharField(
                blank=True,
                choices=[
                    ('voted', 'Called off by vote'),
                    ('conceded', 'Conceded by vote'),
                    ('staff', 'Called off by staff'),
                    ('deserted', 'Called off: nobody was left who played it'),
                ],
                db_default='',
                default='',
                max_length=10,
            ),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(
                condition=Q(ending='')
                | Q(ending='conceded', status='over') & ~Q(winner='')
                | Q(ending__in=['voted', 'staff', 'deserted'], started_at__isnull=False, status='cancelled'),
                name='game_ending_fits_its_status',
            ),
        ),
        migrations.RunPython(name_what_staff_called_off, migrations.RunPython.noop),
        ValidateConstraint(
            model_name='game',
            name='game_ending_fits_its_status',
        ),
    ]
