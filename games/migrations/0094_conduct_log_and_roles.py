from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FORTH = """
CREATE FUNCTION games_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Entries of the conduct log are never changed or deleted';
END
$$;
CREATE TRIGGER conduct_log_is_kept BEFORE UPDATE OR DELETE ON games_conductentry
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
"""
BACK = """
DROP TRIGGER conduct_log_is_kept ON games_conductentry;
DROP FUNCTION games_refuse_change();
"""

LOOK = ['view_case', 'change_case', 'view_sanction', 'change_sanction', 'view_appeal', 'change_appeal']
ROLES = {
    'Helper': [*LOOK, 'hide_and_warn'],
    'Arbiter': [*LOOK, 'hide_and_warn', 'bar_players'],
    'Moderator': [*LOOK, 'hide_and_warn', 'bar_players', 'moderate_players', 'view_conductentry'],
}


def make_roles(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make a group for each role, whose permissions superusers may change later."""
    games = apps.get_app_config('games')
    games.models_module = True  # type: ignore[assignment]  # so that permissions are made before migrations end
    create_permissions(games, apps=apps, verbosity=0)
    games.models_module = None
    permissions = apps.get_model('auth', 'Permission').objects.filter(content_type__app_label='games')
    for name, codes in ROLES.items():
        group, made = apps.get_model('auth', 'Group').objects.get_or_create(name=name)
        if made:
            group.permissions.set(permissions.filter(codename__in=codes))


class Migration(migrations.Migration):
    dependencies = [
        ('games', '0093_conduct'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
    ]

    operations = [
        migrations.RunSQL(FORTH, BACK),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
