"""What a new password may not be, beside short, breached, and like its person's name or address.

Nothing is asked of what it is made of: figures, letters, spaces and signs of any script will all do.
"""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

LONGEST: Final = 128
"""Characters of the longest password, all of which count."""

OWN_WORDS: Final = ("roborunner", "robots", "robot", "robo", "runner", "starships", "starship", "checkpoint")
"""What comes to everybody's mind here, longer ones before those that they begin with."""

LEAST_OF_ONE_S_OWN: Final = 4
"""Letters that a password has beside words of this site, where it has any of them."""


class LongestPasswordValidator:
    """Refuses what no one types, and takes long to calculate with."""

    def validate(self, password: str, user: object = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(
                gettext("This password has {count} characters, and at most {most} are allowed.").format(
                    count=len(password), most=LONGEST
                ),
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t have more than {most} characters.").format(most=LONGEST)


class OwnWordsValidator:
    """Refuses passwords that are words of this site, with figures and signs round them."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError for a password that has nothing else in it."""
        letters = re.sub(r"[\W\d_]", "", password.casefold())
        rest = re.sub("|".join(OWN_WORDS), "", letters)
        if rest != letters and len(rest) < LEAST_OF_ONE_S_OWN:
            raise ValidationError(
                gettext("This password is too close to the words of this site: choose another."),
                code="password_own_words",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t be a word of this site.")
