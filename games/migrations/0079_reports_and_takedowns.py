import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

NO_LINK = 'starship_draft_taken_down_has_no_link'


class Migration(migrations.Migration):
    """Reports of people to staff, and ships that staff take down.

    Each table is locked alone: where two are, in the other order than that of a game's queries, some would fail.
    """

    atomic = False

    dependencies = [
        ('games', '0076_wins_of_runs'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='starship',
            name='taken_down_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='starshipdraft',
            name='taken_down_at',
            field=models.DateTimeField(null=True),
        ),
        AddConstraintNotValid(
            model_name='starshipdraft',
            constraint=models.CheckConstraint(condition=Q(('taken_down_at', None), ('link_token', ''), _connector='OR'), name=NO_LINK),
        ),
        ValidateConstraint(model_name='starshipdraft', name=NO_LINK),
        migrations.AddField(
            model_name='prototype',
            name='taken_from',
            field=models.CharField(blank=True, choices=[('testing', 'Being tested'), ('ready', 'With the design committee'), ('launched', 'In the fleet'), ('closed', 'Closed'), ('idle', 'Left its bay'), ('taken-down', 'Taken down')], db_default='', default='', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='prototype',
            constraint=models.CheckConstraint(condition=Q(Q(('status', 'taken-down'), Q(('taken_from__in', ['', 'taken-down']), _negated=True)), Q(Q(('status', 'taken-down'), _negated=True), ('taken_from', '')), _connector='OR'), name='prototype_taken_down_from_a_status'),
        ),
        migrations.AddField(
            model_name='moderation',
            name='draft',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='moderations', to='games.starshipdraft'),
        ),
        migrations.AlterField(
            model_name='moderation',
            name='action',
            field=models.CharField(choices=[('hide', 'Review hidden'), ('show', 'Review shown again'), ('release', 'Review released'), ('take-down', 'Ship taken down'), ('restore', 'Ship restored'), ('dismiss', 'Reports dismissed')], max_length=10),
        ),
        migrations.AlterField(
            model_name='moderation',
            name='starship',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='moderations', to='games.starship'),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='status',
            field=models.CharField(choices=[('open', 'Waiting for a decision'), ('promoted', 'Promoted'), ('sent-back', 'Sent back'), ('closed', 'Closed'), ('taken-back', 'Taken back by its builder'), ('taken-down', 'Taken down by staff')], default='open', max_length=10),
        ),
        migrations.RemoveIndex(
            model_name='promotion',
            name='promotions_decided',
        ),
        migrations.AddIndex(
            model_name='promotion',
            index=models.Index(condition=Q(('status__in', ['promoted', 'sent-back', 'closed', 'taken-down'])), fields=['-ended_at'], name='promotions_decided'),
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('copied', 'Copied from another builder'), ('offensive', 'Offensive'), ('unplayable', 'Unplayable on purpose'), ('other', 'Something else')], max_length=10)),
                ('text', models.TextField(blank=True, max_length=1000)),
                ('created_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, choices=[('taken-down', 'Taken down'), ('dismissed', 'Dismissed')], max_length=10)),
                ('draft', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.starshipdraft')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('review', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.review')),
                ('starship', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.starship')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'indexes': [
                    models.Index(fields=['reporter', '-created_at'], name='reports_of_a_person'),
                    models.Index(condition=Q(('closed_at', None)), fields=['created_at'], name='reports_open'),
                    models.Index(condition=Q(('closed_at__isnull', False)), fields=['closed_at'], name='reports_closed'),
                ],
                'constraints': [
                    models.UniqueConstraint(condition=Q(('closed_at', None), ('starship__isnull', False)), fields=('reporter', 'starship'), name='report_of_a_starship_open_once'),
                    models.UniqueConstraint(condition=Q(('closed_at', None), ('draft__isnull', False)), fields=('reporter', 'draft'), name='report_of_a_draft_open_once'),
                    models.UniqueConstraint(condition=Q(('closed_at', None), ('review__isnull', False)), fields=('reporter', 'review'), name='report_of_a_review_open_once'),
                    models.CheckConstraint(condition=Q(Q(('draft', None), ('review', None), ('starship__isnull', False)), Q(('draft__isnull', False), ('review', None), ('starship', None)), Q(('draft', None), ('review__isnull', False), ('starship', None)), _connector='OR'), name='report_about_one_thing'),
                    models.CheckConstraint(condition=Q(Q(('closed_at', None), ('outcome', '')), Q(('closed_at__isnull', False), Q(('outcome', ''), _negated=True)), _connector='OR'), name='report_open_or_decided'),
                ],
            },
        ),
    ]
