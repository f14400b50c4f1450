"""What robots say of themselves: a slogan for each model and for each look."""

from typing import Final

MODELS: Final = {
    "tanky": "Hit me again. I was getting bored.",
    "james-bot": "One oil, ice-cold. Two holes, still smoking.",
    "lazybot": "I’ll be there. Right after this nap.",
    "albot": "Give me a second. I have a better idea.",
    "peach": "Look behind me and you’ll see yourself.",
}
"""Slogans by the keys of `rules.MODELS`."""

LOOKS: Final = {
    "beetle": "Small feet, big plans.",
    "disc": "No corners to cut.",
    "wedge": "One foot in every door.",
    "crab": "Forward is a matter of opinion.",
    "spider": "Eight legs, no excuses.",
    "tank": "Roads are for others.",
    "drone": "Hovering is just waiting in style.",
    "magnet": "Opposites attract. So do I.",
}
"""Slogans by the names of robots' silhouettes."""
