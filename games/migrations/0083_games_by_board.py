from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """An index alone, made while the table is in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ('games', '0082_expected_turns'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='game',
            index=models.Index(
                fields=['revision'],
                include=['id', 'status', 'ending', 'started_at'],
                name='games_by_board',
            ),
        ),
    ]
