"""Call ratings of starships by their name; the table stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0005_one_report")]

    operations = [
        migrations.AlterModelTable("Rating", "games_rating"),
        migrations.RenameModel("Rating", "ShipRating"),
    ]
