from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def to_parts(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Keep browser and system, in place of words: there are few combinations of them."""
    for devices, name in named(apps):
        if '/' not in name:
            browser, _, system = name.partition(' on ')
            devices.filter(name=name).update(name=f'{browser.removeprefix("A browser")}/{system}')


def to_words(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for devices, name in named(apps):
        if '/' in name:
            browser, _, system = name.partition('/')
            words = f'{browser or "A browser"} on {system}' if system else browser or 'A browser'
            devices.filter(name=name).update(name=words)


def named(apps: StateApps) -> list[tuple[Any, str]]:
    devices = apps.get_model('games', 'Device').objects
    return [(devices, name) for name in devices.values_list('name', flat=True).distinct()]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('games', '0054_names_of_fields'),
    ]

    operations = [
        migrations.RunPython(to_parts, to_words),
    ]
