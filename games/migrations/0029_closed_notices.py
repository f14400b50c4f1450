from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0028_reliability"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="status",
            field=models.CharField(
                choices=[
                    ("pending", "To be sent"),
                    ("held", "Held back"),
                    ("sent", "Sent"),
                    ("seen", "Seen before it was sent"),
                    ("unwanted", "Not wanted"),
                    ("outdated", "Outdated"),
                    ("closed", "Its address takes no mail"),
                    ("given up", "Given up"),
                ],
                default="pending",
                max_length=10,
            ),
        ),
    ]
