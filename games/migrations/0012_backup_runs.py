"""Add the table of backups and restore drills."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_mail_about_clubs"),
    ]

    operations = [
        migrations.CreateModel(
            name="BackupRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("backup", "backup"), ("drill", "restore drill")], max_length=10
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("ok", models.BooleanField()),
                ("file", models.CharField(blank=True, max_length=200)),
                ("size", models.PositiveBigIntegerField(null=True)),
                ("copied", models.BooleanField(default=False)),
                ("report", models.TextField(blank=True)),
                ("error", models.TextField(blank=True)),
            ],
            options={
                "verbose_name": "backup or drill",
                "verbose_name_plural": "backups and drills",
                "ordering": ["-ended_at", "-pk"],
                "indexes": [models.Index(fields=["kind", "ended_at"], name="backup_runs_by_kind")],
            },
        ),
    ]
