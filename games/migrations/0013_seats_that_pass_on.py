import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Seats that pass on while their game is played. Rows stay as they are; the index is made while in use."""

    atomic = False

    dependencies = [
        ("games", "0012_players_deadlines"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="robot",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Where it is not that of whoever plays it.",
                max_length=40,
                verbose_name="name of the robot",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="offered_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Since when anybody may take the seat over from its computer.",
                null=True,
            ),
        ),
        AddIndexConcurrently(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("offered_at__isnull", False)), fields=["-offered_at"], name="seats_offered"
            ),
        ),
        migrations.CreateModel(
            name="Replacement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("turn", models.PositiveIntegerField(verbose_name="number of the turn")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("missed", "Missed too many turns"),
                            ("voted", "Replaced by a vote of the players"),
                            ("staff", "Replaced by staff"),
                            ("deleted", "The account was deleted"),
                            ("taken over", "Took the seat over"),
                            ("came back", "Came back to their own seat"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "became",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replacements",
                        to="games.seat",
                    ),
                ),
                (
                    "was",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="replacement",
            constraint=models.CheckConstraint(
                name="replacement_of_one_by_another",
                condition=models.Q(
                    models.Q(("was", models.F("became")), _negated=True),
                    models.Q(("was__isnull", False), ("became__isnull", False), _connector="OR"),
                ),
            ),
        ),
    ]
