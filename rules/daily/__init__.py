"""The daily run: one board, hand and task for everybody, with a proven optimum."""
