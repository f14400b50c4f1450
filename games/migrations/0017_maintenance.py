"""Add maintenance of the site, and site notices to its readers."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0016_sitters'),
    ]

    operations = [
        migrations.CreateModel(
            name='SiteNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-starts_at', 'pk'],
                'indexes': [models.Index(fields=['ends_at'], name='site_notices_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='site_notice_lasts')],
            },
        ),
        migrations.CreateModel(
            name='Maintenance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(unique=True)),
                ('until', models.DateTimeField()),
                ('recorded_at', models.DateTimeField(editable=False, null=True, verbose_name='clocks extended at')),
            ],
            options={
                'verbose_name': 'maintenance',
                'verbose_name_plural': 'maintenance',
                'ordering': ['-began_at'],
                'indexes': [models.Index(fields=['until'], name='maintenance_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('until__gt', models.F('began_at'))), name='maintenance_lasts')],
            },
        ),
    ]
