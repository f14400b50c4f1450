"""Rename the model `Rating` to `ShipRating`. The name of its table stays the same."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0005_one_report")]

    operations = [
        migrations.AlterModelTable("Rating", "games_rating"),
        migrations.RenameModel("Rating", "ShipRating"),
    ]
