"""Chips, lists to choose them from, and meters: each drawn once, as pages have dozens of them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag
def chip(kind: str, number: int | str = "", *, small: object = False, locked: object = False) -> SafeString:
    """Draw a chip; one that lies in a locked register has no number to be chosen by."""
    return _chip(kind, number, bool(small), bool(locked), get_language(), static("site/chips.svg"))


@register.filter
def chip_name(kind: str) -> SafeString:
    """Say what a kind of chip is called.

    >>> chip_name("L")
    'Turn left'
    """
    return _name(kind, get_language())


@register.simple_tag
def chip_options(
    hand: Iterable[Mapping[str, Any]], chosen: int | str | None, *, by_name: object
) -> SafeString:
    """List the chips of a hand to choose from; ``by_name`` where their numbers do not matter first."""
    language = get_language()
    return SafeString(
        "".join(
            _option(
                chip["value"], chip["kind"], chip["number"], chip["value"] == chosen, bool(by_name), language
            )
            for chip in hand
        )
    )


@register.simple_tag
def meter(left: int, of: int, *, name: str = "") -> SafeString:
    """Draw what is left of a robot's health; ``name`` is the tip's."""
    return _meter(left, of, name, get_language())


@lru_cache(maxsize=1024)
def _meter(left: int, of: int, name: str, language: str | None) -> SafeString:
    return render_to_string("components/meter.html", {"left": left, "of": of, "name": name})


@lru_cache(maxsize=4096)
def _option(
    value: int | str, kind: str, number: int | str, chosen: bool, by_name: bool, language: str | None
) -> SafeString:
    name = _name(kind, language)
    text = f"{number} {name}" if not by_name else f"{name} ({number})" if number else name
    selected = SafeString(" selected") if chosen else ""
    return format_html('<option value="{}" data-kind="{}"{}>{}</option>', value, kind, selected, text)


@lru_cache(maxsize=4096)
def _chip(
    kind: str, number: int | str, small: bool, locked: bool, language: str | None, picture: str
) -> SafeString:
    """Return a chip in a language, with its ``picture`` where the service has it now."""
    context = {"kind": kind, "number": number, "small": small, "locked": locked}
    return render_to_string("components/chip.html", context)


@lru_cache(maxsize=64)
def _name(kind: str, language: str | None) -> SafeString:
    return SafeString(render_to_string("components/chip_name.html", {"kind": kind}).strip())
