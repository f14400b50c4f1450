"""Note who is at the screen in games on one screen; before, each player had a screen of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0028_branches_of_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='at_screen',
            field=models.PositiveSmallIntegerField(help_text='The seat of the player at the screen, in a game on one screen; 0 if no hand is shown.', null=True),
        ),
    ]
