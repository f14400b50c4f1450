from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """An index alone, made while the table is in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ("accounts", "0005_deleted_people"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(
                condition=models.Q(("is_guest", True)), fields=["date_joined"], name="guests"
            ),
        ),
    ]
