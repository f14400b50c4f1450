import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_support'),
    ]

    operations = [
        migrations.CreateModel(
            name='InvitationLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=64, unique=True)),
                ('most', models.PositiveSmallIntegerField(verbose_name='people')),
                ('made_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(db_index=True, verbose_name='ends')),
            ],
            options={
                'verbose_name': 'invitation link',
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sign_up', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(db_index=True)),
                ('network', models.GenericIPAddressField(null=True)),
                ('status', models.CharField(choices=[('new', 'not confirmed'), ('waiting', 'waits for staff'), ('admitted', 'admitted')], default='new', max_length=10)),
                ('waits_since', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'sign-up',
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='SignUpBlock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('domain', 'mail domain'), ('address', 'email address'), ('network', 'network'), ('allowed', 'allowed mail domain')], max_length=10)),
                ('value', models.CharField(help_text='Such as example.org, someone@example.org or 203.0.113.0/24.', max_length=254)),
                ('reason', models.CharField(blank=True, help_text='Only staff can read it.', max_length=300)),
                ('made_at', models.DateTimeField(editable=False)),
                ('ends_at', models.DateTimeField(blank=True, help_text='Empty: it stays.', null=True, verbose_name='ends')),
            ],
            options={
                'verbose_name': 'sign-up block',
                'ordering': ['kind', 'value'],
            },
        ),
        migrations.CreateModel(
            name='SignUpRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(blank=True, choices=[('open', 'Open to everyone'), ('invited', 'By invitation'), ('approved', 'Staff approve each account'), ('closed', 'Closed')], help_text='Empty: as in SIGN_UP.', max_length=10, verbose_name='sign-up')),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'sign-up rule',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ThrowawayDomain',
            fields=[
                ('domain', models.CharField(max_length=253, primary_key=True, serialize=False)),
            ],
        ),
        migrations.AddField(
            model_name='invitationlink',
            name='made_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitation_links', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='signup',
            name='invitation',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sign_ups', to='accounts.invitationlink'),
        ),
        migrations.AddField(
            model_name='signupblock',
            name='by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='signuprule',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='signup',
            index=models.Index(condition=models.Q(('status', 'waiting')), fields=['waits_since'], name='sign_ups_waiting'),
        ),
        migrations.AddConstraint(
            model_name='signupblock',
            constraint=models.UniqueConstraint(fields=('kind', 'value'), name='sign_up_block_once'),
        ),
    ]
