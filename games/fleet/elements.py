"""Elements that make starships different, as the library finds ships by them."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from rules.language import N_

ELEMENTS: Final[Mapping[str, tuple[Promise, frozenset[str]]]] = {
    "beams": (_("Beams"), frozenset({"beam", N_("beam of speed 3")})),
    "twisters": (_("Twisters"), frozenset({"twister"})),
    "lasers": (_("Lasers"), frozenset({"laser"})),
    "shafts": (_("Cooling shafts"), frozenset({"shaft"})),
    "depots": (_("Repair depots"), frozenset({N_("repair depot")})),
    "arms": (_("Docking arms"), frozenset({N_("docking arm")})),
    "slides": (_("Slide rails"), frozenset({N_("slide rail")})),
    "couplings": (_("Power couplings"), frozenset({"coupling"})),
    "bays": (_("Launch bays"), frozenset({N_("launch bay")})),
    "transporters": (_("Transporters"), frozenset({"transporter"})),
    "thrusters": (_("Thrusters"), frozenset({"thruster"})),
    "welding": (_("Hull damage"), frozenset({N_("hull damage")})),
    "crushers": (_("Crushers"), frozenset({"crusher"})),
    "oil": (_("Oil"), frozenset({"oil"})),
    "starts": (_("Start cells"), frozenset({N_("start cell")})),
}
"""By key, what they are called, and the names that the rules have for them."""


def elements_on(ship: rules.Starship) -> list[str]:
    """Return the keys of `ELEMENTS` that stand on a board, in their order."""
    return [key for key, (_name, names) in ELEMENTS.items() if names & ship.elements.keys()]
