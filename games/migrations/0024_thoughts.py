from django.db import migrations, models


class Migration(migrations.Migration):
    """A column with a default in the database."""

    dependencies = [
        ('games', '0023_interventions'),
    ]

    operations = [
        migrations.AddField(
            model_name='hand',
            name='thoughts',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
