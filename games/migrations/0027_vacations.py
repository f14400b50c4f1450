import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


class Migration(migrations.Migration):
    """Vacations: nobody has planned one yet, and nobody takes one by itself."""

    dependencies = [
        ('games', '0026_votes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='rest',
            name='takes_vacation',
            field=models.BooleanField(db_default=False, default=False, help_text='Takes a day of vacation where none is planned as well.'),
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('planned_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['first', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'first'), name='vacation_begins_once'),
                    models.CheckConstraint(condition=models.Q(('last__gte', F('first'))), name='vacation_lasts'),
                ],
            },
        ),
        migrations.CreateModel(
            name='VacationDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('planned', models.BooleanField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacation_days', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['began_at', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'began_at'), name='vacation_day_spent_once'),
                ],
            },
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'A turn waits for you'), ('over', 'The game is over'), ('reminder', 'Time is running out'), ('mention', 'You are spoken to in the chat'), ('vote', 'Your vote is asked for'), ('away', 'Somebody is on vacation'), ('outage', 'The service was away'), ('invited', 'You are invited'), ('removed', 'You were taken out of the game'), ('cancelled', 'The game was cancelled')], max_length=10),
        ),
    ]
