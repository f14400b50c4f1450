"""JSON documents as text for people."""

import json

from django.utils.html import format_html
from django.utils.safestring import SafeString

import rules
from games.fleet.models import StarshipRevision
from games.fleet.stored import starship_of
from games.shipyard.drawings import sketch_of
from games.shipyard.models import StarshipDraft
from rules.sketch import aligned


def pretty(document: object) -> str:
    """Return a document as text; of a starship every row has a line of its own."""
    return json.dumps(document, indent=2, ensure_ascii=False)


def starship_text(revision: StarshipRevision) -> str:
    """Return a board as starship/1, its keys in order and its columns aligned."""
    return pretty(rules.write_starship(starship_of(revision)))


def draft_text(draft: StarshipDraft) -> str:
    """Return a draft as starship/1, its columns aligned, whatever is wrong with its cells."""
    return pretty({**draft.document, "name": draft.name, "rows": aligned(sketch_of(draft))})


def shown(text: str) -> SafeString:
    """Return the text of a document as it stands in a page."""
    return format_html('<pre class="document">{}</pre>', text)
