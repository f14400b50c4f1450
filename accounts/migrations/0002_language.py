"""Let people have a language; before, there was only English."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Pages and mail are in this language, as far as they have been translated.",
                max_length=10,
                verbose_name="language",
            ),
        ),
    ]
