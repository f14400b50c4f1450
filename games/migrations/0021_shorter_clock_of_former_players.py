"""Keep the shorter clock of players who leave a game, for their return."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0020_seats_with_a_shorter_clock'),
    ]

    operations = [
        migrations.AddField(
            model_name='replacement',
            name='missed_in_row',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='replacement',
            name='short_clock',
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
