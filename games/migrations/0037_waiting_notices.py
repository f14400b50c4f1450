from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """An index of the notices that wait for their receiver."""

    atomic = False

    dependencies = [
        ('games', '0036_receivers'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='notice',
            index=models.Index(
                condition=models.Q(('waits_for', ''), _negated=True), fields=['waits_for'], name='notices_waiting'
            ),
        ),
    ]
