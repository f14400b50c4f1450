import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Starships that people ask the generator for."""

    dependencies = [
        ('games', '0067_links_of_drafts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ShipSuggestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=40)),
                ('edition', models.PositiveSmallIntegerField()),
                ('players', models.PositiveSmallIntegerField()),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('theme', models.CharField(blank=True, max_length=20)),
                ('symmetry', models.CharField(blank=True, max_length=10)),
                ('seed', models.CharField(max_length=32)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('flying', 'Flying'), ('done', 'Done'), ('cancelled', 'Cancelled'), ('failed', 'Failed')], default='waiting', max_length=9)),
                ('ships', models.PositiveSmallIntegerField(default=0)),
                ('last_flights', models.PositiveSmallIntegerField(default=0)),
                ('flown', models.PositiveIntegerField(default=0)),
                ('search', models.JSONField(null=True)),
                ('found_theme', models.CharField(blank=True, max_length=20)),
                ('document', models.JSONField(null=True)),
                ('report', models.JSONField(null=True)),
                ('sentences', models.JSONField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('pieces', models.PositiveSmallIntegerField(default=0)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ship_suggestions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('status__in', ['waiting', 'flying'])), fields=['created_at'], name='suggestions_under_way')],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('status__in', ['waiting', 'flying'])), fields=('user',), name='suggestion_one_under_way'), 
                    models.CheckConstraint(condition=models.Q(('height__range', (8, 30)), ('width__range', (8, 30))), name='suggestion_has_a_size'), 
                    models.CheckConstraint(condition=models.Q(('players__range', (2, 8))), name='suggestion_has_players'), 
                    models.CheckConstraint(condition=models.Q(('search__isnull', True), models.Q(('search__format', 'search/1'), ('search__has_key', 'format')), _connector='OR'), name='suggestion_search_has_its_format'), 
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), models.Q(('document__isnull', False), ('report__isnull', False), ('sentences__isnull', False), ('document__format', 'starship/1'), ('document__has_key', 'format'), ('report__format', 'tunnel/1'), ('report__has_key', 'format'), ('sentences__format', 'sentences/1'), ('sentences__has_key', 'format'), models.Q(('found_theme', ''), _negated=True)), _connector='OR'), name='suggestion_done_has_a_ship'), 
                    models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('status__in', ['waiting', 'flying'])), models.Q(('finished_at__isnull', False), ('status__in', ['done', 'cancelled', 'failed'])), _connector='OR'), name='suggestion_under_way_or_finished')],
            },
        ),
    ]
