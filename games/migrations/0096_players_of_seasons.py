from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce


def count(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Count the players of the seasons that are there."""
    entries = apps.get_model("games", "SeasonEntry").objects.filter(season=OuterRef("pk")).order_by()
    number = entries.values("season").annotate(number=Count("*")).values("number")
    apps.get_model("games", "Season").objects.update(players=Coalesce(Subquery(number), 0))


class Migration(migrations.Migration):
    dependencies = [("games", "0095_lists_that_stay_quick")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="players",
            field=models.PositiveIntegerField(
                db_default=0, default=0, help_text="How many have joined it."
            ),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
