"""The elements of starships, and their notation in ``starship/1`` (G-1.2).

A cell has one floor and any number of features. It is written as a floor token followed by feature tokens,
each after a ``+``. The ``token`` of an element is its canonical notation.

>>> read_cell("b1:NE+wS+p135S").token
'b1:NE+wS+p135S'
>>> read_cell("g++wN").floor
Twister(quarters=1)
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.document import NotationError
from rules.grid import LETTERS, PHASES, opposite
from rules.language import N_, Sentence

NETWORKS = (N_("purple"), N_("red"), N_("blue"), N_("yellow"))
SQUADS = ("red", "blue")


def phase_digits(phases: tuple[int, ...]) -> str:
    """Write phases as digits, or as an empty text if an element acts in every phase."""
    return "" if phases == PHASES else "".join(map(str, phases))


@dataclass(frozen=True, slots=True)
class Hull:
    """Plain hull: a floor without any effect."""

    element: ClassVar[str] = N_("hull")
    token: ClassVar[str] = "."


@dataclass(frozen=True, slots=True)
class Space:
    """A hole in the ship. It destroys every robot that enters it (G-4.4)."""

    element: ClassVar[str] = N_("space")
    token: ClassVar[str] = "~"


@dataclass(frozen=True, slots=True)
class Shaft:
    """A cooling shaft. It destroys every robot that enters it (G-4.4)."""

    element: ClassVar[str] = N_("shaft")
    token: ClassVar[str] = "o"


@dataclass(frozen=True, slots=True)
class Bay:
    """A launch bay. It is closed and harmless in its ``phases``, and a shaft in all others (RR-3.1)."""

    phases: tuple[int, ...]
    element: ClassVar[str] = N_("launch bay")

    @property
    def token(self) -> str:
        return "d" + "".join(map(str, self.phases))


@dataclass(frozen=True, slots=True)
class Beam:
    """A tractor beam (conveyor belt). It pulls robots one cell towards its exit (G-5)."""

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
    """A twister (gear). It turns robots clockwise by a number of quarter turns (RR-3.4)."""

    quarters: int
    element: ClassVar[str] = N_("twister")

    @property
    def token(self) -> str:
        return {1: "g+", 3: "g-", 2: "g2"}[self.quarters]


@dataclass(frozen=True, slots=True)
class Transporter:
    """A transporter. It beams a robot to the next transporter in its network's loop (RR-5)."""

    network: str
    element: ClassVar[str] = N_("transporter")

    @property
    def token(self) -> str:
        return f"t:{self.network}"


@dataclass(frozen=True, slots=True)
class Thruster:
    """A thruster. It lifts robots that move over it, and damages robots that stand on it (RR-6)."""

    element: ClassVar[str] = N_("thruster")
    token: ClassVar[str] = "f"


@dataclass(frozen=True, slots=True)
class Depot:
    """A repair depot (repair field). Its strength is the damage that it repairs each time (RR-9.1)."""

    strength: int
    element: ClassVar[str] = N_("repair depot")

    @property
    def token(self) -> str:
        return f"h{self.strength}"


@dataclass(frozen=True, slots=True)
class Oil:
    """Oil. A robot that moves onto it slides on (GR-2.2)."""

    element: ClassVar[str] = N_("oil")
    token: ClassVar[str] = "s"


@dataclass(frozen=True, slots=True)
class Airlock:
    """An airlock, where robots start. A coloured airlock is for one squad (RR-1.2, RC-1)."""

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
    """A crystal grappler, where the power crystal arrives (RC-2)."""

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
    """A checkpoint (inspection point, flag).

    ``damage`` is its hull damage, as the number of shots that repair it (RR-7.2).
    """

    number: int
    damage: int = 0
    element: ClassVar[str] = N_("checkpoint")

    @property
    def token(self) -> str:
        return f"i{self.number}" + (f"*{self.damage}" if self.damage else "")


@dataclass(frozen=True, slots=True)
class SlideRail:
    """A rail on an edge. The rail is open in its ``phases`` (RR-3.2)."""

    edge: int
    phases: tuple[int, ...]
    element: ClassVar[str] = N_("slide rail")

    @property
    def token(self) -> str:
        return "r" + "".join(map(str, self.phases)) + LETTERS[self.edge]


@dataclass(frozen=True, slots=True)
class Arm:
    """A docking arm (pusher) on an edge. In its ``phases``, it pushes robots away from the edge (RR-4)."""

    edge: int
    phases: tuple[int, ...] = PHASES
    element: ClassVar[str] = N_("docking arm")

    @property
    def token(self) -> str:
        return f"p{phase_digits(self.phases)}{LETTERS[self.edge]}"


@dataclass(frozen=True, slots=True)
class Emitter:
    """A laser emitter on an edge. It shoots away from the edge (G-6)."""

    edge: int
    strength: int
    element: ClassVar[str] = N_("laser")

    @property
    def token(self) -> str:
        return f"l{self.strength}{LETTERS[self.edge]}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its floor and its features. ``crusher`` has the phases in which its crusher acts."""

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
        """The cell in canonical notation, as in ``rows``."""
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
        """The names of all elements in this cell, in the words of G-1.8."""
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


PLAIN: dict[str, Floor] = {
    ".": Hull(),
    "~": Space(),
    "o": Shaft(),
    "g+": Twister(1),
    "g-": Twister(3),
    "g2": Twister(2),
    "f": Thruster(),
    "s": Oil(),
    "a": Airlock(),
    "k": Grappler(),
}


def _phases(text: str) -> tuple[int, ...]:
    if len(set(text)) != len(text):
        raise NotationError(Sentence("“{text}” lists a phase twice", text=text))
    return tuple(sorted(int(digit) for digit in text))


def _edge(letter: str) -> int:
    return LETTERS.index(letter)


def _beam(match: re.Match[str]) -> Beam:
    *entries, exit_ = (LETTERS.index(letter) for letter in match[2])
    if exit_ in entries:
        raise NotationError(Sentence("“{text}” uses one side as both entry and exit", text=match[0]))
    if len(set(entries)) != len(entries):
        raise NotationError(Sentence("“{text}” lists an entry side twice", text=match[0]))
    return Beam(int(match[1]), tuple(sorted(entries)) or (opposite(exit_),), exit_)


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


FLOORS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Floor]], ...] = (
    (_form(r"d([1-5]+)"), lambda match: Bay(_phases(match[1]))),
    (_form(r"b([123]):([NESW]{1,4})"), _beam),
    (_form(rf"t:({'|'.join(NETWORKS)})"), lambda match: Transporter(match[1])),
    (_form(r"h([123])"), lambda match: Depot(int(match[1]))),
    (_form(rf"a:({'|'.join(SQUADS)})"), lambda match: Airlock(match[1])),
    (_form(r"a([1-8])"), lambda match: Start(int(match[1]))),
)

INITIALS = frozenset("dbtha")


def _read_floor(token: str) -> Floor:
    if floor := _floor(token):
        return floor
    raise NotationError(Sentence("the floor “{token}” is unknown", token=token))


def _floor(token: str) -> Floor | None:
    if token in PLAIN:
        return PLAIN[token]
    if token[:1] not in INITIALS:
        return None
    for pattern, build in FLOORS:
        if match := pattern.fullmatch(token):
            return build(match)
    return None


def _twice(fault: str, letter: str) -> NotationError:
    return NotationError(Sentence(fault, edge=letter))


class _Features:
    """Collects the features of one cell. It rejects repeated features, such as two rails on one edge."""

    def __init__(self) -> None:
        self.checkpoint: Checkpoint | None = None
        self.crusher: tuple[int, ...] = ()
        self.rails: list[int] = []
        self.slides: list[SlideRail] = []
        self.couplings: list[int] = []
        self.arms: list[Arm] = []
        self.emitters: list[Emitter] = []

    def read(self, token: str) -> None:
        if not self.take(token):
            raise NotationError(Sentence("the feature “{token}” is unknown", token=token))

    def take(self, token: str) -> bool:
        """Add the feature written as ``token``. Return whether the notation has such a feature."""
        for pattern, take in FEATURES:
            if match := pattern.fullmatch(token):
                take(self, match)
                return True
        return False

    def take_checkpoint(self, match: re.Match[str]) -> None:
        if self.checkpoint:
            raise NotationError(Sentence("a cell can have only one checkpoint"))
        self.checkpoint = Checkpoint(int(match[1]), int(match[2] or 0))

    def take_crusher(self, match: re.Match[str]) -> None:
        if self.crusher:
            raise NotationError(Sentence("a cell can have only one crusher"))
        self.crusher = _phases(match[1])

    def take_rails(self, match: re.Match[str]) -> None:
        for letter in match[1]:
            self._unique(self.rails, letter, N_("the edge {edge} has two rails"))

    def take_slide(self, match: re.Match[str]) -> None:
        if any(slide.edge == _edge(match[2]) for slide in self.slides):
            raise _twice(N_("the edge {edge} has two slide rails"), match[2])
        self.slides.append(SlideRail(_edge(match[2]), _phases(match[1])))

    def take_coupling(self, match: re.Match[str]) -> None:
        self._unique(self.couplings, match[1], N_("the edge {edge} has two couplings"))

    def take_arm(self, match: re.Match[str]) -> None:
        if any(arm.edge == _edge(match[2]) for arm in self.arms):
            raise _twice(N_("the edge {edge} has two docking arms"), match[2])
        self.arms.append(Arm(_edge(match[2]), _phases(match[1]) or PHASES))

    def take_emitter(self, match: re.Match[str]) -> None:
        if any(emitter.edge == _edge(match[2]) for emitter in self.emitters):
            raise _twice(N_("the edge {edge} has two laser emitters"), match[2])
        self.emitters.append(Emitter(_edge(match[2]), int(match[1])))

    def _unique(self, edges: list[int], letter: str, fault: str) -> None:
        if _edge(letter) in edges:
            raise _twice(fault, letter)
        edges.append(_edge(letter))


FEATURES: tuple[tuple[re.Pattern[str], Callable[[_Features, re.Match[str]], Any]], ...] = (
    (_form(r"i([1-9][0-9]{0,3})(?:\*([1-9][0-9]{0,3}))?"), _Features.take_checkpoint),
    (_form(r"x([1-5]+)"), _Features.take_crusher),
    (_form(r"w([NESW]+)"), _Features.take_rails),
    (_form(r"r([1-5]+)([NESW])"), _Features.take_slide),
    (_form(r"c([NESW])"), _Features.take_coupling),
    (_form(r"p([1-5]*)([NESW])"), _Features.take_arm),
    (_form(r"l([123])([NESW])"), _Features.take_emitter),
)


def read_cell(text: str) -> Cell:
    """Read one cell. Raises NotationError with the first fault of the text."""
    match = re.fullmatch(r"(g\+|[^+]+)((?:\+[^+]+)*)", text)
    if not match:
        fault = Sentence("“{text}” is not a floor followed by features, each after a “+”", text=text)
        raise NotationError(fault)
    floor = _read_floor(match[1])
    features = _Features()
    for token in match[2].split("+")[1:]:
        features.read(token)
    return _cell(floor, features)


BARE = Cell(Hull())


def salvage_cell(text: str) -> Cell:
    """Read the readable part of a faulty cell. An unknown floor becomes hull.

    >>> salvage_cell("q+wN+z+i1").token
    '.+i1+wN'
    """
    match = re.match(r"(g\+|[^+]*)", text)
    assert match
    floor: Floor | None = None
    with suppress(NotationError):
        floor = _floor(match[1])
    if floor is None and match.end() == len(text):
        return BARE  # shared: a draft may have ten thousand such cells
    features = _Features()
    for token in filter(None, text[match.end() :].split("+")):
        with suppress(NotationError):
            features.take(token)
    return _cell(floor or Hull(), features)


def _cell(floor: Floor, features: _Features) -> Cell:
    def by_edge(fitting: SlideRail | Arm | Emitter) -> int:
        return fitting.edge

    return Cell(
        floor,
        features.checkpoint,
        features.crusher,
        tuple(sorted(features.rails)),
        tuple(sorted(features.slides, key=by_edge)),
        tuple(sorted(features.couplings)),
        tuple(sorted(features.arms, key=by_edge)),
        tuple(sorted(features.emitters, key=by_edge)),
    )
