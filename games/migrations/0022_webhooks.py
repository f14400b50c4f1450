import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

BEFORE = models.UniqueConstraint(fields=["game", "turn", "user", "kind"], name="notice_once")
NOW = models.UniqueConstraint(fields=["game", "turn", "user", "kind", "channel"], name="notice_once_a_channel")


def unique(name: str, columns: str) -> list[str]:
    """Return what makes a table unique while it is in use: the index is made before the constraint takes it."""
    return [
        f"DROP INDEX CONCURRENTLY IF EXISTS {name}",  # of an attempt before
        f"CREATE UNIQUE INDEX CONCURRENTLY {name} ON games_notice ({columns})",
        f"ALTER TABLE games_notice ADD CONSTRAINT {name} UNIQUE USING INDEX {name}",
    ]


FORTH = [
    *unique(NOW.name, "game_id, turn, user_id, kind, channel"),
    f"ALTER TABLE games_notice DROP CONSTRAINT {BEFORE.name}",
]
BACK = [
    "DELETE FROM games_notice WHERE channel <> 'mail'",
    *unique(BEFORE.name, "game_id, turn, user_id, kind"),
    f"ALTER TABLE games_notice DROP CONSTRAINT {NOW.name}",
]


class Migration(migrations.Migration):
    """Notices that go by other channels than mail. Processes of the version before leave some by mail alone."""

    atomic = False

    dependencies = [
        ("games", "0021_feeds"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.URLField(max_length=500)),
                ("secret", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True, verbose_name="got through last")),
                ("tested_at", models.DateTimeField(null=True)),
                ("failing_since", models.DateTimeField(null=True)),
                ("failure", models.CharField(blank=True, max_length=300)),
                ("switched_off_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(switched_off_at=None)
                        | models.Q(failing_since__isnull=False) & ~models.Q(failure=""),
                        name="webhook_off_for_a_reason",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="notice",
            name="channel",
            field=models.CharField(
                choices=[("mail", "Mail"), ("webhook", "Webhook")], db_default="mail", default="mail", max_length=10
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL([*FORTH], [*BACK])],
            state_operations=[
                migrations.RemoveConstraint(model_name="notice", name=BEFORE.name),
                migrations.AddConstraint(model_name="notice", constraint=NOW),
            ],
        ),
    ]
