import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Starships that people draw, with every version that they saved."""

    dependencies = [
        ('games', '0060_rows_of_a_game'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DraftFlight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='DraftVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=80)),
                ('ruleset', models.CharField(blank=True, max_length=40)),
                ('players', models.PositiveSmallIntegerField(default=4)),
                ('document', models.JSONField(help_text='A starship/1 document, in which cells may be wrong.')),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('saved_at', models.DateTimeField()),
                ('number', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ['draft', '-number'],
            },
        ),
        migrations.CreateModel(
            name='StarshipDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=80)),
                ('ruleset', models.CharField(blank=True, max_length=40)),
                ('players', models.PositiveSmallIntegerField(default=4)),
                ('document', models.JSONField(help_text='A starship/1 document, in which cells may be wrong.')),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('saved_at', models.DateTimeField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
                ('parent_version', models.PositiveIntegerField(null=True)),
            ],
            options={
                'ordering': ['-saved_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='draftflight',
            name='game',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='draft_flight', to='games.game'),
        ),
        migrations.AddField(
            model_name='starshipdraft',
            name='parent_draft',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.starshipdraft'),
        ),
        migrations.AddField(
            model_name='starshipdraft',
            name='parent_revision',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.starshiprevision'),
        ),
        migrations.AddField(
            model_name='starshipdraft',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='starship_drafts', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='draftversion',
            name='draft',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='games.starshipdraft'),
        ),
        migrations.AddField(
            model_name='draftflight',
            name='draft',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flights', to='games.starshipdraft'),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=models.Q(('document__format', 'starship/1'), ('document__has_key', 'format')), name='starship_draft_has_its_format'),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=models.Q(('height__range', (1, 100)), ('width__range', (1, 100))), name='starship_draft_has_a_size'),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=models.Q(('players__range', (1, 8))), name='starship_draft_has_players'),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='starship_draft_counted_from_1'),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=models.Q(('parent_revision', None), ('parent_draft', None), _connector='OR'), name='starship_draft_has_one_parent'),
        ),
        migrations.AddConstraint(
            model_name='draftversion',
            constraint=models.UniqueConstraint(fields=('draft', 'number'), name='draft_version_unique'),
        ),
        migrations.AddConstraint(
            model_name='draftversion',
            constraint=models.CheckConstraint(condition=models.Q(('document__format', 'starship/1'), ('document__has_key', 'format')), name='draft_version_has_its_format'),
        ),
        migrations.AddConstraint(
            model_name='draftversion',
            constraint=models.CheckConstraint(condition=models.Q(('height__range', (1, 100)), ('width__range', (1, 100))), name='draft_version_has_a_size'),
        ),
        migrations.AddConstraint(
            model_name='draftversion',
            constraint=models.CheckConstraint(condition=models.Q(('players__range', (1, 8))), name='draft_version_has_players'),
        ),
        migrations.AddConstraint(
            model_name='draftversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='draft_version_counted_from_1'),
        ),
        migrations.AddConstraint(
            model_name='draftflight',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='draft_flight_of_a_version'),
        ),
    ]
