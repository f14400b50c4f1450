"""Who finds a player in the list of players: for those who are here already, whoever may see most of their page."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PARTS = ("shows_games", "shows_history", "shows_statistics", "shows_achievements")


def keep_hidden(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Those who show no part of their page to everybody are found by no more people than see a part of it."""
    hidden = apps.get_model("accounts", "User").objects.all()
    for part in PARTS:
        hidden = hidden.exclude(**{part: "everybody"})
    hidden.update(shows_name="players")
    for part in PARTS:
        hidden = hidden.exclude(**{part: "players"})
    hidden.update(shows_name="nobody")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_music")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="shows_name",
            field=models.CharField(
                choices=[
                    ("everybody", "Everybody"),
                    ("players", "Those who play with me"),
                    ("nobody", "Nobody but me"),
                ],
                db_default="everybody",
                default="everybody",
                help_text="Who finds you when they search for players. Your page stays open to anyone who knows your "
                "Robo Name.",
                max_length=10,
                verbose_name="Robo Name in Players",
            ),
        ),
        migrations.RunPython(keep_hidden, migrations.RunPython.noop),
    ]
