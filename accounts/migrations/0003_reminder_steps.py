"""Add reminder steps; before, there was only the usual reminder."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_language'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='reminder_hours',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(choices=[(24, '24'), (6, '6'), (1, '1')]), blank=True, db_default=models.Value([], django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), size=None)), default=list, help_text='Before the deadline, while a turn waits for your orders. Turns that are no longer than this time have no such reminder. If you choose none, you get one reminder, when a quarter of your time is left.', size=None, verbose_name='reminders'),
        ),
    ]
