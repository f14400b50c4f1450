
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0027_vacations'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Reliability',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turns', models.PositiveIntegerField(default=0)),
                ('missed', models.PositiveIntegerField(default=0)),
                ('recent', models.CharField(blank=True, max_length=100)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='reliability', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'reliabilities',
                'constraints': [models.CheckConstraint(condition=models.Q(('missed__lte', models.F('turns'))), name='reliability_missed_of_all')],
            },
        ),
    ]
