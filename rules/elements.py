"""What a cell of a starship can be made of: one floor, and features (G-1.2).

The tokens of each are those of ``starship/1``; ``token`` writes them in canonical form.
"""

from dataclasses import dataclass
from typing import ClassVar

from rules.grid import LETTERS, PHASES, opposite
from rules.language import N_

NETWORKS = (N_("purple"), N_("red"), N_("blue"), N_("yellow"))
SQUADS = ("red", "blue")


def phase_digits(phases: tuple[int, ...]) -> str:
    """Write phases as they stand in a token: none for "every phase"."""
    return "" if phases == PHASES else "".join(map(str, phases))


@dataclass(frozen=True, slots=True)
class Hull:
    """Plain hull, without any effect."""

    element: ClassVar[str] = N_("hull")
    token: ClassVar[str] = "."


@dataclass(frozen=True, slots=True)
class Space:
    """A hole in the ship: destroys whatever enters (G-4.4)."""

    element: ClassVar[str] = N_("space")
    token: ClassVar[str] = "~"


@dataclass(frozen=True, slots=True)
class Shaft:
    """A cooling shaft: destroys whatever enters (G-4.4)."""

    element: ClassVar[str] = N_("shaft")
    token: ClassVar[str] = "o"


@dataclass(frozen=True, slots=True)
class Bay:
    """A launch bay: closed, and so harmless, in its phases; a shaft in all others (RR-3.1)."""

    phases: tuple[int, ...]
    element: ClassVar[str] = N_("launch bay")

    @property
    def token(self) -> str:
        return "d" + "".join(map(str, self.phases))


@dataclass(frozen=True, slots=True)
class Beam:
    """A tractor beam (conveyor belt): pulls towards its exit (G-5)."""

    speed: int
    entries: tuple[int, ...]
    exit: int

    @property
    def element(self) -> str:
        return N_("beam of speed 3") if self.speed == 3 else N_("beam")

    @property
    def straight(self) -> bool:
        return self.entries == (opposite(self.exit),)

    @property
    def token(self) -> str:
        entries = "" if self.straight else "".join(LETTERS[side] for side in self.entries)
        return f"b{self.speed}:{entries}{LETTERS[self.exit]}"


@dataclass(frozen=True, slots=True)
class Twister:
    """A twister (gear): turns by a number of quarters to the right (RR-3.4)."""

    quarters: int
    element: ClassVar[str] = N_("twister")

    @property
    def token(self) -> str:
        return {1: "g+", 3: "g-", 2: "g2"}[self.quarters]


@dataclass(frozen=True, slots=True)
class Transporter:
    """A transporter: beams to the next of its network (RR-5)."""

    network: str
    element: ClassVar[str] = N_("transporter")

    @property
    def token(self) -> str:
        return f"t:{self.network}"


@dataclass(frozen=True, slots=True)
class Thruster:
    """A thruster: lifts who passes, burns who stays (RR-6)."""

    element: ClassVar[str] = N_("thruster")
    token: ClassVar[str] = "f"


@dataclass(frozen=True, slots=True)
class Depot:
    """A repair depot (repair field) and how much damage it repairs (RR-9.1)."""

    strength: int
    element: ClassVar[str] = N_("repair depot")

    @property
    def token(self) -> str:
        return f"h{self.strength}"


@dataclass(frozen=True, slots=True)
class Oil:
    """Oil: a robot that comes onto it slides on (GR-2.2)."""

    element: ClassVar[str] = N_("oil")
    token: ClassVar[str] = "s"


@dataclass(frozen=True, slots=True)
class Airlock:
    """An airlock: where robots start, of one squad where it has a colour (RR-1.2, RC-1)."""

    squad: str | None = None

    @property
    def element(self) -> str:
        return N_("coloured airlock") if self.squad else N_("airlock")

    @property
    def token(self) -> str:
        return f"a:{self.squad}" if self.squad else "a"


@dataclass(frozen=True, slots=True)
class Start:
    """The start cell of one seat (GR-1.1, WS-1)."""

    seat: int
    element: ClassVar[str] = N_("start cell")

    @property
    def token(self) -> str:
        return f"a{self.seat}"


@dataclass(frozen=True, slots=True)
class Grappler:
    """A crystal grappler: where the power crystal arrives (RC-2)."""

    element: ClassVar[str] = N_("grappler")
    token: ClassVar[str] = "k"


Floor = (
    Hull
    | Space
    | Shaft
    | Bay
    | Beam
    | Twister
    | Transporter
    | Thruster
    | Depot
    | Oil
    | Airlock
    | Start
    | Grappler
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint (inspection point, flag), and the repairs that its hull damage needs (RR-7.2)."""

    number: int
    damage: int = 0
    element: ClassVar[str] = N_("checkpoint")

    @property
    def token(self) -> str:
        return f"i{self.number}" + (f"*{self.damage}" if self.damage else "")


@dataclass(frozen=True, slots=True)
class SlideRail:
    """A rail on an edge that lets pass in its phases (RR-3.2)."""

    edge: int
    phases: tuple[int, ...]
    element: ClassVar[str] = N_("slide rail")

    @property
    def token(self) -> str:
        return "r" + "".join(map(str, self.phases)) + LETTERS[self.edge]


@dataclass(frozen=True, slots=True)
class Arm:
    """A docking arm (pusher) on an edge: pushes away from it in its phases (RR-4)."""

    edge: int
    phases: tuple[int, ...] = PHASES
    element: ClassVar[str] = N_("docking arm")

    @property
    def token(self) -> str:
        return f"p{phase_digits(self.phases)}{LETTERS[self.edge]}"


@dataclass(frozen=True, slots=True)
class Emitter:
    """A laser emitter on an edge: shoots away from it (G-6)."""

    edge: int
    strength: int
    element: ClassVar[str] = N_("laser")

    @property
    def token(self) -> str:
        return f"l{self.strength}{LETTERS[self.edge]}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its floor and its features. ``crusher`` holds the phases in which it strikes."""

    floor: Floor
    checkpoint: Checkpoint | None = None
    crusher: tuple[int, ...] = ()
    rails: tuple[int, ...] = ()
    slides: tuple[SlideRail, ...] = ()
    couplings: tuple[int, ...] = ()
    arms: tuple[Arm, ...] = ()
    emitters: tuple[Emitter, ...] = ()

    @property
    def token(self) -> str:
        """The cell in canonical notation, as it stands in ``rows``."""
        features: list[str] = []
        if self.checkpoint:
            features.append(self.checkpoint.token)
        if self.crusher:
            features.append("x" + "".join(map(str, self.crusher)))
        if self.rails:
            features.append("w" + "".join(LETTERS[edge] for edge in self.rails))
        features += [slide.token for slide in self.slides]
        features += ["c" + LETTERS[edge] for edge in self.couplings]
        features += [arm.token for arm in self.arms]
        features += [emitter.token for emitter in self.emitters]
        return "+".join([self.floor.token, *features])

    @property
    def elements(self) -> tuple[str, ...]:
        """The names of all elements in this cell, in the terms of G-1.8."""
        names = [self.floor.element]
        if self.checkpoint:
            names.append(N_("hull damage") if self.checkpoint.damage else "checkpoint")
        if self.crusher:
            names.append(N_("crusher"))
        if self.rails:
            names.append(N_("rail"))
        if self.slides:
            names.append("slide rail")
        if self.couplings:
            names.append(N_("coupling"))
        if self.arms:
            names.append("docking arm")
        if self.emitters:
            names.append("laser")
        return tuple(names)
