from django.db import migrations, models


class Migration(migrations.Migration):
    """Since when a game shows its heads. Apart from the turns' columns: who plays a turn holds both tables."""

    dependencies = [
        ('games', '0039_heads'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='heads_from',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
