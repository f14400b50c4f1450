"""The game pages: the board, the orders form, players' actions and event streams."""
