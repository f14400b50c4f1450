"""Create the table of clips of turns."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0023_daily_runs'),
    ]

    operations = [
        migrations.CreateModel(
            name='Clip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('number', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('making', 'Making'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=7)),
                ('progress', models.PositiveSmallIntegerField(default=0)),
                ('file', models.BinaryField(null=True)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='clips', to='games.game')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('status__in', ['waiting', 'making'])), fields=['created_at'], name='clips_under_way'), models.Index(fields=['finished_at'], name='clips_by_end')],
                'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='clip_once_a_turn'), models.CheckConstraint(condition=models.Q(('progress__lte', 100)), name='clip_progress_in_percent'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('status__in', ['waiting', 'making'])), models.Q(('finished_at__isnull', False), ('status__in', ['done', 'failed'])), _connector='OR'), name='clip_under_way_or_finished'), models.CheckConstraint(condition=models.Q(models.Q(('file__isnull', False), ('status', 'done')), models.Q(models.Q(('status', 'done'), _negated=True), ('file', None)), _connector='OR'), name='clip_done_has_a_file')],
            },
        ),
    ]
