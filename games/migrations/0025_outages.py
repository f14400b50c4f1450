from django.db import migrations, models
from django.db.models import F


class Migration(migrations.Migration):
    """When the service was away."""

    dependencies = [
        ('games', '0024_thoughts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(unique=True)),
                ('ended_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['-began_at'],
                'indexes': [models.Index(fields=['ended_at'], name='outages_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ended_at__gt', F('began_at'))), name='outage_lasts')],
            },
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'A turn waits for you'), ('over', 'The game is over'), ('reminder', 'Time is running out'), ('mention', 'You are spoken to in the chat'), ('outage', 'The service was away'), ('invited', 'You are invited'), ('removed', 'You were taken out of the game'), ('cancelled', 'The game was cancelled')], max_length=10),
        ),
    ]
