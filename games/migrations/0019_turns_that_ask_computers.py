from django.db import migrations, models


class Migration(migrations.Migration):
    """Turns there are count as asking, as do those that the release before makes: the sweeper settles it."""

    dependencies = [
        ("games", "0018_deletions"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="asks_computers",
            field=models.BooleanField(
                db_default=True, default=True, help_text="Whether computers may owe orders for it."
            ),
        ),
    ]
