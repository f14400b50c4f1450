"""Formats of dates and times in English, as most of the world writes them. Other languages have Django's."""
