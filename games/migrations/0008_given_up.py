from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """An index alone, made while the table is in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ("games", "0007_alarms"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("status", "given up")), fields=["created_at"], name="notices_given_up"
            ),
        ),
    ]
