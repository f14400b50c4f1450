import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    """When players' clocks stand still. A hand without a calendar has a clock that nothing stops, as before."""

    atomic = False

    dependencies = [
        ('games', '0013_seats_that_pass_on'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Rest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days_off', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, help_text='Days of the week, from 0 for Monday to 6.', size=3)),
                ('night_from', models.TimeField(blank=True, null=True)),
                ('night_until', models.TimeField(blank=True, null=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rest', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=Q(('days_off__contained_by', [0, 1, 2, 3, 4, 5, 6]), ('days_off__len__lte', 3)), name='rest_on_days_of_the_week'),
                    models.CheckConstraint(condition=Q(Q(('night_from', None), ('night_until', None)), Q(('night_from__isnull', False), ('night_until__isnull', False), Q(('night_from', F('night_until')), _negated=True)), _connector='OR'), name='rest_of_a_night_that_begins_and_ends'),
                ],
            },
        ),
        migrations.AddField(
            model_name='hand',
            name='calendar',
            field=models.JSONField(null=True),
        ),
        AddConstraintNotValid(
            model_name='hand',
            constraint=models.CheckConstraint(condition=Q(('calendar', None), Q(('calendar__format', 'calendar/1'), ('calendar__has_key', 'format')), _connector='OR'), name='hand_calendar_has_its_format'),
        ),
        ValidateConstraint(
            model_name='hand',
            name='hand_calendar_has_its_format',
        ),
    ]
