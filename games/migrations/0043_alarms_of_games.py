import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The game that an alarm is about. Apart from what is about turns: who plays a turn holds both tables."""

    dependencies = [
        ('games', '0042_tokens_expire'),
    ]

    operations = [
        migrations.AddField(
            model_name='alarm',
            name='game',
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game'
            ),
        ),
    ]
