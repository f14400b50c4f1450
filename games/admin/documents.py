"""JSON documents as text for people."""

import json

from django.utils.html import format_html
from django.utils.safestring import SafeString


def pretty(document: object) -> str:
    """Return a document as text; of a starship every row has a line of its own."""
    return json.dumps(document, indent=2, ensure_ascii=False)


def shown(document: object) -> SafeString:
    """Return a document as it stands in a page."""
    return format_html('<pre class="document">{}</pre>', pretty(document))
