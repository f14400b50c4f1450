"""Computer players of three levels, with the knowledge and the choices of a human player."""

from rules.computers.choosing import LEVELS, ComputerError, begin_program, choose, stays_off, wants_redeal

__all__ = ["LEVELS", "ComputerError", "begin_program", "choose", "stays_off", "wants_redeal"]
