"""Let games begin at positions; before, all games began at the start of their ruleset."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0025_analyses'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='origin',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='played_on', to='games.game'),
        ),
        migrations.AddField(
            model_name='game',
            name='origin_turn',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='position',
            field=models.JSONField(help_text='The position at which it began, as a position/1 document.', null=True),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('position__isnull', True), models.Q(('position__format', 'position/1'), ('position__has_key', 'format')), _connector='OR'), name='game_position_has_its_format'),
        ),
    ]
