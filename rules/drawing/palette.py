"""The colours of a drawing: one set of names, a light and a dark value for each.

Every colour has a custom property, ``--ship-`` and its name with dashes (``--ship-hull``), so that
a page can follow its reader's scheme. Fixed themes carry the values themselves, for renderers that
know no custom properties.
"""

from dataclasses import dataclass, fields
from typing import Final

THEMES: Final = ("auto", "page", "light", "dark")
"""``auto`` carries both schemes and follows the reader's; ``page`` leaves the colours to the page's
style sheet; ``light`` and ``dark`` are fixed, without custom properties."""


@dataclass(frozen=True, slots=True)
class Palette:
    """What each thing is painted with: CSS colours, or references to custom properties."""

    # The ground
    space: str
    star: str
    hull: str
    hull_other: str
    seam: str
    rim: str
    side: str
    pit: str
    pit_deep: str
    pit_floor: str
    # Lines and plates
    rail: str
    rail_edge: str
    metal: str
    metal_dark: str
    machine: str
    plate: str
    plate_ink: str
    quiet: str
    # What acts
    moving: str
    beam_1: str
    beam_1_mark: str
    beam_2: str
    beam_2_mark: str
    beam_3: str
    beam_3_mark: str
    laser: str
    spark: str
    glow: str
    flame: str
    repair: str
    repair_plate: str
    oil: str
    oil_sheen: str
    checkpoint: str
    checkpoint_ink: str
    crystal: str
    crystal_shade: str
    purple: str
    red: str
    blue: str
    yellow: str
    # Robots: eight bodies that stay apart also in deuteranopia, protanopia and tritanopia
    robot_ink: str
    robot_light: str
    robot_shadow: str
    bare: str
    smoke: str
    robot_1: str
    robot_2: str
    robot_3: str
    robot_4: str
    robot_5: str
    robot_6: str
    robot_7: str
    robot_8: str
    outline_1: str
    outline_2: str
    outline_3: str
    outline_4: str
    outline_5: str
    outline_6: str
    outline_7: str
    outline_8: str
    scanner: str

    def beam(self, speed: int) -> tuple[str, str]:
        """Return the ribbon's and the chevrons' colour of a beam."""
        marks = {
            1: (self.beam_1, self.beam_1_mark),
            2: (self.beam_2, self.beam_2_mark),
            3: (self.beam_3, self.beam_3_mark),
        }
        return marks[speed]

    def network(self, name: str) -> str:
        """Return the colour of a transporter network or a squad."""
        return {"purple": self.purple, "red": self.red, "blue": self.blue, "yellow": self.yellow}[name]

    def robot(self, model: int) -> str:
        """Return the body colour of a silhouette, counted from 0."""
        bodies = (
            self.robot_1,
            self.robot_2,
            self.robot_3,
            self.robot_4,
            self.robot_5,
            self.robot_6,
            self.robot_7,
            self.robot_8,
        )
        return bodies[model % len(bodies)]

    def outline(self, model: int) -> str:
        """Return the colour in which a virtual robot is outlined: the body's, made to show on hull."""
        outlines = (
            self.outline_1,
            self.outline_2,
            self.outline_3,
            self.outline_4,
            self.outline_5,
            self.outline_6,
            self.outline_7,
            self.outline_8,
        )
        return outlines[model % len(outlines)]


BODIES: Final = {
    "robot_1": "#f0402e",
    "robot_2": "#52c5fb",
    "robot_3": "#f2c636",
    "robot_4": "#0a917b",
    "robot_5": "#c25ceb",
    "robot_6": "#f7f5ee",
    "robot_7": "#7a4826",
    "robot_8": "#3340cf",
}

DARK: Final = Palette(
    space="#080d19",
    star="#c3d0ea",
    hull="#273449",
    hull_other="#2b394f",
    seam="#1d293b",
    rim="#6f85a9",
    side="#131d2e",
    pit="#131c2b",
    pit_deep="#0b121e",
    pit_floor="#04070d",
    rail="#eef2f8",
    rail_edge="#0c1320",
    metal="#93a5c0",
    metal_dark="#4d5f7b",
    machine="#34445d",
    plate="#0c1320",
    plate_ink="#f4f7fc",
    quiet="#8a9ab5",
    moving="#f0bf4c",
    beam_1="#23497a",
    beam_1_mark="#86bdf7",
    beam_2="#1d5a49",
    beam_2_mark="#7de0ad",
    beam_3="#74323c",
    beam_3_mark="#ff9f97",
    laser="#ff5560",
    spark="#ffe56b",
    glow="#fff0c0",
    flame="#ff8a3c",
    repair="#8ce8b4",
    repair_plate="#1f4a40",
    oil="#070a12",
    oil_sheen="#8f7fd6",
    checkpoint="#ff9838",
    checkpoint_ink="#1c1002",
    crystal="#7df3f0",
    crystal_shade="#2aa3b5",
    purple="#b792ff",
    red="#ff7a70",
    blue="#6cb2ff",
    yellow="#ffd84d",
    robot_ink="#0d131f",
    robot_light="#fffdf6",
    robot_shadow="#c9d6ea",
    bare="#d5dce6",
    smoke="#8a93a3",
    **BODIES,
    outline_1="#f0584e",
    outline_2="#4fd8ff",
    outline_3="#f6dc50",
    outline_4="#2cc79c",
    outline_5="#dd88e8",
    outline_6="#f7f5ee",
    outline_7="#e0a468",
    outline_8="#5588ff",
    scanner="#aab6c8",
)

LIGHT: Final = Palette(
    space="#f6f0e2",
    star="#c8bb9d",
    hull="#e3e9ed",
    hull_other="#dce4ea",
    seam="#c3cfd9",
    rim="#34567f",
    side="#a3b3c4",
    pit="#b4c1ce",
    pit_deep="#6d8199",
    pit_floor="#24364f",
    rail="#17355c",
    rail_edge="#f7f9fb",
    metal="#5f7592",
    metal_dark="#9db0c4",
    machine="#d0dae4",
    plate="#17355c",
    plate_ink="#ffffff",
    quiet="#667990",
    moving="#a36800",
    beam_1="#bcd5ef",
    beam_1_mark="#1c5ea8",
    beam_2="#bbe0cd",
    beam_2_mark="#14754a",
    beam_3="#f3c6c0",
    beam_3_mark="#b3322c",
    laser="#c9182a",
    spark="#ffc21a",
    glow="#fff6d8",
    flame="#f07818",
    repair="#116b43",
    repair_plate="#cfe8da",
    oil="#39404d",
    oil_sheen="#a99be0",
    checkpoint="#d25f00",
    checkpoint_ink="#160c00",
    crystal="#38c6cf",
    crystal_shade="#14808f",
    purple="#7440c8",
    red="#c9342b",
    blue="#1f68bd",
    yellow="#8f6c00",
    robot_ink="#101a2b",
    robot_light="#fffdf6",
    robot_shadow="#5b6b80",
    bare="#dfe5ec",
    smoke="#a9b0bb",
    **BODIES,
    outline_1="#bf2e1d",
    outline_2="#0c7fd8",
    outline_3="#a87500",
    outline_4="#2f7d72",
    outline_5="#9a2fb8",
    outline_6="#4f4858",
    outline_7="#70301a",
    outline_8="#3a22d8",
    scanner="#74869b",
)

_NAMES: Final = tuple(field.name for field in fields(Palette))


def property_name(name: str) -> str:
    """Return the custom property of a colour.

    >>> property_name("hull_other")
    '--ship-hull-other'
    """
    return "--ship-" + name.replace("_", "-")


VARIABLES: Final = Palette(**{name: f"var({property_name(name)})" for name in _NAMES})


def palette(theme: str) -> Palette:
    """Return the palette of a theme; raises ValueError where there is none of that name."""
    if theme not in THEMES:
        raise ValueError(f"the theme is one of {', '.join(THEMES)}, not {theme!r}")
    return {"light": LIGHT, "dark": DARK}.get(theme, VARIABLES)


def stylesheet() -> str:
    """Return CSS that gives every custom property its value, for pages with drawings of theme ``page``.

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
    """Return the style element's text of a drawing with theme ``auto``; any rule of the page outweighs it."""
    return (
        f":where(svg.starship-auto){{{_declarations(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{:where(svg.starship-auto){{{_declarations(DARK)}}}}}"
    )
