from typing import Any

import django.core.validators
from django.db import migrations, models


def keep_choices(apps: Any, schema_editor: Any) -> None:
    """Whoever wanted no mail about turns wants none about games."""
    apps.get_model("accounts", "User").objects.filter(mail_my_turn=False).update(manner="none")


def give_choices_back(apps: Any, schema_editor: Any) -> None:
    """Whoever wants no mail about games wants none about turns."""
    apps.get_model("accounts", "User").objects.filter(manner="none").update(mail_my_turn=False)


class Migration(migrations.Migration):
    """The column of the former choice stays until nothing reads it any more: processes of the version before
    may still run while this one is brought in.
    """

    dependencies = [
        ("accounts", "0003_guests_and_the_console"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="manner",
            field=models.CharField(
                choices=[
                    ("at once", "At once"),
                    ("daily", "Once a day"),
                    ("one", "One until I visit"),
                    ("none", "Not at all"),
                ],
                db_default="at once",
                default="at once",
                help_text="For all games but those for which you choose otherwise.",
                max_length=10,
                verbose_name="mail about my games",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="daily_hour",
            field=models.PositiveSmallIntegerField(
                db_default=8,
                default=8,
                help_text="In your own time zone.",
                validators=[django.core.validators.MaxValueValidator(23)],
                verbose_name="hour of the daily mail",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("daily_hour__lte", 23)), name="daily_hour_is_of_the_day"
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="mail_my_turn",
            field=models.BooleanField(
                db_default=True,
                default=True,
                help_text="One mail for each turn, with the board and a link.",
                verbose_name="mail me when a game waits for my move",
            ),
        ),
        migrations.RunPython(keep_choices, give_choices_back, elidable=True),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="user", name="mail_my_turn")]
        ),
    ]
