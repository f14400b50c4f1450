"""Draw boards as SVG pictures, with the standard library only.

The layers of a drawing are groups, each with a class: ``ground``, ``floors``, ``links``, ``checkpoints``,
``rays``, ``rails``, ``fittings``, ``robots``. Parts that act during a turn have ``data-x`` and ``data-y`` for
their cell, and some also have ``data-edge`` and ``data-phases``. The parts that act are ``.bay`` with
``.leaf.west`` and ``.leaf.east``, ``.slide-rail``, ``.arm`` with ``.piston``, ``.crusher`` with ``.jaw.west``
and ``.jaw.east``, ``.emitter``, ``.ray``, ``.coupling``, ``.checkpoint``, ``.crystal`` and ``.robot``.
"""

from rules.drawing.board import Changing, Layered, Rays, draw, layered
from rules.drawing.fragments import Entry, checkpoint, ghost, legend, pin, portrait
from rules.drawing.medals import FRAMES, MOTIFS, medal
from rules.drawing.palette import THEMES, stylesheet
from rules.drawing.pen import CELL, MARGIN
from rules.drawing.robots import Drawable, Figure
from rules.drawing.words import describe
