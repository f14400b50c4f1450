"""What is said of the cells of a board, for the page's script."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

import rules
from games.views.tips import board_tips as tips_of

register = template.Library()


@register.simple_tag
def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return what is in each cell as JSON, for tips.js: once in a page that shows the board."""
    return SafeString(json_script(tips_of(ship, ruleset), "board-tips"))
