"""Store the reasons of staff only in `Intervention`. Entries of a game's history repeated them.

No page ever showed these copies, and the deletion of an account left addresses in them. Reversing the
migration does not restore the copies.
"""

from django.db import migrations

FORGET = """
UPDATE games_lobbyentry SET parameters = '{"format": "entry/1"}' WHERE kind = 'intervened'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_ended_games")]

    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]
