from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("games", "0104_endings"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="ratingchange",
            options={"ordering": ["user", "pool", "played_at", "seq"]},
        ),
        migrations.AlterModelOptions(
            name="result",
            options={"ordering": ["ended_at", "of_game", "revision"]},
        ),
        migrations.AlterField(
            model_name="result",
            name="seq",
            field=models.PositiveBigIntegerField(verbose_name="number of the result"),
        ),
        AddIndexConcurrently(
            model_name="result",
            index=models.Index(fields=["ended_at", "of_game"], name="result_order"),
        ),
    ]
