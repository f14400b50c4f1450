from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def note_rows(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Where games are under way, the release before may play them, and read what is played."""
    if apps.get_model('games', 'Turn').objects.exists():
        apps.get_model('games', 'Transition').objects.get_or_create(name='played-turns-as-rows')


class Migration(migrations.Migration):
    """What the release before needs as it was."""

    dependencies = [
        ('games', '0058_seat_ordered_at'),
    ]

    operations = [
        migrations.CreateModel(
            name='Transition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True)),
            ],
        ),
        migrations.RunPython(note_rows, migrations.RunPython.noop),
    ]
