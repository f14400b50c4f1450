import django.db.models.deletion
from django.db import migrations, models

OF_A_GAME = ('Hand', 'Program', 'Draft', 'Tally', 'Share', 'Replacement', 'Ballot', 'Course', 'Piece')


def carry_game(name: str) -> migrations.SeparateDatabaseAndState:
    """Give a table the column in a statement of its own, which only notes it: no row is read or written."""
    table = f'games_{name.lower()}'
    field = models.ForeignKey(
        'games.game',
        db_constraint=False,
        db_index=False,
        null=True,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name='+',
    )
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f'ALTER TABLE {table} ADD COLUMN IF NOT EXISTS game_id bigint NULL',
                f'ALTER TABLE {table} DROP COLUMN IF EXISTS game_id',
            )
        ],
        state_operations=[migrations.AddField(model_name=name, name='game', field=field)],
    )


class Migration(migrations.Migration):
    """All that belongs to a game carries its number, table by table: it can be run again if interrupted."""

    atomic = False

    dependencies = [
        ('games', '0059_transitions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='course',
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name='of_game',
                to='games.course',
            ),
        ),
        *map(carry_game, OF_A_GAME),
    ]
