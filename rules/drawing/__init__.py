"""Boards as pictures: SVG made with nothing but the standard library.

The drawing's layers are groups with a class each: ``ground``, ``floors``, ``links``, ``checkpoints``,
``rays``, ``rails``, ``fittings``, ``robots``. What acts has ``data-x`` and ``data-y``, and where it has them
``data-edge`` and ``data-phases``: ``.bay`` with ``.leaf.west`` and ``.leaf.east``, ``.slide-rail``, ``.arm``
with ``.piston``, ``.crusher`` with ``.jaw.west`` and ``.jaw.east``, ``.emitter``, ``.ray``, ``.coupling``,
``.checkpoint``, ``.crystal``, ``.robot``.
"""

from rules.drawing.board import Changing, Layered, Rays, draw, layered
from rules.drawing.fragments import Entry, checkpoint, ghost, legend, pin, portrait
from rules.drawing.medals import FRAMES, MOTIFS, medal
from rules.drawing.palette import THEMES, stylesheet
from rules.drawing.pen import CELL, MARGIN
from rules.drawing.robots import Drawable, Figure
from rules.drawing.words import describe
