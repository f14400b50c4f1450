import django.db.models.constraints
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0080_notices_about_starships'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StarshipList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('text', models.TextField(blank=True, max_length=500)),
                ('seen_by', models.CharField(choices=[('owner', 'Only you'), ('link', 'Anyone who has its link'), ('everyone', 'Everyone: it is in the library')], default='owner', max_length=10)),
                ('link_token', models.CharField(blank=True, max_length=64)),
                ('size', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='starship_lists', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-changed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='StarshipListEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.starshiplist')),
                ('starship', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='list_entries', to='games.starship')),
            ],
            options={
                'ordering': ['list', 'place'],
            },
        ),
        migrations.AddIndex(
            model_name='starshiplist',
            index=models.Index(condition=models.Q(('seen_by', 'everyone')), fields=['-changed_at', '-id'], name='starship_list_public'),
        ),
        migrations.AddIndex(
            model_name='starshiplist',
            index=models.Index(condition=models.Q(('seen_by', 'everyone')), fields=['-size', '-changed_at', '-id'], name='starship_list_largest'),
        ),
        migrations.AddConstraint(
            model_name='starshiplist',
            constraint=models.UniqueConstraint(models.F('user'), django.db.models.functions.text.Lower('name'), name='starship_list_name_once'),
        ),
        migrations.AddConstraint(
            model_name='starshiplist',
            constraint=models.UniqueConstraint(condition=models.Q(('link_token', ''), _negated=True), fields=('link_token',), name='starship_list_link_unique'),
        ),
        migrations.AddConstraint(
            model_name='starshiplist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('seen_by', 'link'), models.Q(('link_token', ''), _negated=True)), models.Q(models.Q(('seen_by', 'link'), _negated=True), ('link_token', '')), _connector='OR'), name='starship_list_link_where_seen_by_it'),
        ),
        migrations.AddConstraint(
            model_name='starshiplistentry',
            constraint=models.UniqueConstraint(fields=('list', 'starship'), name='starship_once_in_a_list'),
        ),
        migrations.AddConstraint(
            model_name='starshiplistentry',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['DEFERRED'], fields=('list', 'place'), name='starship_list_place_once'),
        ),
        migrations.AddConstraint(
            model_name='starshiplistentry',
            constraint=models.CheckConstraint(condition=models.Q(('place__lt', 50)), name='starship_list_has_room'),
        ),
    ]
