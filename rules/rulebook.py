"""A ruleset as a person reads it: parameters, options, and the steps of a turn in order."""

from collections.abc import Iterator

from rules.ruleset import Option, Ruleset, Step

PARTS = (
    ("opening", "Before the first turn"),
    ("before", "Before phase 1"),
    ("phase", "Each of the five phases"),
    ("end", "At the end of the turn"),
    ("verdict", "After each phase, and after the end of the turn"),
)


def outline(ruleset: Ruleset) -> str:
    """Return the ruleset as plain text."""
    lines = [f"{ruleset.name} ({ruleset.key}, version {ruleset.version})", f"  {ruleset.summary}", ""]
    lines += [f"  {name}: {value}" for name, value in parameters(ruleset)]
    lines += [f"  option {option.key} ({choices(option)}): {option.text}" for option in ruleset.options]
    for title, steps in parts(ruleset):
        lines += ["", f"  {title}:"]
        lines += [
            f"    {number:2}. {step.name} ({step.clauses}): {step.text}"
            for number, step in enumerate(steps, 1)
        ]
    return "\n".join(lines)


def page(ruleset: Ruleset) -> str:
    """Return the ruleset as a page in Markdown."""
    lines = [f"# {ruleset.name}", "", ruleset.summary, ""]
    lines += ["| parameter | value |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in parameters(ruleset)]
    lines += ["", "| option | choice | what it does |", "|---|---|---|"]
    lines += [f"| `{option.key}` | {choices(option)} | {option.text} |" for option in ruleset.options]
    for title, steps in parts(ruleset):
        lines += ["", f"## {title}", ""]
        lines += [
            f"{number}. **{step.name}** ({step.clauses.replace(' ', ', ')}). {step.text}"
            for number, step in enumerate(steps, 1)
        ]
    return "\n".join(lines) + "\n"


def parameters(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a ruleset's parameters."""
    yield "players", f"{ruleset.seats[0]} to {ruleset.seats[1]}"
    yield "deck", "one for all robots" if ruleset.shared_deck else "one for each robot"
    yield "robots act", "by rank" if ruleset.ranks else "by chip number"
    yield "robots start", "virtual" if ruleset.virtual_start else "real"
    yield "damage that destroys", str(ruleset.damage_limit)
    yield "damage on coming back", str(ruleset.return_damage)
    yield "orders beside chips", ", ".join(sorted(ruleset.orders)) or "none"
    yield "elements beyond the common ones", ", ".join(sorted(ruleset.elements)) or "none"


def parts(ruleset: Ruleset) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield the parts of a turn that have steps, each with its title."""
    for attribute, title in PARTS:
        if steps := getattr(ruleset, attribute):
            yield title, steps


def choices(option: Option) -> str:
    """Say what may be chosen, and what is chosen if nothing is said."""
    if option.yes_or_no:
        return f"yes or no, {'yes' if option.default else 'no'} unless chosen"
    return f"{option.least} to {option.most}, {option.default} unless chosen"
