from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_index_of_guests"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClosedAddress",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                (
                    "cause",
                    models.CharField(
                        choices=[("came back", "Mail came back"), ("asked", "Its owner asked for it")], max_length=10
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("closed_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="user",
            name="lobby_mail",
            field=models.BooleanField(
                db_default=True,
                default=True,
                help_text="When somebody invites you, takes you out of a game, or cancels it. Invitations wait in My Room in any case.",
                verbose_name="mail about games that have not started",
            ),
        ),
    ]
