from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    """Turns that were played have a record, in place of states, hands, programs and rows of the log."""

    dependencies = [
        ('games', '0055_browsers_as_recognised'),
    ]

    operations = [
        migrations.AddField(
            model_name='turn',
            name='record',
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name='turn',
            name='first_seq',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='turn',
            name='last_seq',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='turn',
            name='recorded',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='turn',
            name='snapshot',
            field=models.JSONField(null=True),
        ),
        AddConstraintNotValid(
            model_name='turn',
            constraint=models.CheckConstraint(
                condition=Q(
                    ('outcome__isnull', True),
                    ('record', None),
                    ('resolved_at', None),
                    ('status', 'open'),
                    ('snapshot__isnull', False),
                    ('snapshot__format', 'state/1'),
                    ('snapshot__has_key', 'format'),
                )
                | Q(
                    ('record', None),
                    ('resolved_at__isnull', False),
                    ('status', 'resolved'),
                    ('snapshot__isnull', False),
                    ('snapshot__format', 'state/1'),
                    ('snapshot__has_key', 'format'),
                    ('outcome__isnull', False),
                    ('outcome__format', 'state/1'),
                    ('outcome__has_key', 'format'),
                )
                | Q(
                    ('record__isnull', False),
                    ('resolved_at__isnull', False),
                    ('status', 'resolved'),
                    ('outcome__isnull', True),
                    ('snapshot__isnull', True),
                    ('first_seq__isnull', False),
                    ('last_seq__isnull', False),
                    ('first_seq__gte', 1),
                    ('last_seq__gte', F('first_seq') - 1),
                ),
                name='turn_tells_what_was_played',
            ),
        ),
        migrations.RemoveConstraint(
            model_name='turn',
            name='turn_snapshot_has_its_format',
        ),
        migrations.RemoveConstraint(
            model_name='turn',
            name='turn_resolved_with_its_outcome',
        ),
    ]
