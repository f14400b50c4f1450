"""Boards as SVG pictures, made with the standard library only.

The drawing's layers are groups with a class each: ``ground``, ``floors``, ``links``, ``checkpoints``,
``rays``, ``rails``, ``fittings``, ``robots``. Parts that act have ``data-x`` and ``data-y``, and if they
apply ``data-edge`` and ``data-phases``: ``.bay`` with ``.leaf.west`` and ``.leaf.east``, ``.slide-rail``,
``.arm`` with ``.piston``, ``.crusher`` with ``.jaw.west`` and ``.jaw.east``, ``.emitter``, ``.ray``,
``.coupling``, ``.checkpoint``, ``.crystal``, ``.robot``.
"""

from rules.drawing.board import Changing, Layered, Rays, draw, layered
from rules.drawing.fragments import Entry, checkpoint, ghost, legend, pin, portrait
from rules.drawing.medals import FRAMES, MOTIFS, medal
from rules.drawing.palette import THEMES, stylesheet
from rules.drawing.pen import CELL, MARGIN
from rules.drawing.robots import Drawable, Figure
from rules.drawing.words import describe
