from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    """Rows are looked through, and indexed, while they may be read and written."""

    atomic = False

    dependencies = [
        ("accounts", "0011_unconfirmed_sign_ups"),
    ]

    operations = [
        ValidateConstraint(model_name="user", name="guest_without_an_address"),
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(
                condition=models.Q(("deleted_at", None), ("email", ""), ("is_guest", False)),
                fields=["date_joined"],
                name="unconfirmed",
            ),
        ),
    ]
