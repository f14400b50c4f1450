from django.db import migrations, models


class Migration(migrations.Migration):
    """Drafts have secret links, and a copy of another person's draft keeps what that was called."""

    dependencies = [
        ('games', '0066_moderations'),
    ]

    operations = [
        migrations.AddField(
            model_name='starshipdraft',
            name='link_token',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddField(
            model_name='starshipdraft',
            name='parent_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
        migrations.AddConstraint(
            model_name='starshipdraft',
            constraint=models.UniqueConstraint(
                condition=models.Q(('link_token', ''), _negated=True),
                fields=('link_token',),
                name='starship_draft_link_unique',
            ),
        ),
    ]
