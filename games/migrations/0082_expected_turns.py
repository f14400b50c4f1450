from django.db import migrations, models


class Migration(migrations.Migration):
    """Starships are found by how long games on them are expected to be."""

    dependencies = [
        ('games', '0081_lists_of_starships'),
    ]

    operations = [
        migrations.AddField(
            model_name='starshipfacts',
            name='turns',
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
