from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_newest_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='shows_accuracy',
            field=models.CharField(choices=[('everybody', 'Everyone'), ('players', 'Fellow players'), ('nobody', 'Only me')], db_default='nobody', default='nobody', help_text='Your accuracy and luck in analysed public games.', max_length=10, verbose_name='accuracy and luck'),
        ),
    ]
