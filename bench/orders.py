"""Orders that trials give by the API."""

from typing import Any


def first_chips(seen: dict[str, Any], me: dict[str, Any]) -> dict[str, Any]:
    """Return orders that the rules mostly allow: the first chips of the hand."""
    if seen["turn"] == 0:
        return {"heading": "E"}
    chips = iter(chip["number"] for chip in seen["me"]["hand"])
    locked = me["locked"]
    registers = [None if str(number) in locked else next(chips, None) for number in range(1, 6)]
    return {"registers": registers} if me["at"] or me["virtual"] else {"registers": registers, "heading": "E"}
