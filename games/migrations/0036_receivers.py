from django.db import migrations, models


class Migration(migrations.Migration):
    """Calls to machines outside: a slow one keeps nobody waiting but its own."""

    dependencies = [
        ('games', '0035_unanswered'),
    ]

    operations = [
        migrations.CreateModel(
            name='Receiver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=300)),
                ('slot', models.PositiveSmallIntegerField()),
                ('busy_until', models.DateTimeField()),
                ('failures', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'slot'), name='receiver_slot_once')],
            },
        ),
        migrations.AddField(
            model_name='notice',
            name='waits_for',
            field=models.CharField(blank=True, db_default='', default='', max_length=300),
        ),
    ]
