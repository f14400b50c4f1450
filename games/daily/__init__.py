"""The daily run: one board, hand and task a day, the same for everybody."""
