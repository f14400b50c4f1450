"""Let hosts turn on the shorter clock. Older games do not have it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0018_removals_of_waves'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='shorter_clock',
            field=models.BooleanField(db_default=False, default=False, help_text='Players who miss turns in a row get half the time.'),
        ),
    ]
