from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def make_group(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the group of those who decide about promotions; one that is there already keeps its members.

    Permissions are otherwise made after all migrations, when it would be too late for the group.
    """
    types = apps.get_model('contenttypes', 'ContentType').objects
    promotion, _ = types.get_or_create(app_label='games', model='promotion')
    permission, _ = apps.get_model('auth', 'Permission').objects.get_or_create(
        content_type=promotion,
        codename='decide_promotion',
        defaults={'name': 'Can decide about promotions, as the design committee'},
    )
    group, _ = apps.get_model('auth', 'Group').objects.get_or_create(name='Design committee')
    group.permissions.add(permission)


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('games', '0069_promotions'),
    ]

    operations = [migrations.RunPython(make_group, migrations.RunPython.noop, elidable=False)]
