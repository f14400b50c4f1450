from typing import Any

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q

UNCONFIRMED = Q(email="", is_guest=False, deleted_at=None)


def take_unconfirmed_addresses(apps: Any, schema_editor: object) -> None:
    """An address is an account's once it is confirmed: take it off sign-ups that wait.

    It stays as allauth's unconfirmed row. Staff keep theirs, and so does an account without any such row: those
    were made by staff.
    """
    User = apps.get_model("accounts", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    own = EmailAddress.objects.filter(user=OuterRef("pk"))
    waiting = User.objects.filter(
        Exists(own), ~Exists(own.filter(verified=True)),
        is_guest=False, deleted_at=None, is_staff=False, is_superuser=False,
    )
    waiting.exclude(email="").update(email="", last_login=None)


def give_them_back(apps: Any, schema_editor: object) -> None:
    """Each address goes to the first sign-up that waits for it; the others are forgotten."""
    User = apps.get_model("accounts", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    for user in User.objects.filter(UNCONFIRMED).order_by("pk"):
        typed = EmailAddress.objects.filter(user=user).first()
        if typed is None or User.objects.filter(email__iexact=typed.email).exists():
            user.delete()
        else:
            User.objects.filter(pk=user.pk).update(email=typed.email)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0010_lookalikes"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(help_text="Nobody else gets to see it. It is empty until it is confirmed.", max_length=254, verbose_name="email address"),
        ),
        migrations.RemoveConstraint(model_name="user", name="guest_without_an_address"),
        migrations.RunPython(take_unconfirmed_addresses, give_them_back, elidable=True),
        AddConstraintNotValid(
            model_name="user",
            constraint=models.CheckConstraint(
                name="guest_without_an_address",
                condition=Q(is_guest=False, deleted_at=None) & ~Q(email="")
                | UNCONFIRMED & Q(is_staff=False, is_superuser=False, last_login=None)
                | Q(is_guest=True, deleted_at=None, email="", is_staff=False)
                | Q(deleted_at__isnull=False, email="", is_guest=False, is_active=False, is_staff=False, is_superuser=False),
            ),
        ),
    ]
