"""Boards as PNG pictures, for mail, feeds and previews of links.

To turn an SVG drawing into pixels takes as much of a processor as many turns. So a board is drawn whole once,
without robots, and kept. A picture of a game is that board with pieces laid over it: the cells that differ in
this game, the robots, the power crystal. They are kept as well. What is kept can be drawn again at any time.
"""

from games.fleet.raster.picture import WIDTH, board_picture

__all__ = ["WIDTH", "board_picture"]
