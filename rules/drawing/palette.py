"""The colours of drawings, with light and dark values, and the symbols of networks.

Each colour is a CSS custom property, named ``--ship-`` and the colour's name with dashes (``--ship-hull``). A
page can therefore follow the colour scheme that its reader prefers. The fixed themes contain the values
themselves, for renderers that do not know custom properties.
"""

from dataclasses import dataclass, field, fields
from typing import Any, Final

THEMES: Final = ("auto", "page", "light", "dark")
"""The themes of drawings.

``auto`` follows the colour scheme that the reader prefers. ``page`` takes its colours from the style sheet of
the page. ``light`` and ``dark`` are fixed, without custom properties.
"""

SILHOUETTES: Final = 8
"""The number of robot silhouettes. Each has a different colour."""


def _colour(light: str, dark: str = "") -> Any:
    """Declare a colour with its light and dark values. A single value is used for both."""
    return field(metadata={"light": light, "dark": dark or light})


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a drawing, as CSS colours or as references to custom properties."""

    # The ground
    space: str = _colour("#f6f0e2", "#080d19")
    star: str = _colour("#c8bb9d", "#c3d0ea")
    hull: str = _colour("#e3e9ed", "#273449")
    hull_other: str = _colour("#dce4ea", "#2b394f")
    seam: str = _colour("#c3cfd9", "#1d293b")
    rim: str = _colour("#34567f", "#6f85a9")
    side: str = _colour("#a3b3c4", "#131d2e")
    pit: str = _colour("#b4c1ce", "#131c2b")
    pit_deep: str = _colour("#6d8199", "#0b121e")
    pit_floor: str = _colour("#24364f", "#04070d")
    # Lines and plates
    rail: str = _colour("#17355c", "#eef2f8")
    rail_edge: str = _colour("#f7f9fb", "#0c1320")
    metal: str = _colour("#5f7592", "#93a5c0")
    metal_dark: str = _colour("#9db0c4", "#4d5f7b")
    machine: str = _colour("#d0dae4", "#34445d")
    plate: str = _colour("#17355c", "#0c1320")
    plate_ink: str = _colour("#ffffff", "#f4f7fc")
    quiet: str = _colour("#667990", "#8a9ab5")
    # Moving and active elements
    moving: str = _colour("#a36800", "#f0bf4c")
    beam_1: str = _colour("#bcd5ef", "#23497a")
    beam_1_mark: str = _colour("#1c5ea8", "#86bdf7")
    beam_2: str = _colour("#bbe0cd", "#1d5a49")
    beam_2_mark: str = _colour("#14754a", "#7de0ad")
    beam_3: str = _colour("#f3c6c0", "#74323c")
    beam_3_mark: str = _colour("#b3322c", "#ff9f97")
    laser: str = _colour("#c9182a", "#ff5560")
    spark: str = _colour("#ffc21a", "#ffe56b")
    glow: str = _colour("#fff6d8", "#fff0c0")
    flame: str = _colour("#f07818", "#ff8a3c")
    repair: str = _colour("#116b43", "#8ce8b4")
    repair_plate: str = _colour("#cfe8da", "#1f4a40")
    oil: str = _colour("#39404d", "#070a12")
    oil_sheen: str = _colour("#a99be0", "#8f7fd6")
    checkpoint: str = _colour("#d25f00", "#ff9838")
    checkpoint_ink: str = _colour("#160c00", "#1c1002")
    crystal: str = _colour("#38c6cf", "#7df3f0")
    crystal_shade: str = _colour("#14808f", "#2aa3b5")
    purple: str = _colour("#7440c8", "#b792ff")
    red: str = _colour("#c9342b", "#ff7a70")
    blue: str = _colour("#1f68bd", "#6cb2ff")
    yellow: str = _colour("#8f6c00", "#ffd84d")
    # Robots: eight colours that are distinct with any colour blindness (deutan, protan, tritan)
    robot_ink: str = _colour("#101a2b", "#0d131f")
    robot_light: str = _colour("#fffdf6")
    robot_shadow: str = _colour("#5b6b80", "#c9d6ea")
    bare: str = _colour("#dfe5ec", "#d5dce6")
    smoke: str = _colour("#a9b0bb", "#8a93a3")
    robot_1: str = _colour("#f0402e")
    robot_2: str = _colour("#52c5fb")
    robot_3: str = _colour("#f2c636")
    robot_4: str = _colour("#0a917b")
    robot_5: str = _colour("#c25ceb")
    robot_6: str = _colour("#f7f5ee")
    robot_7: str = _colour("#7a4826")
    robot_8: str = _colour("#3340cf")
    outline_1: str = _colour("#bf2e1d", "#f0584e")
    outline_2: str = _colour("#0c7fd8", "#4fd8ff")
    outline_3: str = _colour("#a87500", "#f6dc50")
    outline_4: str = _colour("#2f7d72", "#2cc79c")
    outline_5: str = _colour("#9a2fb8", "#dd88e8")
    outline_6: str = _colour("#4f4858", "#f7f5ee")
    outline_7: str = _colour("#70301a", "#e0a468")
    outline_8: str = _colour("#3a22d8", "#5588ff")
    scanner: str = _colour("#74869b", "#aab6c8")

    def beam(self, speed: int) -> tuple[str, str]:
        """Return the two colours of a beam of this speed: the ribbon's colour, and the chevrons' colour."""
        return getattr(self, f"beam_{speed}"), getattr(self, f"beam_{speed}_mark")

    def network(self, name: str) -> str:
        return {"purple": self.purple, "red": self.red, "blue": self.blue, "yellow": self.yellow}[name]

    def robot(self, model: int) -> str:
        """Return the colour of a robot's body. ``model`` is the number of its silhouette, from 0."""
        return str(getattr(self, f"robot_{model % SILHOUETTES + 1}"))

    def outline(self, model: int) -> str:
        """Return the colour of a virtual robot's outline. ``model`` is the number of its silhouette, from 0.

        It is similar to the colour of the robot's body, but visible on hull.
        """
        return str(getattr(self, f"outline_{model % SILHOUETTES + 1}"))


_NAMES: Final = tuple(each.name for each in fields(Palette))

LIGHT: Final = Palette(**{each.name: each.metadata["light"] for each in fields(Palette)})
DARK: Final = Palette(**{each.name: each.metadata["dark"] for each in fields(Palette)})


def property_name(name: str) -> str:
    """Return the name of the CSS custom property for a colour.

    >>> property_name("hull_other")
    '--ship-hull-other'
    """
    return "--ship-" + name.replace("_", "-")


VARIABLES: Final = Palette(**{name: f"var({property_name(name)})" for name in _NAMES})


def palette(theme: str) -> Palette:
    """Return the colours of a theme. Raises ValueError if there is no such theme."""
    if theme not in THEMES:
        raise ValueError(f"the theme is one of {', '.join(THEMES)}, not {theme!r}")
    return {"light": LIGHT, "dark": DARK}.get(theme, VARIABLES)


def stylesheet() -> str:
    """Return CSS with the custom properties of all colours, for pages with drawings of theme ``page``.

    The values follow the page's ``color-scheme``.
    """
    lines = (
        f"  {property_name(name)}: light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)});\n"
        for name in _NAMES
    )
    return f":root {{\n{''.join(lines)}}}\n"


def _declarations(colours: Palette) -> str:
    return ";".join(f"{property_name(name)}:{getattr(colours, name)}" for name in _NAMES)


def own_style() -> str:
    """Return the CSS that is put inside a drawing with theme ``auto``.

    The style sheet of a page takes precedence over this CSS.
    """
    return (
        f":where(svg.starship-auto){{{_declarations(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{:where(svg.starship-auto){{{_declarations(DARK)}}}}}"
    )


FORMS: Final = {
    "purple": "M0-4.6A4.6 4.6 0 0 1 0 4.6A4.6 4.6 0 0 1 0-4.6z",
    "red": "M0-5.6L5.3 3.8H-5.3z",
    "blue": "M-4.2-4.2H4.2V4.2H-4.2z",
    "yellow": "M0-6L5 0L0 6L-5 0z",
}
"""The symbols of networks and squads as path data: a circle, a triangle, a square and a diamond."""
