import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What staff did about games: a table of its own, and a column with a default in the database."""

    dependencies = [
        ('games', '0022_webhooks'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='intervened',
            field=models.BooleanField(db_default=False, default=False, verbose_name='staff intervened'),
        ),
        migrations.CreateModel(
            name='Intervention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(choices=[('resolve', 'Had a turn tried again'), ('extend', 'Put deadlines off'), ('replace', 'Replaced a player'), ('cancel', 'Cancelled the game')], max_length=10)),
                ('reason', models.CharField(max_length=300)),
                ('turn', models.PositiveIntegerField(null=True, verbose_name='number of the turn')),
                ('hours', models.PositiveSmallIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interventions', to='games.game')),
                ('seat', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.seat')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='intervention_has_its_reason'), models.CheckConstraint(condition=models.Q(models.Q(('action', 'extend'), ('hours__isnull', False), ('seat', None)), models.Q(('action', 'replace'), ('hours', None), ('seat__isnull', False)), models.Q(('action__in', ['resolve', 'cancel']), ('hours', None), ('seat', None)), _connector='OR'), name='intervention_tells_what_was_done')],
            },
        ),
    ]
