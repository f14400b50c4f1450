"""Allow invitations to clubs by email address."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

NOW = "SET CONSTRAINTS ALL IMMEDIATE;"


class Migration(migrations.Migration):
    dependencies = [("games", "0009_waits_for_games")]

    operations = [
        migrations.AlterField(
            "candidate",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="candidacies",
                to="accounts.user",
            ),
        ),
        migrations.AddField(
            "candidate", "email", models.EmailField(blank=True, db_default="", default="", max_length=254)
        ),
        migrations.AddField(
            "candidate",
            "invited_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.user",
            ),
        ),
        migrations.AddField(
            "candidate",
            "status",
            models.CharField(
                choices=[("open", "Open"), ("accepted", "Accepted"), ("withdrawn", "Withdrawn")],
                db_default="open",
                default="open",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "candidate",
            models.UniqueConstraint(
                fields=["club", "email"], name="candidate_once_by_mail", condition=~Q(email="")
            ),
        ),
        migrations.AddConstraint(
            "candidate",
            models.CheckConstraint(
                name="candidate_is_a_person_or_an_address",
                condition=Q(email="", user__isnull=False, invited_by=None)
                | ~Q(email="") & Q(invited=True, invited_by__isnull=False),
            ),
        ),
        migrations.RunSQL("", f"{NOW} DELETE FROM games_candidate WHERE email <> ''"),
    ]
