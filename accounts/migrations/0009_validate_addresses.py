from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    """Rows are looked through while they may be read and written."""

    dependencies = [
        ('accounts', '0008_standing_orders'),
    ]

    operations = [
        ValidateConstraint(model_name='user', name='guest_without_an_address'),
    ]
