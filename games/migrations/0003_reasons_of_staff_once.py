"""Keep the reasons of staff in `Intervention` alone. Entries of the history repeated them.

No page ever showed the copy, and the deletion of an account left addresses in it. Going back leaves the
entries without it.
"""

from django.db import migrations

FORGET = """
UPDATE games_lobbyentry SET parameters = '{"format": "entry/1"}' WHERE kind = 'intervened'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_ended_games")]

    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]
