from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes alone, made while the tables are in use: outside of any transaction."""

    atomic = False

    dependencies = [
        ("games", "0009_how_people_are_told"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="hand",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False)), fields=["remind_at"], name="hands_to_remind"
            ),
        ),
        AddIndexConcurrently(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("status", "held")), fields=["due_at"], name="notices_held"
            ),
        ),
        AddIndexConcurrently(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("status__in", ["held", "pending"])),
                fields=["user"],
                name="notices_of_a_person",
            ),
        ),
    ]
