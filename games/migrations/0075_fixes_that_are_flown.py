import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Runs of the wind tunnel try what may cure the findings of others."""

    dependencies = [
        ('games', '0074_starship_figures'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tunnelrun',
            name='tunnel_run_one_under_way',
        ),
        migrations.AddField(
            model_name='tunnelrun',
            name='fix',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='tunnelrun',
            name='fix_of',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='fixes', to='games.tunnelrun'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.UniqueConstraint(condition=models.Q(('fix_of__isnull', True), ('status__in', ['waiting', 'flying'])), fields=('asked_by',), name='tunnel_run_one_under_way'),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('fix__isnull', True), ('fix_of__isnull', True)), models.Q(('fix__isnull', False), ('fix_of__isnull', False), ('fix__format', 'fix/1'), ('fix__has_key', 'format')), _connector='OR'), name='tunnel_run_tries_a_fix'),
        ),
    ]
