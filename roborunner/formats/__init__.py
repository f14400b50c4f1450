"""Formats of dates and times in English and German. Other languages have Django's formats.

English dates begin with the day, and times use the 24-hour clock, as in most of the world.
"""
