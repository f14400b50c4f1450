import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

ONCE = models.UniqueConstraint(
    fields=['starship', 'about', 'user', 'kind', 'channel'],
    name='notice_of_a_starship_once',
    condition=Q(starship__isnull=False),
)
FORTH = [
    f'DROP INDEX CONCURRENTLY IF EXISTS {ONCE.name}',  # of an attempt before
    f'CREATE UNIQUE INDEX CONCURRENTLY {ONCE.name} ON games_notice (starship_id, about, user_id, kind, channel)'
    ' WHERE starship_id IS NOT NULL',
]
BACK = [
    'DELETE FROM games_notice WHERE starship_id IS NOT NULL',
    f'DROP INDEX CONCURRENTLY IF EXISTS {ONCE.name}',
]


class Migration(migrations.Migration):
    """Notices may be about a starship. Each step is a transaction of its own: the table is large, and in use."""

    atomic = False

    dependencies = [
        ('games', '0079_reports_and_takedowns'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='game',
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name='notices',
                to='games.game',
            ),
        ),
        migrations.AddField(
            model_name='notice',
            name='starship',
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name='notices',
                to='games.starship',
            ),
        ),
        migrations.AddField(
            model_name='notice',
            name='about',
            field=models.BigIntegerField(null=True),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL([*FORTH], [*BACK])],
            state_operations=[migrations.AddConstraint(model_name='notice', constraint=ONCE)],
        ),
        AddConstraintNotValid(
            model_name='notice',
            constraint=models.CheckConstraint(
                condition=Q(game__isnull=False, starship=None, about=None)
                | Q(game=None, starship__isnull=False, about__isnull=False, user__isnull=False, turn=0),
                name='notice_of_a_game_or_a_starship',
            ),
        ),
        ValidateConstraint(model_name='notice', name='notice_of_a_game_or_a_starship'),
    ]
