"""Let hosts rule out sitters in a tournament; before, all tournaments allowed them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0021_shorter_clock_of_former_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='sitters',
            field=models.BooleanField(db_default=True, default=True, help_text='Players can have sitters, who order for them.'),
        ),
    ]
