"""Computer players of three strengths, who see what a player sees and order what a player may."""

from rules.computers.choosing import STRENGTHS, ComputerError, begin_program, choose, stays_off, wants_redeal

__all__ = ["STRENGTHS", "ComputerError", "begin_program", "choose", "stays_off", "wants_redeal"]
