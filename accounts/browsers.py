"""Browsers and their systems, as people know them: recognised by what a browser calls itself."""

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

BROWSERS: Final = {
    "Edge": r"Edg(?:e|A|iOS)?/",
    "Opera": r"OPR/|Opera",
    "Samsung Internet": r"SamsungBrowser/",
    "Firefox": r"Firefox/|FxiOS/",
    "Chrome": r"Chrom(?:e|ium)/|CriOS/",
    "Safari": r"Safari/",
}
SYSTEMS: Final = {
    "Android": r"Android",
    "iPhone": r"iPhone",
    "iPad": r"iPad",
    "Windows": r"Windows",
    "Mac": r"Mac OS|Macintosh",
    "ChromeOS": r"CrOS",
    "Linux": r"Linux|X11",
}


def recognised(user_agent: str) -> str:
    """Return browser and system as they are kept, each empty if it is unknown.

    >>> recognised("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), recognised("")
    ('Firefox/Linux', '/')
    """
    return f"{_first(BROWSERS, user_agent)}/{_first(SYSTEMS, user_agent)}"


def tell(kept: str) -> str:
    """Return what to call a browser that was recognised.

    >>> tell("Firefox/Linux"), tell("/")
    ('Firefox on Linux', 'Unknown browser')
    """
    browser, _slash, system = kept.partition("/")
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    if system:
        return _("Unknown browser on {system}").format(system=system)
    return browser or _("Unknown browser")


def _first(patterns: Mapping[str, str], text: str) -> str:
    return next((name for name, pattern in patterns.items() if re.search(pattern, text)), "")
