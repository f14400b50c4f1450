from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes alone, made while the tables are in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ("games", "0019_turns_that_ask_computers"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("asks_computers", True), ("status", "open")),
                fields=["opened_at"],
                name="turns_asking",
            ),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                condition=models.Q(("status", "open")), fields=["created_at"], name="games_open"
            ),
        ),
    ]
