"""Add the time when a tournament was opened. It is empty for drafts, and if it was opened before this."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_club_link")]

    operations = [migrations.AddField("tournament", "opened_at", models.DateTimeField(null=True))]
