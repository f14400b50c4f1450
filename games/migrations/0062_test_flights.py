import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """A game may take place on a board that is none of the library."""

    atomic = False

    dependencies = [
        ('games', '0061_starship_drafts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='revision',
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name='games',
                to='games.starshiprevision',
            ),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(
                condition=Q(revision__isnull=False) | Q(course__isnull=False), name='game_has_a_board'
            ),
        ),
        ValidateConstraint(
            model_name='game',
            name='game_has_a_board',
        ),
    ]
