"""Let staff shorten a sanction; before, they could only undo it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_incidents_and_errors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='conductentry',
            name='deed',
            field=models.CharField(choices=[('opened', 'Case opened'), ('taken', 'Case taken'), ('released', 'Case released'), ('dismissed', 'Reports dismissed'), ('sanctioned', 'Sanction'), ('confirmed', 'Suspension confirmed'), ('shortened', 'Sanction shortened'), ('lifted', 'Sanction lifted'), ('appealed', 'Appeal received'), ('upheld', 'Appeal refused'), ('overturned', 'Sanction overturned')], max_length=10),
        ),
    ]
