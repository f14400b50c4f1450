"""What things are, in a sentence each: for ``data-tip``, and of cells for the page's script."""

from django import template
from django.utils.safestring import SafeString

import rules
from games.play.pages.tips import CHIPS, PIECES, tips_script

register = template.Library()


@register.simple_tag
def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return what is in each cell as JSON, for tips.js: once in a page that shows the board."""
    return tips_script(ship, ruleset)


@register.filter
def chip_tip(kind: str) -> str:
    """Say what a chip has a robot do.

    >>> chip_tip("L")
    'Turn left: a quarter turn on the spot.'
    """
    return str(CHIPS.get(kind, ""))


@register.filter
def tip(piece: str) -> str:
    """Say what a thing around the board is; nothing of what explains itself.

    >>> tip("lives")
    'Lives left, including this one. A robot that loses its last life is out of the game.'
    """
    return str(PIECES.get(piece, ""))
