from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """An index alone, made while the table is in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ('games', '0040_heads_of_games_under_way'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='turn',
            index=models.Index(
                condition=models.Q(('head_before', ''), ('status', 'open')),
                fields=['opened_at'],
                name='turns_without_head',
            ),
        ),
    ]
