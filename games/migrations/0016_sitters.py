"""Add sitters; before, only players ordered."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_group_channels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='sitters',
            field=models.BooleanField(db_default=True, default=True, help_text='Players can have sitters, who order for them.'),
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('begins_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('asked_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sitters', to=settings.AUTH_USER_MODEL)),
                ('sitter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['first', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SitterTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turn', models.PositiveIntegerField()),
                ('orders', models.JSONField()),
                ('chips', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(blank=True, max_length=1), default=list, size=None)),
                ('ordered_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='games.sitting')),
            ],
            options={
                'ordering': ['-ordered_at', '-pk'],
            },
        ),
        migrations.AddIndex(
            model_name='sitting',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['ends_at'], name='sittings_open'),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.CheckConstraint(condition=models.Q(('owner', models.F('sitter')), _negated=True), name='sitting_of_two_people'),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('begins_at')), ('last__gte', models.F('first'))), name='sitting_ends_after_its_start'),
        ),
        migrations.AddConstraint(
            model_name='sitterturn',
            constraint=models.UniqueConstraint(fields=('sitting', 'game', 'turn'), name='sitter_turn_once'),
        ),
        migrations.AddConstraint(
            model_name='sitterturn',
            constraint=models.CheckConstraint(condition=models.Q(('orders__format', 'orders/1'), ('orders__has_key', 'format')), name='sitter_turn_has_its_format'),
        ),
    ]
