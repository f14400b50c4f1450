from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Runs of the wind tunnel tell who wins while they are flown."""

    dependencies = [
        ('games', '0075_fixes_that_are_flown'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='tunnelrun',
            name='wins',
            field=models.JSONField(null=True),
        ),
        migrations.AddConstraint(
            model_name='tunnelrun',
            constraint=models.CheckConstraint(condition=models.Q(('wins__isnull', True), models.Q(('wins__format', 'wins/1'), ('wins__has_key', 'format')), _connector='OR'), name='tunnel_run_wins_have_their_format'),
        ),
    ]
