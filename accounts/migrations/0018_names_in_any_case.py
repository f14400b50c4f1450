from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Upper


class Migration(migrations.Migration):
    """Indexes alone, made while the table is in use: outside of any transaction."""

    atomic = False

    dependencies = [("accounts", "0017_silenced_kinds")]

    operations = [
        AddIndexConcurrently(
            model_name="user", index=models.Index(Upper("robo_name"), name="robo_names_in_any_case")
        ),
        AddIndexConcurrently(
            model_name="user", index=models.Index(Upper("email"), name="addresses_in_any_case")
        ),
    ]
