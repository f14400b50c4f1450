from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('accounts', '0005_sign_ups'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='user',
            index=models.Index(condition=models.Q(('deleted_at', None)), fields=['date_joined'], name='newest'),
        ),
    ]
