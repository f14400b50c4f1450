import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_commitment"),
    ]

    operations = [
        migrations.CreateModel(
            name="Alarm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("due_at", models.DateTimeField()),
                ("raised_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "turn",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="alarm", to="games.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["-raised_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at", None)), fields=["raised_at"], name="alarms_open"
                    )
                ],
            },
        ),
    ]
