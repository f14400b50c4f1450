"""Keep what the chat filter found in a line."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_tournament_endings"),
    ]

    operations = [
        migrations.AddField(
            model_name="chatline",
            name="rude",
            field=models.BooleanField(null=True),
        ),
    ]
