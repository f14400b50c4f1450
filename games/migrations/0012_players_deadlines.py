from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Players' own deadlines, and banks of time. A hand without one has its turn's, as before."""

    atomic = False

    dependencies = [
        ('games', '0011_pace_with_banks'),
    ]

    operations = [
        migrations.AddField(
            model_name='hand',
            name='deadline',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='bank',
            field=models.DurationField(help_text="Time in the player's bank, in games that have banks.", null=True),
        ),
        AddIndexConcurrently(
            model_name='hand',
            index=models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='hands_due'),
        ),
    ]
