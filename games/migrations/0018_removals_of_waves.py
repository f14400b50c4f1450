import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0017_maintenance'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('network', models.CharField(blank=True, max_length=43)),
                ('domain', models.CharField(blank=True, max_length=253, verbose_name='mail domain')),
                ('total', models.PositiveIntegerField(verbose_name='accounts')),
                ('removed', models.PositiveIntegerField(default=0)),
                ('spared', models.PositiveIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'wave of sign-ups',
                'verbose_name_plural': 'waves of sign-ups',
                'ordering': ['-asked_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='RemovalEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.BigIntegerField()),
                ('forced', models.BooleanField(default=False)),
                ('removal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.removal')),
            ],
        ),
        migrations.AddIndex(
            model_name='removal',
            index=models.Index(condition=models.Q(('done_at', None)), fields=['asked_at'], name='removals_under_way'),
        ),
        migrations.AddConstraint(
            model_name='removalentry',
            constraint=models.UniqueConstraint(fields=('removal', 'person'), name='removal_entry_once'),
        ),
    ]
