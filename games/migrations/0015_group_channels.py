"""Add channels of groups at chat services, and their announcements."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.groups.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_sanctions_shortened"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GroupChannel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("offered_at", models.DateTimeField(null=True)),
                ("waits_for", models.CharField(blank=True, db_default="", default="", max_length=300)),
                (
                    "service",
                    models.CharField(
                        choices=[
                            ("discord", "Discord"),
                            ("slack", "Slack"),
                            ("matrix", "Matrix"),
                            ("webhook", "Webhook"),
                        ],
                        max_length=10,
                    ),
                ),
                ("address", models.CharField(max_length=1000)),
                ("room", models.CharField(blank=True, max_length=255)),
                ("token", models.CharField(blank=True, max_length=1000)),
                ("secret", models.CharField(blank=True, max_length=64)),
                ("language", models.CharField(max_length=10)),
                (
                    "news",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("turn", "Whose turn it is"),
                                ("played", "A turn was played, with a picture"),
                                ("deadline", "A deadline is near"),
                                ("round", "A round of a tournament was drawn"),
                                ("end", "The end of a game or tournament"),
                            ],
                            max_length=10,
                        ),
                        default=games.groups.models.all_news,
                        size=None,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True, verbose_name="last success")),
                ("failing_since", models.DateTimeField(null=True)),
                ("failure", models.CharField(blank=True, max_length=300)),
                ("switched_off_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="group_channels",
                        to="games.club",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="group_channels",
                        to="games.game",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="group_channels",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="group_channels",
                        to="games.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
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
                        choices=[
                            ("turn", "Whose turn it is"),
                            ("played", "A turn was played, with a picture"),
                            ("deadline", "A deadline is near"),
                            ("round", "A round of a tournament was drawn"),
                            ("end", "The end of a game or tournament"),
                        ],
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Waiting"),
                            ("sent", "Sent"),
                            ("outdated", "Outdated"),
                            ("uncertain", "Interrupted while it was sent"),
                            ("refused", "Refused by the service"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("message", models.BigIntegerField(null=True)),
                ("created_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.tournament",
                    ),
                ),
                (
                    "channel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="games.groupchannel",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="groupchannel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("club", None), ("game__isnull", False), ("tournament", None)),
                    models.Q(("club__isnull", False), ("game", None), ("tournament", None)),
                    models.Q(("club", None), ("game", None), ("tournament__isnull", False)),
                    _connector="OR",
                ),
                name="group_channel_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="groupchannel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("switched_off_at", None),
                    models.Q(("failing_since__isnull", False), models.Q(("failure", ""), _negated=True)),
                    _connector="OR",
                ),
                name="group_channel_off_for_a_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="announcement",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["channel", "id"],
                name="announcements_pending",
            ),
        ),
        migrations.AddIndex(
            model_name="announcement",
            index=models.Index(fields=["created_at"], name="announcements_by_age"),
        ),
        migrations.AddConstraint(
            model_name="announcement",
            constraint=models.UniqueConstraint(
                fields=("game", "number", "kind", "channel"), name="announced_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="announcement",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number", "kind", "channel"), name="announced_once_of_a_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="announcement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("game__isnull", False), ("tournament", None)),
                    models.Q(("game", None), ("tournament__isnull", False)),
                    _connector="OR",
                ),
                name="announcement_of_one_thing",
            ),
        ),
    ]
