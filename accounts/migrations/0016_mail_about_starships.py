from django.db import migrations, models


class Migration(migrations.Migration):
    """People choose whether they get mail about starships."""

    dependencies = [
        ('accounts', '0015_names_of_fields'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='starship_mail',
            field=models.BooleanField(db_default=True, default=True, help_text='Reviews and answers, what becomes of your prototypes, and what waits for you on the design committee. It comes once a day if your mail about games does, and at once if not.', verbose_name='mail about starships'),
        ),
    ]
