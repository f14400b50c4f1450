from typing import Any

from django.db import migrations

from accounts.time_zones import canonical


def give_present_names(apps: Any, schema_editor: Any) -> None:
    """Replace old names of places; both have the same clocks, and the release before knows both."""
    people = apps.get_model("accounts", "User").objects
    for old in people.order_by().values_list("time_zone", flat=True).distinct():
        if (new := canonical(old)) != old:
            people.filter(time_zone=old).update(time_zone=new)


class Migration(migrations.Migration):

    dependencies = [("accounts", "0021_account_mail")]

    operations = [migrations.RunPython(give_present_names, migrations.RunPython.noop, elidable=True)]
