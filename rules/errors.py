"""What can be wrong with a document, told all at once and with its place."""

from dataclasses import dataclass

from rules.language import ENGLISH, Words, told


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document; ``row`` and ``column`` are counted from 1, as people count.

    ``key`` is the key that it is about, and ``code`` what it is for programs, where these are known.

    >>> str(Problem("the floor “q” is unknown", row=1, column=3))
    'row 1, column 3: the floor “q” is unknown'
    """

    message: str
    row: int | None = None
    column: int | None = None
    severity: str = "error"
    key: str | None = None
    code: str | None = None

    def __str__(self) -> str:
        return self.told(ENGLISH)

    def told(self, _: Words) -> str:
        """Return the fault and its place in the reader's language."""
        values = {"row": self.row, "column": self.column, "problem": told(self.message, _)}
        if self.row is None or self.column is None:
            return told(self.message, _) if self.row is None else _("row {row}: {problem}", **values)
        return _("row {row}, column {column}: {problem}", **values)


class RulesError(ValueError):
    """Input that the rules cannot take; ``problems`` has every fault, the text all of them."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(Problem(p) if isinstance(p, str) else p for p in problems)
        super().__init__(*self.problems)

    def __str__(self) -> str:
        # Made when it is asked for: a draft may have ten thousand cells that cannot be read.
        return "; ".join(map(str, self.problems))


class NotationError(RulesError):
    """A document that is not well-formed in its format."""


class UnknownRuleset(RulesError, LookupError):
    """No ruleset has that key."""


class UnknownVersion(UnknownRuleset):
    """The ruleset has no such version."""


class SetupError(RulesError):
    """Ruleset, options, starship and seats that do not make a game together."""
