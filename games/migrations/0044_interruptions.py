from django.db import migrations, models


class Migration(migrations.Migration):
    """Attempts that were begun and never ended count apart from those that failed."""

    dependencies = [
        ('games', '0043_alarms_of_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='turn',
            name='interruptions',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
