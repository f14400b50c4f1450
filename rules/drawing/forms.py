"""The forms that stand for colours, wherever a colour has a meaning."""

from typing import Final

FORMS: Final = {
    "purple": "M0-4.6A4.6 4.6 0 0 1 0 4.6A4.6 4.6 0 0 1 0-4.6z",
    "red": "M0-5.6L5.3 3.8H-5.3z",
    "blue": "M-4.2-4.2H4.2V4.2H-4.2z",
    "yellow": "M0-6L5 0L0 6L-5 0z",
}
"""Circle, triangle, square and diamond, of transporter networks and of squads."""
