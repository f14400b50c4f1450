from django.db import migrations, models


class Migration(migrations.Migration):
    """When players last gave orders, which their programs do not tell for long."""

    dependencies = [
        ('games', '0057_played_turns_checked'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='ordered_at',
            field=models.DateTimeField(help_text='When its player last gave orders.', null=True),
        ),
    ]
