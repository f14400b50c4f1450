"""The service around the engine (`rules`): games, players, starships and everything else.

A room is a package in `games` for one subject, such as `games.clubs`.
"""
