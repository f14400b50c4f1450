"""Names and stories of ships from the generator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.chance import Stream
from rules.starship import Starship


@dataclass(frozen=True, slots=True)
class Words:
    """The vocabulary of a theme: nouns for its ships' names, and sentences for their stories."""

    nouns: tuple[str, ...]
    stories: tuple[str, ...]


ADJECTIVES: Final = (
    *("Amber", "Borrowed", "Brass", "Broken", "Copper", "Crooked", "Distant", "Double", "Drowsy", "Early"),
    *("Eastern", "Faded", "Fifth", "Foggy", "Frozen", "Gentle", "Gilded", "Green", "Hidden", "Hollow"),
    *("Humming", "Idle", "Iron", "Ivory", "Last", "Late", "Little", "Lonely", "Long", "Lost"),
    *("Lucky", "Midnight", "Narrow", "Northern", "Old", "Painted", "Patient", "Plain", "Proud", "Quiet"),
    *("Restless", "Rusty", "Second", "Silent", "Silver", "Sleepy", "Slow", "Southern", "Steady", "Stubborn"),
    *("Sunken", "Tilted", "Tin", "Twin", "Upper", "Velvet", "Wandering", "Western", "White", "Winter"),
)

WORDS: Final = {
    "ring": Words(
        ("Halo", "Orbit", "Bracelet", "Roundabout", "Wheel", "Girdle", "Waltz", "Garland", "Corona", "Hoop"),
        (
            "The belt goes round and never asks where you want to get off.",
            "Ride the ring for speed, cross it for the shortest way, and watch who rides behind you.",
            "Everyone here goes in circles. The trick is to leave the circle one stop before the others.",
            "The ring brings you to every door, and past it.",
        ),
    ),
    "canyon": Words(
        ("Gorge", "Ravine", "Rift", "Divide", "Narrows", "Chasm", "Ferry", "Crossing", "Ford", "Strait"),
        (
            "What you need is always on the other side. There is more than one way across.",
            "Two banks, a gap between them, and never quite enough room on the bridge.",
            "Cross early with a good hand, or late with an empty bridge.",
            "The ship broke in two once. They welded it together just enough.",
        ),
    ),
    "islands": Words(
        ("Archipelago", "Atoll", "Lagoon", "Shoals", "Skerries", "Cays", "Harbour", "Reef", "Haven", "Sound"),
        (
            "Small islands, narrow roads, and open space for those who turn too late.",
            "Each island has its own weather. The causeways carry you there and back.",
            "Two lanes to every neighbour: one takes you over, the other brings the others to you.",
            "Hop from island to island, and look who else is on the causeway.",
        ),
    ),
    "factory": Words(
        (
            "Assembly",
            "Mill",
            "Works",
            "Foundry",
            "Cannery",
            "Bakery",
            "Workshop",
            "Conveyor",
            "Shift",
            "Forge",
        ),
        (
            "The line runs day and night. No one remembers what it makes.",
            "Ride the line and mind the machines. They keep time better than you do.",
            "Goods go one way here. Robots may go any way they can.",
            "The machines have their beat, and the floor beside the line has room for those who lost it.",
        ),
    ),
    "fortress": Words(
        (
            "Bastion",
            "Keep",
            "Citadel",
            "Rampart",
            "Garrison",
            "Bulwark",
            "Castle",
            "Stronghold",
            "Redoubt",
            "Watch",
        ),
        (
            "Thick walls, and a gate on every side. Hold the court, and you see everyone come.",
            "The walls keep no one out for long. The gates are where you meet.",
            "The siege ended years ago, but no one told the walls.",
            "Round the walls or through the gates: one way is longer, the other is fuller.",
        ),
    ),
    "liner": Words(
        (
            "Liner",
            "Clipper",
            "Steamer",
            "Packet",
            "Galleon",
            "Whaler",
            "Frigate",
            "Schooner",
            "Barge",
            "Corvette",
        ),
        (
            "Cabins to port and starboard, and a corridor that is always in a hurry.",
            "Every cabin has two doors. Remember which one you came in by.",
            "The walkways take you along the ship in no time, if that is where you want to go.",
            "First class is forward, engines are aft, and the checkpoints are wherever there was room.",
        ),
    ),
    "orchard": Words(
        (
            "Orchard",
            "Arcade",
            "Colonnade",
            "Grove",
            "Plantation",
            "Cloister",
            "Pergola",
            "Nursery",
            "Vineyard",
            "Trellis",
        ),
        (
            "Neat rows, straight paths, and something to bump into at every corner.",
            "Everything stands in rows here, so it is easy to see where you went wrong.",
            "From above it looks orderly. Down between the rows it is anyone's race.",
            "There is always a way between the rows, and always someone in it.",
        ),
    ),
}

PRESENT: Final = {
    "crusher": "Count the phases before you step under a press.",
    "docking arm": "The arms push at their phases, whether you are in a hurry or not.",
    "laser": "The lasers never miss.",
    "transporter": "A door of the same colour leads somewhere else.",
    "shaft": "Mind the shafts.",
    "oil": "Where it shines, you slide.",
    "twister": "The turntables turn everyone who stops on them.",
    "repair depot": "There is a depot for those who took the hard way.",
}
"""A sentence for each kind of element, for use in stories.

A story uses the sentences of the first 1 or 2 of these kinds that the ship has.
"""

BUILDER: Final = "The Shipyard"


def named(ship: Starship, theme: str, kinds: Sequence[str], stream: Stream) -> Starship:
    """Return the ship with a random name, a builder, and a story of two or three sentences."""
    words = WORDS[theme]
    name = f"{stream.choice(ADJECTIVES)} {stream.choice(words.nouns)}"
    told = [sentence for kind, sentence in PRESENT.items() if kind in kinds]
    story = " ".join([stream.choice(words.stories), *told[: 1 + stream.below(2)]])
    return Starship(ship.width, ship.height, ship.cells, name, BUILDER, story)
