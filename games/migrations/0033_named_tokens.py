from django.db import migrations, models


class Migration(migrations.Migration):
    """What people call their tokens; while the version before makes some without."""

    dependencies = [
        ('games', '0032_least_reliability'),
    ]

    operations = [
        migrations.AddField(
            model_name='apitoken',
            name='name',
            field=models.CharField(
                blank=True, db_default='', default='', help_text='What its owner calls it.', max_length=40
            ),
        ),
    ]
