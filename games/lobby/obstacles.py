"""What keeps a game from starting, said to pages and programs alike."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from games.wording import joined


def not_ready(names: list[str]) -> str:
    told = ngettext("{players} is not ready yet.", "{players} are not ready yet.", len(names))
    return told.format(players=joined(names))


def too_few(ruleset: rules.Ruleset) -> str:
    """Say how many players a ruleset needs."""
    return _("{ruleset} needs at least {least} players.").format(ruleset=ruleset.name, least=ruleset.seats[0])
