from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models

import games.play.models.games


class Migration(migrations.Migration):
    """What becomes of players who miss turns. Games that are there go on as they did: chance plays."""

    atomic = False

    dependencies = [
        ('games', '0030_devices'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='absence',
            field=models.JSONField(db_default=models.Value({'excused': None, 'format': 'absence/1', 'policy': 'random'}, models.JSONField()), default=games.play.models.games.usual_absence, help_text='What becomes of players who miss turns, as an absence/1 document.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='clean_turns',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='How many turns in a row were in time, towards one more of these.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='excused',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='How many turns its player may miss yet without being replaced.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='standing',
            field=models.CharField(blank=True, choices=[('laid', 'As I have laid'), ('ahead', 'Straight ahead'), ('down', 'Power down')], db_default='', default='', help_text='Where they are to be others than for all games of this player.', max_length=10, verbose_name='standing orders'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'A turn waits for you'), ('over', 'The game is over'), ('reminder', 'Time is running out'), ('mention', 'You are spoken to in the chat'), ('vote', 'Your vote is asked for'), ('away', 'Somebody is on vacation'), ('outage', 'The service was away'), ('missed', 'You have missed a turn'), ('replaced', 'A computer plays for you'), ('invited', 'You are invited'), ('removed', 'You were taken out of the game'), ('cancelled', 'The game was cancelled')], max_length=10),
        ),
        migrations.AlterField(
            model_name='program',
            name='by',
            field=models.CharField(choices=[('player', 'Player'), ('deadline', 'Deadline'), ('standing', 'Standing orders, since time ran out'), ('stand-in', 'A computer for one turn, since time ran out'), ('computer', 'Computer'), ('chance', 'Chance, since the computer found none')], max_length=10),
        ),
        AddConstraintNotValid(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('absence__format', 'absence/1'), ('absence__has_key', 'format')), name='game_has_its_absence'),
        ),
        ValidateConstraint(model_name='game', name='game_has_its_absence'),
    ]
