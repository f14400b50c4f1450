"""Allow cases about a starship, a shared draft or a review.

There had been no public release before this migration, so the constraints are checked at once.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def thing(model: str) -> Any:
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=f"games.{model}"
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0003_reasons_of_staff_once")]

    operations = [
        migrations.RemoveConstraint("case", "case_open_once"),
        migrations.AlterField(
            "case",
            "person",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="cases",
                to="accounts.user",
            ),
        ),
        migrations.AddField("case", "starship", thing("starship")),
        migrations.AddField("case", "draft", thing("starshipdraft")),
        migrations.AddField("case", "review", thing("review")),
        migrations.AddConstraint(
            "case",
            models.UniqueConstraint(
                fields=["person", "starship", "draft", "review"],
                name="case_open_once",
                condition=Q(decided_at=None),
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            "case",
            models.CheckConstraint(
                name="case_about_one_thing",
                condition=Q(person__isnull=False, starship=None, draft=None, review=None)
                | Q(person=None, starship__isnull=False, draft=None, review=None)
                | Q(person=None, starship=None, draft__isnull=False, review=None)
                | Q(person=None, starship=None, draft=None, review__isnull=False),
            ),
        ),
        migrations.CreateModel(
            name="ShipCase",
            fields=[],
            options={"verbose_name": "ship case", "proxy": True, "indexes": [], "constraints": []},
            bases=("games.case",),
        ),
    ]
