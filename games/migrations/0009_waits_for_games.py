"""Keep each player's last wish for a game, and how long players waited, without the players."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0008_openings_of_tournaments")]

    operations = [
        migrations.AlterField("ticket", "created_at", models.DateTimeField(null=True)),
        # Without this migration, a ticket is always of a player who waits.
        migrations.RunSQL("", reverse_sql="DELETE FROM games_ticket WHERE created_at IS NULL"),
        migrations.AddIndex(
            "ticket",
            models.Index(
                fields=["created_at"], name="tickets_waiting", condition=Q(created_at__isnull=False)
            ),
        ),
        migrations.CreateModel(
            "Wait",
            [
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("at", models.DateTimeField()),
                ("seconds", models.PositiveIntegerField()),
                ("pace", models.CharField(blank=True, max_length=10)),
                ("computers", models.BooleanField()),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["at"], name="waits_by_end")],
            },
        ),
    ]
