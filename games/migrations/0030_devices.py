import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_closed_notices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="channel",
            field=models.CharField(
                choices=[("mail", "Mail"), ("webhook", "Webhook"), ("push", "Browser")],
                db_default="mail",
                default="mail",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="url",
            field=models.URLField(max_length=1000),
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.URLField(max_length=1000, unique=True)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=30)),
                ("name", models.CharField(max_length=60)),
                ("made_at", models.DateTimeField()),
                ("told_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
