"""Allow companions at one screen; before, all players had accounts or were computers."""

from django.db import migrations, models
from django.db.models import Q

NAME = "seat_of_a_person_or_a_computer"
PERSON = Q(user__isnull=False, computer="", name="")
NO_PERSON = Q(user=None, ready=True) & ~Q(name="")

NOW = "SET CONSTRAINTS ALL IMMEDIATE;"
ASK = """
    UPDATE games_turn SET asks_computers = true WHERE status = 'open' AND id IN (
        SELECT turn_id FROM games_hand JOIN games_seat ON games_seat.id = games_hand.seat_id
        WHERE games_seat.user_id IS NULL AND games_seat.computer = ''
    );
"""
REPLACE = "UPDATE games_seat SET computer = 'rookie' WHERE user_id IS NULL AND computer = '';"


class Migration(migrations.Migration):
    dependencies = [("games", "0029_screens")]

    operations = [
        migrations.RemoveConstraint("seat", NAME),
        migrations.AddConstraint("seat", models.CheckConstraint(name=NAME, condition=PERSON | NO_PERSON)),
        migrations.AlterField(
            "seat",
            "name",
            models.CharField(blank=True, max_length=40, verbose_name="name of the computer or companion"),
        ),
        migrations.RunSQL(NOW, f"{ASK} {REPLACE} {NOW}"),
    ]
