from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Lower


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0045_hands_face_down_and_aside"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="invitation", name="invitation_one_each_address"),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                "game", "invited_by", Lower("email"),
                name="invitation_one_each_from_each", condition=~Q(email=""),
            ),
        ),
    ]
