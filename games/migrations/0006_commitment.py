"""What each game promises its seed by; games that there are already have it worked out when it is asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_missions_saved_by_staff"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="commitment",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
