from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

ONCE = models.UniqueConstraint(
    fields=['user', 'about', 'kind', 'channel'],
    name='notice_of_a_person_once',
    condition=Q(game=None, starship=None),
)
FORTH = [
    f'DROP INDEX CONCURRENTLY IF EXISTS {ONCE.name}',  # of an attempt before
    f'CREATE UNIQUE INDEX CONCURRENTLY {ONCE.name} ON games_notice (user_id, about, kind, channel)'
    ' WHERE game_id IS NULL AND starship_id IS NULL',
]
BACK = [
    'DELETE FROM games_notice WHERE game_id IS NULL AND starship_id IS NULL',
    f'DROP INDEX CONCURRENTLY IF EXISTS {ONCE.name}',
]


class Migration(migrations.Migration):
    """Notices may be about a person. Each step is a transaction of its own: the table is large, and in use."""

    atomic = False

    dependencies = [
        ('games', '0091_seasons'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL([*FORTH], [*BACK])],
            state_operations=[migrations.AddConstraint(model_name='notice', constraint=ONCE)],
        ),
        AddConstraintNotValid(
            model_name='notice',
            constraint=models.CheckConstraint(
                condition=Q(game__isnull=False, starship=None, about=None)
                | Q(game=None, about__isnull=False, user__isnull=False, turn=0),
                name='notice_of_a_game_or_not',
            ),
        ),
        ValidateConstraint(model_name='notice', name='notice_of_a_game_or_not'),
        migrations.RemoveConstraint(model_name='notice', name='notice_of_a_game_or_a_starship'),
    ]
