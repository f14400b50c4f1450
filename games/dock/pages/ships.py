"""What the page of a starship tells of it as a prototype."""

from typing import Any

from games.dock.selectors.prototypes import flown_by_people, parent_in_library, prototype_facts
from games.fleet.models import Starship
from games.play.selectors.viewers import Viewer


def prototype_panel(*, viewer: Viewer, starship: Starship) -> dict[str, Any]:
    """Return what there is to tell of a starship as a prototype, or as one that has ended; else nothing."""
    found = prototype_facts(starship=starship)
    if found is None:
        return {}
    return {
        "prototype": found,
        "builds_it": starship.owner_id is not None and starship.owner_id == getattr(viewer, "pk", None),
        "flown": flown_by_people([found]).get(starship.pk, 0),
        "copied_from": parent_in_library(found),
    }
