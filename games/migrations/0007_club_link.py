"""Give each club a token for its invitation link, which is empty until an officer creates the link."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_ship_rating")]

    operations = [
        migrations.AddField(
            "club", "link_token", models.CharField(blank=True, db_default="", default="", max_length=64)
        )
    ]
