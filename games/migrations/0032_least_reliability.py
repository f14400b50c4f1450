from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """How reliable one has to be to join a game; while games are made by the version before."""

    atomic = False

    dependencies = [
        ('games', '0031_absence'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='least_reliability',
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text='How reliable one has to be to join it, in percent.'
            ),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(
                condition=Q(least_reliability__lte=100), name='game_least_reliability_in_percent'
            ),
        ),
        ValidateConstraint(
            model_name='game',
            name='game_least_reliability_in_percent',
        ),
    ]
