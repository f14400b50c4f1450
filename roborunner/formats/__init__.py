"""Dates and times in English, as most of the world writes them, and short in German. Others have Django’s."""
