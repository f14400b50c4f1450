import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Runs of drafts in the wind tunnel, and the batches of flights that workers fly."""

    dependencies = [
        ('games', '0062_test_flights'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TunnelRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('document', models.JSONField()),
                ('ruleset', models.CharField(max_length=40)),
                ('edition', models.PositiveSmallIntegerField()),
                ('players', models.PositiveSmallIntegerField()),
                ('flights', models.PositiveSmallIntegerField()),
                ('seed', models.CharField(max_length=32)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('flying', 'Flying'), ('done', 'Done'), ('cancelled', 'Cancelled'), ('failed', 'Failed')], default='waiting', max_length=9)),
                ('flown', models.PositiveSmallIntegerField(default=0)),
                ('report', models.JSONField(null=True)),
                ('sentences', models.JSONField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tunnel_runs', to=settings.AUTH_USER_MODEL)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tunnel_runs', to='games.starshipdraft')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='TunnelBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.PositiveSmallIntegerField()),
                ('count', models.PositiveSmallIntegerField()),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('flights', models.JSONField(null=True)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='games.tunnelrun')),
            ],
            options={
                'ordering': ['run', 'first'],
            },
        ),
        migrations.AddIndex(
            model_name='tunnelrun',
            index=models.Index(condition=models.Q(('status__in', ['waiting', 'flying'])), fields=['created_at'], name='tunnel_runs_under_way'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['waiting', 'flying'])), fields=('asked_by',), name='tunnel_run_one_under_way'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('document__format', 'starship/1'), ('document__has_key', 'format')), name='tunnel_run_has_its_format'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('report__isnull', True), models.Q(('report__format', 'tunnel/1'), ('report__has_key', 'format')), _connector='OR'), name='tunnel_run_report_has_its_format'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('sentences__isnull', True), models.Q(('sentences__format', 'sentences/1'), ('sentences__has_key', 'format')), _connector='OR'), name='tunnel_run_sentences_have_their_format'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('report__isnull', True), ('sentences__isnull', True)), models.Q(('report__isnull', False), ('sentences__isnull', False)), _connector='OR'), name='tunnel_run_report_has_sentences'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='tunnel_run_counted_from_1'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('players__range', (2, 8))), name='tunnel_run_has_players'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('flights__range', (1, 1000)), ('flown__lte', models.F('flights'))), name='tunnel_run_has_flights'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('status__in', ['waiting', 'flying'])), models.Q(('finished_at__isnull', False), ('status__in', ['done', 'cancelled', 'failed'])), _connector='OR'), name='tunnel_run_under_way_or_finished'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), ('report__isnull', False), _connector='OR'), name='tunnel_run_done_has_a_report'),
        ),
        migrations.AddIndex(
            model_name='tunnelbatch',
            index=models.Index(condition=models.Q(('flights__isnull', True)), fields=['run', 'lease_until'], name='tunnel_batches_to_fly'),
        ),
        migrations.AddConstraint(
            model_name='tunnelbatch',
            constraint=models.UniqueConstraint(fields=('run', 'first'), name='tunnel_batch_unique'),
        ),
        migrations.AddConstraint(
            model_name='tunnelbatch',
            constraint=models.CheckConstraint(condition=models.Q(('count__gte', 1)), name='tunnel_batch_has_flights'),
        ),
        migrations.AddConstraint(
            model_name='tunnelbatch',
            constraint=models.CheckConstraint(condition=models.Q(('flights__isnull', True), models.Q(('flights__format', 'flights/1'), ('flights__has_key', 'format')), _connector='OR'), name='tunnel_batch_has_its_format'),
        ),
    ]
