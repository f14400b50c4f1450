"""The pages of a game: board, orders, actions and event streams."""
