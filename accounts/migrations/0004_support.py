"""Lock accounts with a reason and an end, and record the outcomes of mail about accounts."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_reminder_steps'),
    ]

    operations = [
        migrations.CreateModel(
            name='MailRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('kind', models.CharField(max_length=80)),
                ('outcome', models.CharField(choices=[('sent', 'Sent'), ('refused', 'Refused: no such mailbox'), ('given up', 'Given up')], max_length=10)),
                ('created_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField()),
                ('error', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['-settled_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='user',
            name='lock_reason',
            field=models.CharField(blank=True, db_default='', default='', editable=False, help_text='The person reads it when they try to log in.', max_length=500, verbose_name='reason for the lock'),
        ),
        migrations.AddField(
            model_name='user',
            name='locked_until',
            field=models.DateTimeField(editable=False, help_text='If it is empty, the account stays locked until staff unlock it.', null=True, verbose_name='locked until'),
        ),
        migrations.AlterField(
            model_name='user',
            name='is_active',
            field=models.BooleanField(default=True, help_text='Can log in.', verbose_name='active'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('locked_until__isnull', False)), fields=['locked_until'], name='locks_that_end'),
        ),
        migrations.AddIndex(
            model_name='mailrecord',
            index=models.Index(fields=['digest'], name='mail_to_an_address'),
        ),
        migrations.AddIndex(
            model_name='mailrecord',
            index=models.Index(fields=['settled_at'], name='mail_by_age'),
        ),
    ]
