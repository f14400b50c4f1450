from django.db import migrations, models

MANNERS = [
    ("at once", "At once"),
    ("daily", "Once a day"),
    ("one", "One until I visit"),
    ("none", "Not at all"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_given_up"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="manner",
            field=models.CharField(
                blank=True,
                choices=MANNERS,
                db_default="",
                default="",
                help_text="Where it is to be another than for all games of this player.",
                max_length=10,
                verbose_name="mail about this game",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="visited_at",
            field=models.DateTimeField(
                help_text="When its player last came to look at the game, to the minute.", null=True
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="remind_at",
            field=models.DateTimeField(
                help_text="When its player is to be reminded, unless their orders are in by then.", null=True
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="due_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "A turn waits for you"),
                    ("over", "The game is over"),
                    ("reminder", "Time is running out"),
                    ("mention", "You are spoken to in the chat"),
                    ("invited", "You are invited"),
                    ("removed", "You were taken out of the game"),
                    ("cancelled", "The game was cancelled"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="status",
            field=models.CharField(
                choices=[
                    ("pending", "To be sent"),
                    ("held", "Held back"),
                    ("sent", "Sent"),
                    ("seen", "Seen before it was sent"),
                    ("unwanted", "Not wanted"),
                    ("outdated", "Outdated"),
                    ("given up", "Given up"),
                ],
                default="pending",
                max_length=10,
            ),
        ),
    ]
