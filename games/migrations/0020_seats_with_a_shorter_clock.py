"""Count missed turns in a row on each seat, for the shorter clock."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0019_shorter_clock'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='missed_in_row',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Missed turns in a row, in games with a shorter clock. It stops at two.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='short_clock',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Turns in a row with orders on time until the player gets the full time again.'),
        ),
    ]
