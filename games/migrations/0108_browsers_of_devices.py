from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0107_hidden_starships"),
    ]

    operations = [
        migrations.AddField(
            model_name="device",
            name="browser",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
