"""Alarms are also about jobs of the sweeper that fail, and about rows that they set aside."""

import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0037_waiting_notices'),
    ]

    operations = [
        migrations.AddField(
            model_name='alarm',
            name='attempts',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='alarm',
            name='error',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='alarm',
            name='job',
            field=models.CharField(blank=True, db_default='', default='', max_length=30, verbose_name='job of the sweeper'),
        ),
        migrations.AddField(
            model_name='alarm',
            name='kind',
            field=models.CharField(blank=True, db_default='', default='', max_length=30),
        ),
        migrations.AddField(
            model_name='alarm',
            name='retry_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='alarm',
            name='row',
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name='alarm',
            name='turn',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alarm', to='games.turn'),
        ),
        migrations.AddConstraint(
            model_name='alarm',
            constraint=models.UniqueConstraint(condition=models.Q(('job', ''), _negated=True), fields=('job', 'row'), name='alarm_once_a_row'),
        ),
        AddConstraintNotValid(
            model_name='alarm',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('job', ''), ('turn__isnull', False)), models.Q(('turn', None), models.Q(('job', ''), _negated=True)), _connector='OR'), name='alarm_of_a_turn_or_a_job'),
        ),
        ValidateConstraint(model_name='alarm', name='alarm_of_a_turn_or_a_job'),
    ]
