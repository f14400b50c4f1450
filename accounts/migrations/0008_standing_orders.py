from django.db import migrations, models


class Migration(migrations.Migration):
    """Standing orders of people; whoever has given none has what they laid played."""

    dependencies = [
        ('accounts', '0007_closed_addresses'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='standing',
            field=models.CharField(choices=[('laid', 'As I have laid'), ('ahead', 'Straight ahead'), ('down', 'Power down')], db_default='laid', default='laid', help_text='What is played when I miss a turn, in games that have standing orders.', max_length=10, verbose_name='standing orders'),
        ),
    ]
