from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    """All turns are as `0056_played_turns` has it."""

    dependencies = [
        ('games', '0056_played_turns'),
    ]

    operations = [
        ValidateConstraint(
            model_name='turn',
            name='turn_tells_what_was_played',
        ),
    ]
