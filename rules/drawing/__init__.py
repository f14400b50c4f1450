"""Boards as pictures: SVG made with nothing but the standard library.

The drawing's layers are groups with a class each: ``ground``, ``floors``, ``links``, ``checkpoints``,
``rays``, ``rails``, ``fittings``, ``robots``. What acts has ``data-x`` and ``data-y``, and where it has them
``data-edge`` and ``data-phases``: ``.bay`` with ``.leaf.west`` and ``.leaf.east``, ``.slide-rail``, ``.arm``
with ``.piston``, ``.crusher`` with ``.jaw.west`` and ``.jaw.east``, ``.emitter``, ``.ray``, ``.coupling``,
``.checkpoint``, ``.crystal``, ``.robot``.
"""

from rules.drawing.board import draw
from rules.drawing.changing import Changing
from rules.drawing.figures import Drawable, Figure
from rules.drawing.fragments import checkpoint, ghost, pin
from rules.drawing.medals import FRAMES, medal
from rules.drawing.motifs import MOTIFS
from rules.drawing.palette import THEMES, stylesheet
from rules.drawing.sheet import CELL, MARGIN
from rules.drawing.single import Entry, legend, portrait
from rules.drawing.stamps import Layered, Rays, layered
from rules.drawing.words import describe
