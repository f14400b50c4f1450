"""Record ended games in one table, for each job that has not processed them yet.

The earlier tables are dropped at once. If a process of the earlier release ends a game meanwhile, its whole
transaction fails, and a worker of this release plays that turn.
"""

import django.db.models.deletion
from django.db import migrations, models

MOVE = """
INSERT INTO games_endedgame (game_id, job)
SELECT game_id, 'results' FROM games_pendingresult
UNION ALL SELECT game_id, 'months' FROM games_pendingmonth
UNION ALL SELECT game_id, 'starship figures' FROM games_uncountedgame
"""

MOVE_BACK = """
INSERT INTO games_pendingresult SELECT game_id FROM games_endedgame WHERE job = 'results';
INSERT INTO games_pendingmonth SELECT game_id FROM games_endedgame WHERE job = 'months';
INSERT INTO games_uncountedgame SELECT game_id FROM games_endedgame WHERE job = 'starship figures';
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="EndedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("job", models.CharField(max_length=30)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "job"), name="ended_game_once_a_job")
                ],
            },
        ),
        migrations.RunSQL(MOVE, MOVE_BACK),
        migrations.DeleteModel(name="PendingMonth"),
        migrations.DeleteModel(name="PendingResult"),
        migrations.DeleteModel(name="UncountedGame"),
    ]
