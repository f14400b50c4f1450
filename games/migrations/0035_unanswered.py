from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def tell_webhooks_apart(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """What a person's own webhook has not taken waits for no staff; few rows, found by their index."""
    notices = apps.get_model('games', 'Notice').objects
    refused = notices.filter(status='given up', channel='webhook', last_error__startswith='Undeliverable')
    refused.update(status='unanswered')


class Migration(migrations.Migration):
    """Notices that somebody's own webhook did not take."""

    dependencies = [
        ('games', '0034_orders_without_joins'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='status',
            field=models.CharField(
                choices=[
                    ('pending', 'To be sent'),
                    ('held', 'Held back'),
                    ('sent', 'Sent'),
                    ('seen', 'Seen before it was sent'),
                    ('unwanted', 'Not wanted'),
                    ('outdated', 'Outdated'),
                    ('closed', 'Its address takes no mail'),
                    ('unanswered', 'Its person’s webhook did not take it'),
                    ('given up', 'Given up'),
                ],
                default='pending',
                max_length=10,
            ),
        ),
        migrations.RunPython(tell_webhooks_apart, migrations.RunPython.noop),
    ]
