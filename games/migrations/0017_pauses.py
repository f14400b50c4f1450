from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    """Pauses of games: no game is in one yet."""

    atomic = False

    dependencies = [
        ('games', '0016_ending'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='paused_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='paused_until',
            field=models.DateTimeField(null=True),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(condition=Q(Q(('paused_at', None), ('paused_until', None)), Q(('paused_at__isnull', False), ('paused_until__gt', F('paused_at')), ('paused_until__isnull', False)), _connector='OR'), name='game_paused_for_a_while'),
        ),
        ValidateConstraint(
            model_name='game',
            name='game_paused_for_a_while',
        ),
    ]
