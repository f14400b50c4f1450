from django.db import migrations, models


class Migration(migrations.Migration):
    """Heads, which bind the course of a game while it is played; releases before this one leave them empty."""

    dependencies = [
        ('games', '0038_alarms_of_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='turn',
            name='head',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddField(
            model_name='turn',
            name='head_before',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
    ]
