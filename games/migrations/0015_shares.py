import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

COUNTERS = (
    ("forward", "cells walked forward"),
    ("backward", "cells walked backward"),
    ("left_turns", None),
    ("right_turns", None),
    ("half_turns", None),
    ("damage_taken", None),
    ("deaths", "times destroyed"),
    ("damage_dealt", None),
    ("destroyed", "robots destroyed"),
    ("repaired", "damage repaired"),
    ("power_downs", None),
    ("pushed", "robots pushed"),
)


def counter(verbose_name: str | None) -> "models.PositiveIntegerField[int, int]":
    return models.PositiveIntegerField(verbose_name, default=0)


class Migration(migrations.Migration):
    """What players did with robots that several have steered. No seat has passed on before."""

    dependencies = [
        ("games", "0014_rests"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="shared",
            field=models.BooleanField(db_default=False, default=False, help_text="Has had several players."),
        ),
        migrations.CreateModel(
            name="Share",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                *((name, counter(verbose_name)) for name, verbose_name in COUNTERS),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shares", to="games.seat"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shares",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="share",
            constraint=models.UniqueConstraint(fields=("seat", "user"), name="share_one_each"),
        ),
    ]
