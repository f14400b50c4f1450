import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Starships of people, and their prototypes.

    Each table is locked alone: where two are, in the other order than that of a game's queries, some would fail.
    """

    atomic = False

    dependencies = [
        ('games', '0063_wind_tunnel_runs'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='starship',
            name='owner',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='starships', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='starshiprevision',
            name='prototype',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='starship',
            name='section',
            field=models.CharField(choices=[('missions', 'Training missions'), ('fleet', 'Fleet'), ('prototypes', 'Prototypes')], max_length=20),
        ),
        migrations.CreateModel(
            name='Prototype',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('draft_version', models.PositiveIntegerField()),
                ('ruleset', models.CharField(max_length=40)),
                ('players', models.PositiveSmallIntegerField()),
                ('licence', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('testing', 'Being tested'), ('ready', 'With the design committee'), ('launched', 'In the fleet'), ('closed', 'Closed'), ('idle', 'Left its bay'), ('taken-down', 'Taken down')], default='testing', max_length=10)),
                ('published_at', models.DateTimeField()),
                ('used_at', models.DateTimeField()),
                ('warned_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('draft', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='prototypes', to='games.starshipdraft')),
                ('starship', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='prototype', to='games.starship')),
            ],
            options={
                'ordering': ['-published_at', '-pk'],
                'indexes': [models.Index(condition=models.Q(('status__in', ['testing', 'ready'])), fields=['used_at'], name='prototypes_in_bays')],
                'constraints': [models.CheckConstraint(condition=models.Q(('draft_version__gte', 1)), name='prototype_counted_from_1'), models.CheckConstraint(condition=models.Q(('players__range', (1, 8))), name='prototype_has_players'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('status__in', ['testing', 'ready'])), models.Q(('ended_at__isnull', False), ('status__in', ['launched', 'closed', 'idle', 'taken-down'])), _connector='OR'), name='prototype_in_its_bay_or_ended')],
            },
        ),
    ]
