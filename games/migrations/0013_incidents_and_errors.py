"""Add the tables of incidents, the process that watches, and errors."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_backup_runs'),
    ]

    operations = [
        migrations.CreateModel(
            name='ErrorGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64, unique=True)),
                ('kind', models.CharField(max_length=200, verbose_name='error')),
                ('place', models.CharField(max_length=200, verbose_name='place')),
                ('message', models.CharField(blank=True, max_length=500, verbose_name='message')),
                ('traceback', models.TextField(blank=True, verbose_name='traceback')),
                ('origin', models.CharField(blank=True, max_length=100, verbose_name='view or task')),
                ('request', models.CharField(blank=True, max_length=64)),
                ('release', models.CharField(blank=True, max_length=200, verbose_name='release')),
                ('count', models.PositiveBigIntegerField(verbose_name='count')),
                ('first_at', models.DateTimeField(verbose_name='first')),
                ('last_at', models.DateTimeField(verbose_name='last')),
            ],
            options={
                'verbose_name': 'error',
                'verbose_name_plural': 'errors',
                'ordering': ['-last_at', '-pk'],
                'indexes': [models.Index(fields=['last_at'], name='errors_by_time')],
            },
        ),
        migrations.CreateModel(
            name='Incident',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=200)),
                ('detail', models.TextField(blank=True)),
                ('advice', models.TextField(blank=True)),
                ('path', models.CharField(blank=True, max_length=200)),
                ('opened_at', models.DateTimeField(verbose_name='since')),
                ('gone_at', models.DateTimeField(null=True)),
                ('sent_at', models.DateTimeField(null=True, verbose_name='last message')),
                ('messages', models.PositiveIntegerField(default=0, verbose_name='messages sent')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='until')),
            ],
            options={
                'verbose_name': 'incident',
                'verbose_name_plural': 'incidents',
                'ordering': ['-opened_at', '-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('key',), name='incident_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Watcher',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('holder', models.UUIDField()),
                ('lease_until', models.DateTimeField()),
                ('looked_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='watcher_alone')],
            },
        ),
    ]
